//! Limits what a rendering creates and reads: the engine's fuel counts its steps, not the bytes of a single step.
//!
//! Filters, tests, functions and printed values are measured before they run, operators and literal text by calls
//! that [`crate::metered`] inserts before them. A value that would contain itself is refused by [`crate::expansion`] before the template
//! is compiled.

use std::cell::Cell;

use minijinja::value::{Rest, ValueKind, ValueOrKwargs};
use minijinja::{Environment, Error, ErrorKind, Output, State, Value, escape_formatter, filters, functions, tests};

use crate::engine::OUTPUT_BYTES;

const MIB: usize = 1024 * 1024;
/// Maximum bytes that one rendering may create, including temporary values.
pub(crate) const MAX_WORK_BYTES: usize = 64 * MIB;
/// Maximum bytes that its comparisons and tests may read.
const MAX_READ_BYTES: usize = 1024 * MIB;
/// Maximum items of a list that a filter creates.
const MAX_ITEMS: usize = 1_000_000;
/// Maximum nesting of lists.
const MAX_LEVELS: usize = 64;
/// Bytes of an item besides its text.
pub(crate) const ITEM_BYTES: usize = 24;
/// Upper bound for the bytes of a value, map entry or field besides its content.
pub(crate) const OBJECT_BYTES: usize = 128;
/// Maximum bytes of an escaped character.
const ESCAPED_BYTES: usize = 6;
pub(crate) const TOO_LARGE_PREFIX: &str = "output too large: ";

thread_local! {
    static REMAINING_WORK: Cell<usize> = const { Cell::new(MAX_WORK_BYTES) };
    static REMAINING_READ: Cell<usize> = const { Cell::new(MAX_READ_BYTES) };
}

/// Starts a rendering on this thread.
pub(crate) fn start() {
    REMAINING_WORK.set(MAX_WORK_BYTES);
    REMAINING_READ.set(MAX_READ_BYTES);
}

/// Filter that charges a number of bytes. Templates can't use this name.
pub(crate) const FIXED_CHARGE_FILTER: &str = "\0";

/// An operation that is charged by its operands.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Step {
    /// `~`
    Concat,
    /// `+`
    Add,
    /// `*`
    Repeat,
    /// `[start:stop:step]`
    Slice,
    /// Lists as arguments of a call.
    Unpack,
    /// `==`, `<`, `in` and similar.
    Compare,
}

impl Step {
    const ALL: [Self; 6] = [Self::Concat, Self::Add, Self::Repeat, Self::Slice, Self::Unpack, Self::Compare];

    /// The filter that charges this operation and returns its operands, the last one first.
    pub(crate) const fn filter(self) -> &'static str {
        match self {
            Self::Concat => "\0~",
            Self::Add => "\0+",
            Self::Repeat => "\0*",
            Self::Slice => "\0[]",
            Self::Unpack => "\0()",
            Self::Compare => "\0==",
        }
    }

    /// The name in messages.
    const fn name(self) -> &'static str {
        match self {
            Self::Concat => "~",
            Self::Add => "+",
            Self::Repeat => "*",
            Self::Slice => "[:]",
            Self::Unpack => "*args",
            Self::Compare => "compare",
        }
    }

    fn charge(self, operands: &mut Vec<Value>) -> Result<(), Error> {
        let name = self.name();
        let bytes = match (self, operands.as_slice()) {
            (Self::Concat, operands) => {
                operands.iter().try_fold(0_usize, |sum, value| Ok::<_, Error>(sum.saturating_add(measure(name, value)?.bytes)))?
            }
            (Self::Add, [left, right]) => match (left.as_str(), right.as_str()) {
                (Some(left), Some(right)) => left.len().saturating_add(right.len()),
                _ if !(is_list(left) && is_list(right)) => return Ok(()),
                _ => {
                    let count = items(name, left)?.saturating_add(items(name, right)?);
                    // The engine joins lists without copying, except for every 32nd time.
                    let copied = left.kind() == ValueKind::Seq && right.kind() == ValueKind::Seq;
                    if copied { count * ITEM_BYTES } else { count * ITEM_BYTES / 16 }
                }
            },
            (Self::Repeat, [left, right]) => {
                let (value, count) = if left.is_number() { (right, left) } else { (left, right) };
                let Some(count) = count.as_usize() else { return Ok(()) };
                match value.as_str() {
                    Some(text) => text.len().saturating_mul(count),
                    None if is_list(value) => items(name, value)?.saturating_mul(count).saturating_mul(ITEM_BYTES),
                    None => return Ok(()),
                }
            }
            (Self::Slice, _) => slice_bytes(name, operands)?,
            (Self::Unpack, lists) => lists
                .iter()
                .try_fold(0_usize, |sum, list| Ok::<_, Error>(sum.saturating_add(items(name, list)?.saturating_mul(OBJECT_BYTES))))?,
            (Self::Compare, values) => return read(name, values),
            _ => 0,
        };
        charge(name, bytes.saturating_add(OBJECT_BYTES / 2))
    }
}

