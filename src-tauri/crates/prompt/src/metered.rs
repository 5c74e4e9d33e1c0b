//! Compiled templates whose instructions are charged before they run: the engine's fuel counts steps, not the bytes that a step
//! creates.
//!
//! The engine has no hook for operators, but its compiled instructions can be changed before they run: a call of a filter that
//! no template can name ([`crate::output_limit`]) is inserted before each instruction that creates or reads values. The filter
//! receives the operands, charges for them and returns them.

use std::collections::BTreeMap;

use minijinja::machinery::ast::Stmt;
use minijinja::machinery::{CodeGenerator, Instruction, Instructions, Span, eval, make_string_output};
use minijinja::{AutoEscape, Environment, Error, Value};

use crate::output_limit::{FIXED_CHARGE_FILTER, ITEM_BYTES, OBJECT_BYTES, Step};

/// The engine's name of an unnamed template.
const TEMPLATE_NAME: &str = "<string>";
/// Local id of a filter that isn't cached between calls.
const UNCACHED_FILTER: u8 = u8::MAX;
/// The maximum number of instructions inserted for one; all of them use fuel.
pub(crate) const MAX_ADDED_INSTRUCTIONS: u64 = 2;

/// A compiled template.
pub(crate) struct Metered<'t> {
    instructions: Instructions<'t>,
    blocks: BTreeMap<&'t str, Instructions<'t>>,
}

impl<'t> Metered<'t> {
    /// Compiles `tree`, which was parsed from `body`.
    pub(crate) fn compile(body: &'t str, tree: &Stmt<'t>) -> Self {
        let mut generator = CodeGenerator::new(TEMPLATE_NAME, body);
        generator.compile_stmt(tree);
        let (instructions, blocks) = generator.finish();
        Self {
            instructions: metered(&instructions, false),
            blocks: blocks.iter().map(|(name, block)| (*name, metered(block, true))).collect(),
        }
    }

    /// Renders into `text`, including the output before an error.
    pub(crate) fn render<'e>(
        &'e self,
        engine: &'e Environment<'e>,
        escape: AutoEscape,
        values: Value,
        text: &mut String,
    ) -> Result<(), Error>
    where
        't: 'e,
    {
        eval(engine, &self.instructions, values, &self.blocks, &mut make_string_output(text), escape).map(drop)
    }
}

enum Charge {
    Nothing,
    /// A number of bytes known at compile time.
    Bytes(usize),
    /// Depends on this number of operands.
    Operands(Step, usize),
}

impl Charge {
    /// Instructions that run at most once are bounded by the template's size.
    fn of(instruction: &Instruction<'_>, repeated: bool) -> Self {
        match instruction {
            Instruction::EmitRaw(text) if repeated => Self::Bytes(text.len()),
            Instruction::BuildList(Some(count)) | Instruction::BuildTuple(Some(count)) => Self::Bytes(count * ITEM_BYTES + OBJECT_BYTES),
            Instruction::BuildMap(count) | Instruction::BuildKwargs(count) => Self::Bytes((count + 1) * OBJECT_BYTES),
            Instruction::SetAttr(_) | Instruction::Enclose(_) => Self::Bytes(OBJECT_BYTES),
            Instruction::BuildMacro(..) => Self::Bytes(4 * OBJECT_BYTES),
            Instruction::StringConcat => Self::Operands(Step::Concat, 2),
            Instruction::Add => Self::Operands(Step::Add, 2),
            Instruction::Mul => Self::Operands(Step::Repeat, 2),
            Instruction::Slice => Self::Operands(Step::Slice, 4),
            Instruction::UnpackLists(count) | Instruction::MergeKwargs(count) => Self::Operands(Step::Unpack, *count),
            Instruction::Eq
            | Instruction::Ne
            | Instruction::Gt
            | Instruction::Gte
            | Instruction::Lt
            | Instruction::Lte
            | Instruction::In
            | Instruction::CompareAndPreserve(_) => Self::Operands(Step::Compare, 2),
            _ => Self::Nothing,
        }
    }

    /// Instructions inserted before the charged one.
    fn instructions<'t>(&self) -> Vec<Instruction<'t>> {
        let charge = |name, count: usize| Instruction::ApplyFilter(name, u16::try_from(count).ok(), UNCACHED_FILTER);
        match self {
            Self::Nothing | Self::Operands(_, 0) => Vec::new(),
            Self::Bytes(bytes) => {
                vec![Instruction::LoadConst(Value::from(*bytes)), charge(FIXED_CHARGE_FILTER, 1), Instruction::DiscardTop]
            }
            Self::Operands(step, count) => vec![charge(step.filter(), *count), Instruction::UnpackList(*count)],
        }
    }
}

/// The same instructions with their charges, and jumps to where their targets now are. `called` says whether they as a whole
/// can be run more than once.
fn metered<'t>(original: &Instructions<'t>, called: bool) -> Instructions<'t> {
    let all: Vec<&Instruction<'t>> = (0..).map_while(|at| original.get(at)).collect();
    let charges: Vec<Vec<Instruction<'t>>> =
        all.iter().zip(repeated(&all, called)).map(|(instruction, repeated)| Charge::of(instruction, repeated).instructions()).collect();
    let mut offsets = Vec::with_capacity(all.len() + 1);
    let mut offset = 0_u32;
    for charge in &charges {
        offsets.push(offset);
        offset += u32::try_from(charge.len()).unwrap_or(0) + 1;
    }
    offsets.push(offset);
    let moved = |target: u32| offsets.get(target as usize).copied().unwrap_or(target);
    let mut new = Instructions::new(original.name(), original.source());
    for ((at, instruction), charge) in (0_u32..).zip(&all).zip(charges) {
        let (span, line) = (original.get_span(at), original.get_line(at));
        for added in charge {
            put(&mut new, added, span, line);
        }
        let instruction = match instruction {
            Instruction::Iterate(target) => Instruction::Iterate(moved(*target)),
            Instruction::Jump(target) => Instruction::Jump(moved(*target)),
            Instruction::JumpIfFalse(target) => Instruction::JumpIfFalse(moved(*target)),
            Instruction::JumpIfFalseOrPop(target) => Instruction::JumpIfFalseOrPop(moved(*target)),
            Instruction::JumpIfTrueOrPop(target) => Instruction::JumpIfTrueOrPop(moved(*target)),
            Instruction::BuildMacro(name, target, flags) => Instruction::BuildMacro(name, moved(*target), *flags),
            other => (*other).clone(),
        };
        put(&mut new, instruction, span, line);
    }
    new
}

/// The instructions inside loops and macro bodies.
fn repeated(all: &[&Instruction<'_>], called: bool) -> Vec<bool> {
    let mut repeated = vec![called; all.len()];
    for (at, instruction) in all.iter().enumerate() {
        let from = match instruction {
            Instruction::Jump(target) | Instruction::BuildMacro(_, target, _) => *target as usize,
            _ => continue,
        };
        if let Some(body) = repeated.get_mut(from..at) {
            body.fill(true);
        }
    }
    repeated
}

fn put<'t>(new: &mut Instructions<'t>, instruction: Instruction<'t>, span: Option<Span>, line: Option<usize>) {
    match (span, line.and_then(|line| u16::try_from(line).ok())) {
        (Some(span), _) => new.add_with_span(instruction, span),
        (None, Some(line)) => new.add_with_line(instruction, line),
        (None, None) => new.add(instruction),
    };
}