fn is_list(value: &Value) -> bool {
    matches!(value.kind(), ValueKind::Seq | ValueKind::Iterable)
}

/// The bytes that a slice copies. With a negative step the engine doesn't check its bounds, so an empty slice becomes
/// `[0:0:1]`.
fn slice_bytes(name: &str, operands: &mut Vec<Value>) -> Result<usize, Error> {
    let [value, start, end, stride] = operands.as_mut_slice() else { return Ok(0) };
    let text = value.as_str().map(|text| (text.len(), text.chars().count()));
    let count = match text {
        Some((_, count)) => count,
        None if is_list(value) => items(name, value)?,
        None => return Ok(0),
    };
    if let Some(backwards) = stride.as_i64().filter(|stride| *stride < 0) {
        let from_end = |bound: i64| usize::try_from(i64::try_from(count).unwrap_or(i64::MAX).saturating_add(bound)).unwrap_or(0);
        let index = |bound: i64| usize::try_from(bound).unwrap_or_else(|_| from_end(bound));
        let first = start.as_i64().map_or(count, index).min(count.saturating_sub(1));
        let last = end.as_i64().map_or(0, index);
        if count == 0 || last > first {
            (*start, *end, *stride) = (Value::from(0), Value::from(0), Value::from(1));
        } else {
            *stride = Value::from(backwards.max(-i64::MAX));
        }
    }
    Ok(match text {
        Some((bytes, count)) if stride.as_i64().is_some_and(|stride| stride < 0) => {
            bytes.saturating_add(count.saturating_mul(size_of::<char>()))
        }
        Some((bytes, _)) => bytes,
        None => count.saturating_mul(ITEM_BYTES),
    })
}

/// Charges the bytes that comparing or testing values may read.
fn read(name: &str, values: &[Value]) -> Result<(), Error> {
    let bytes = values.iter().try_fold(0_usize, |sum, value| match value.as_str() {
        Some(text) => Ok::<_, Error>(sum.saturating_add(text.len())),
        None => Ok(sum.saturating_add(measure(name, value)?.bytes)),
    })?;
    match REMAINING_READ.get().checked_sub(bytes) {
        Some(left) => {
            REMAINING_READ.set(left);
            Ok(())
        }
        None => Err(too_large(name, &format!("reading more than {} MiB in one rendering", MAX_READ_BYTES / MIB))),
    }
}

#[derive(Clone, Copy)]
pub(crate) struct FilterHooks {
    /// Maps an argument before the filter.
    pub(crate) argument: fn(Value) -> Result<Value, Error>,
    /// Maps the result of a filter, given its arguments.
    pub(crate) result: fn(&'static str, &[Value], Value) -> Value,
    pub(crate) print: fn(&mut Output<'_>, &mut State<'_, '_>, &Value) -> Result<(), Error>,
}

impl FilterHooks {
    /// Leaves values unchanged.
    pub(crate) const PLAIN: Self = Self { argument: Ok, result: |_, _, value| value, print: escape_formatter };
}

/// Limits an engine's filters and its output.
pub(crate) fn bound(engine: &mut Environment<'static>, hooks: FilterHooks) {
    let mut wrap = |name: &'static str, original: Value| {
        engine.add_filter(name, move |state: &mut State, args: Rest<ValueOrKwargs>| {
            let args = args.into_values().into_iter().map(hooks.argument).collect::<Result<Vec<_>, _>>()?;
            charge(name, need(name, &args)?.saturating_add(OBJECT_BYTES / 2))?;
            Ok((hooks.result)(name, &args, original.call(state, &args)?))
        });
    };
    macro_rules! wrap {
        ($($name:ident)*) => { $(wrap(stringify!($name), Value::from_function(filters::$name));)* };
    }
    wrap!(batch capitalize chain dictsort escape format groupby indent items join lines list lower map max min pprint reject);
    wrap!(rejectattr replace reverse select selectattr slice sort split string sum title tojson trim unique upper zip);
    wrap("e", Value::from_function(filters::escape));
    bound_reading(engine);
    engine.add_filter(FIXED_CHARGE_FILTER, |bytes: usize| charge("template", bytes));
    for step in Step::ALL {
        engine.add_filter(step.filter(), move |operands: Rest<Value>| {
            let mut operands = operands.0;
            step.charge(&mut operands)?;
            operands.reverse();
            Ok::<_, Error>(operands)
        });
    }
    let makers = [("dict", Value::from_function(functions::dict)), ("namespace", Value::from_function(functions::namespace))];
    for (name, function) in makers {
        engine.add_function(name, move |state: &mut State, args: Rest<ValueOrKwargs>| {
            let args = args.into_values();
            let count = args.iter().try_fold(1_usize, |sum, arg| Ok::<_, Error>(sum.saturating_add(items(name, arg)?)))?;
            charge(name, count.saturating_mul(OBJECT_BYTES))?;
            function.call(state, &args)
        });
    }
    let debug = Value::from_function(functions::debug);
    engine.add_function("debug", move |state: &mut State, args: Rest<ValueOrKwargs>| {
        let args = args.into_values();
        for arg in &args {
            charge("debug", measure("debug", arg)?.pretty(4))?;
        }
        debug.call(state, &args)
    });
    engine.set_formatter(move |out, state, value| {
        charge("print", measure("print", value)?.bytes)?;
        (hooks.print)(out, state, value)
    });
}

/// Charges a filter that the script engine replaces.
pub(crate) fn charge_call(name: &str, args: &[Value]) -> Result<(), Error> {
    match (name, args.first()) {
        ("escape" | "e", _) => charge(name, need(name, args)?),
        ("count" | "length" | "float" | "int", Some(value)) if value.as_str().is_some() => read(name, std::slice::from_ref(value)),
        _ => Ok(()),
    }
}

/// Limits what only reads values.
fn bound_reading(engine: &mut Environment<'static>) {
    let length = Value::from_function(filters::length);
    for (name, original) in [
        ("count", length.clone()),
        ("length", length),
        ("float", Value::from_function(filters::float)),
        ("int", Value::from_function(filters::int)),
    ] {
        engine.add_filter(name, move |state: &mut State, args: Rest<ValueOrKwargs>| {
            let args = args.into_values();
            charge_call(name, &args)?;
            original.call(state, &args)
        });
    }
    let (eq, ne) = (Value::from_function(tests::is_eq), Value::from_function(tests::is_ne));
    let (lt, le) = (Value::from_function(tests::is_lt), Value::from_function(tests::is_le));
    let (gt, ge) = (Value::from_function(tests::is_gt), Value::from_function(tests::is_ge));
    let all = [
        (["eq", "equalto", "=="].as_slice(), eq),
        (&["ne", "!="], ne),
        (&["lt", "lessthan", "<"], lt),
        (&["le", "<="], le),
        (&["gt", "greaterthan", ">"], gt),
        (&["ge", ">="], ge),
        (&["in"], Value::from_function(tests::is_in)),
        (&["startingwith"], Value::from_function(tests::is_startingwith)),
        (&["endingwith"], Value::from_function(tests::is_endingwith)),
        (&["lower"], Value::from_function(tests::is_lower)),
        (&["upper"], Value::from_function(tests::is_upper)),
    ];
    for (names, original) in all {
        for name in names {
            let original = original.clone();
            engine.add_test(*name, move |state: &mut State, args: Rest<ValueOrKwargs>| {
                let args = args.into_values();
                read(name, &args)?;
                original.call(state, &args).map(|result| result.is_true())
            });
        }
    }
}

/// Refuses a value that exceeds a limit by itself or together with the previous ones.
pub(crate) fn charge(name: &str, bytes: usize) -> Result<(), Error> {
    let left = REMAINING_WORK.get();
    if bytes > OUTPUT_BYTES {
        return Err(too_large(name, &format!("more than {} MiB", OUTPUT_BYTES / MIB)));
    }
    if bytes > left {
        return Err(too_large(name, &format!("more than {} MiB in one rendering", MAX_WORK_BYTES / MIB)));
    }
    REMAINING_WORK.set(left - bytes);
    Ok(())
}

fn too_large(name: &str, what: &str) -> Error {
    Error::new(ErrorKind::InvalidOperation, format!("{TOO_LARGE_PREFIX}`{name}` needs {what}"))
}

/// The length of a value's text.
#[derive(Default)]
struct Size {
    bytes: usize,
    nodes: usize,
    levels: usize,
}

impl Size {
    /// Pretty-printed, with a line for each item.
    fn pretty(&self, indent: usize) -> usize {
        self.nodes.saturating_mul(indent.saturating_mul(self.levels + 1)).saturating_add(self.bytes)
    }
}

fn measure(name: &str, value: &Value) -> Result<Size, Error> {
    let mut size = Size::default();
    add(name, value, 0, &mut size)?;
    Ok(size)
}

fn add(name: &str, value: &Value, level: usize, size: &mut Size) -> Result<(), Error> {
    size.nodes += 1;
    size.levels = size.levels.max(level);
    if level > MAX_LEVELS {
        return Err(too_large(name, &format!("more than {MAX_LEVELS} levels of lists")));
    }
    match value.kind() {
        ValueKind::String => {
            let text = value.as_str().unwrap_or_default();
            // Strings in a list are quoted.
            size.bytes += if level == 0 { text.len() } else { quoted(text) };
        }
        ValueKind::Bytes => size.bytes += value.as_bytes().map_or(0, <[u8]>::len).saturating_mul(4),
        ValueKind::Seq | ValueKind::Iterable | ValueKind::Map => {
            size.bytes += 2;
            let map = value.kind() == ValueKind::Map;
            for item in value.try_iter().into_iter().flatten() {
                add(name, &item, level + 1, size)?;
                if map && let Ok(value) = value.get_item(&item) {
                    add(name, &value, level + 1, size)?;
                }
                size.bytes += 2;
                if size.bytes > OUTPUT_BYTES {
                    break;
                }
            }
        }
        ValueKind::Number => size.bytes += 8,
        _ => size.bytes += 4,
    }
    if size.bytes > OUTPUT_BYTES { Err(too_large(name, &format!("more than {} MiB", OUTPUT_BYTES / MIB))) } else { Ok(()) }
}

/// The length of a string with quotes and escapes.
fn quoted(text: &str) -> usize {
    let special = text.chars().filter(|ch| !matches!(ch, ' '..='~') || matches!(ch, '"' | '\'' | '\\' | '<' | '>' | '&'));
    special.count().saturating_mul(ESCAPED_BYTES - 1).saturating_add(text.len() + 2)
}

/// An upper bound for the bytes that a filter creates from its arguments.
fn need(name: &str, args: &[Value]) -> Result<usize, Error> {
    let Some(value) = args.first() else { return Ok(0) };
    let rest = args.get(1..).unwrap_or_default();
    match name {
        "format" => format_bytes(value, rest),
        "indent" => {
            let text = value.as_str().unwrap_or_default();
            let lines = text.split('\n').count();
            Ok(number(rest, "width").unwrap_or(4).saturating_mul(lines + 1).saturating_add(text.len()))
        }
        "replace" => {
            let size = measure(name, value)?.bytes;
            let with = rest.get(1).map_or(Ok(0), |with| Ok::<_, Error>(measure(name, with)?.bytes))?;
            let places = match (value.as_str(), rest.first().and_then(Value::as_str)) {
                (Some(text), Some(from)) => text.matches(from).count(),
                _ => size,
            };
            Ok(places.saturating_mul(with).saturating_add(size))
        }
        "join" => {
            let joiner = rest.iter().try_fold(0, |sum, arg| Ok::<_, Error>(sum + measure(name, arg)?.bytes))?;
            Ok(items(name, value)?.saturating_mul(joiner).saturating_add(measure(name, value)?.bytes))
        }
        "escape" | "e" | "tojson" | "pprint" if let Some(text) = value.as_str() => Ok(quoted(text)),
        "upper" | "lower" | "title" | "capitalize" => Ok(measure(name, value)?.bytes.saturating_mul(2)),
        "tojson" => Ok(measure(name, value)?.pretty(number(rest, "indent").unwrap_or(2))),
        "pprint" => Ok(measure(name, value)?.pretty(4)),
        "string" | "escape" | "e" if value.as_str().is_none() => Ok(measure(name, value)?.bytes),
        "sum" => {
            let size = measure(name, value)?;
            // Strings are added one by one, each time to a copy of the whole.
            let numbers = rest.iter().all(|arg| arg.is_kwargs() && arg.get_attr("start").is_ok_and(|start| start.is_undefined()));
            Ok(if numbers { size.bytes } else { items(name, value)?.saturating_mul(size.bytes) })
        }
        "batch" | "slice" => {
            let count = rest.first().and_then(Value::as_usize).unwrap_or(0);
            within(name, items(name, value)?.saturating_add(count)).map(|count| count * OBJECT_BYTES)
        }
        "chain" | "zip" => {
            let all = args.iter().try_fold(0usize, |sum, arg| Ok::<_, Error>(sum.saturating_add(items(name, arg)?)))?;
            within(name, all).map(|count| count * OBJECT_BYTES)
        }
        "split" | "lines" => Ok(value.as_str().map_or(0, |text| split_bytes(name, text, rest))),
        "dictsort" | "groupby" | "items" => within(name, items(name, value)?).map(|count| count * OBJECT_BYTES),
        _ => match value.as_str() {
            Some(text) if matches!(name, "reverse" | "string" | "trim") => Ok(text.len()),
            Some(text) => within(name, text.chars().count()).map(|count| count * ITEM_BYTES),
            // Items that are created one by one are copied as well.
            None if value.kind() == ValueKind::Iterable => Ok(measure(name, value)?.bytes.saturating_add(items(name, value)? * ITEM_BYTES)),
            None => within(name, items(name, value)?).map(|count| count * ITEM_BYTES),
        },
    }
}

/// A list of the parts of a string: the string again, and an item for each part.
fn split_bytes(name: &str, text: &str, rest: &[Value]) -> usize {
    let parts = match rest.first().and_then(Value::as_str) {
        Some(separator) => text.matches(separator).count(),
        None if name == "lines" => text.matches('\n').count(),
        None => text.split_whitespace().count(),
    };
    parts.saturating_add(1).saturating_mul(ITEM_BYTES).saturating_add(text.len().saturating_mul(2))
}

/// Each placeholder of a format string can print all values, padded to any number in the format.
fn format_bytes(value: &Value, rest: &[Value]) -> Result<usize, Error> {
    let text = value.as_str().unwrap_or_default();
    let digits = text.split(|ch: char| !ch.is_ascii_digit()).filter(|run| !run.is_empty());
    let mut wide = digits.map(|run| run.parse::<usize>().unwrap_or(usize::MAX)).fold(0, usize::saturating_add).saturating_mul(4);
    let mut values = 0usize;
    for arg in rest {
        values = values.saturating_add(measure("format", arg)?.bytes);
        if text.contains('*') {
            wide = wide.saturating_add(arg.as_i64().map_or(0, |count| usize::try_from(count.unsigned_abs()).unwrap_or(usize::MAX)));
        }
    }
    Ok(text.matches('%').count().saturating_mul(values).saturating_add(wide).saturating_add(text.len()))
}

/// The largest number among the arguments, positional or named.
fn number(args: &[Value], name: &str) -> Option<usize> {
    args.iter().filter_map(|arg| arg.as_usize().or_else(|| arg.get_attr(name).ok()?.as_usize())).max()
}

/// Number of items, at most one more than the limit.
fn items(name: &str, value: &Value) -> Result<usize, Error> {
    let count = match value.kind() {
        ValueKind::Seq | ValueKind::Iterable | ValueKind::Map => match value.len() {
            Some(count) => count,
            None => value.try_iter().map_or(0, |items| items.take(MAX_ITEMS + 1).count()),
        },
        ValueKind::String => value.as_str().map_or(0, str::len),
        _ => 0,
    };
    within(name, count)
}

fn within(name: &str, count: usize) -> Result<usize, Error> {
    if count > MAX_ITEMS { Err(too_large(name, &format!("more than {MAX_ITEMS} items"))) } else { Ok(count) }
}
