//! Scripts: templates whose text is Python. A value can never become code in one.
//!
//! While the template is rendered, every printed value is replaced by a placeholder, an unguessable name. Then the
//! script is parsed as Python, and each placeholder is replaced according to its position: alone in an expression it becomes a literal, in a
//! plain string the escaped text; anywhere else the rendering is refused. Text of the template itself is code, also if it
//! comes from a macro or a `{% set %}` block: the placeholders in it stay placeholders. The validator runs the same check on unsaved text.
//!
//! - A filter sees values, and captured text with its values in it; its result is a value.
//! - `tojson` makes a value whose text is JSON: alone it is the value's literal, in quotes it is the JSON text.
//! - `safe` changes nothing. Printing nothing (an `if` without `else`) gives `None` alone, and an empty string in quotes.
//! - Captured text is compared with its placeholders: `{% if captured == "x" %}` is only true for text without values.

mod lexer;
mod lines;
mod literal;
mod misplaced;
mod outline;
mod params;
mod parse;
mod placeholders;
mod slots;
mod stand_in;
mod syntax;
mod tags;

use std::cell::RefCell;
use std::collections::HashMap;
use std::fmt;
use std::sync::Arc;

use minijinja::value::{Object, ObjectRepr, Rest, ValueOrKwargs};
use minijinja::{AutoEscape, Environment, Error, ErrorKind, HtmlEscape, Output, State, Value, filters};

pub use lines::LineMap;
pub use misplaced::Misplaced;
pub use outline::{Import, Outline, Use};
pub use stand_in::StandIn;

use crate::engine::{OUTPUT_BYTES, PromptEngine};
use crate::error::{Problem, PromptEngineError};
use crate::output_limit::{self, FilterHooks};
use placeholders::{Placeholder, Placeholders};
use slots::Slot;

/// Maximum bytes of a script, with placeholders for its values: the text that is parsed as Python.
pub const SCRIPT_BYTES: usize = 4 * 1024 * 1024;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RenderedScript {
    /// The Python source.
    pub source: String,
    /// The template's line of each line.
    pub lines: LineMap,
}

pub(crate) const FILTER_HOOKS: FilterHooks = FilterHooks { argument: seen, result: made, print };

thread_local! {
    static CURRENT: RefCell<Option<Rendering>> = const { RefCell::new(None) };
}

/// State of the rendering on this thread.
struct Rendering {
    placeholders: Placeholders,
    /// Index of the value at which to stop.
    stop_at: Option<usize>,
}

impl PromptEngine {
    /// Renders a script, a template of Python with values in it. Syntax errors in the Python aren't errors here,
    /// unless they make the position of a value ambiguous.
    pub fn render_script(&self, template: &str, context: &HashMap<String, serde_json::Value>) -> Result<RenderedScript, PromptEngineError> {
        let (text, placeholders) =
            self.render_placeholders(template, context, Rendering { placeholders: Placeholders::new(), stop_at: None })?;
        if text.len() > SCRIPT_BYTES {
            return Err(PromptEngineError::whole(Problem::OutputTooLong(SCRIPT_BYTES)));
        }
        if placeholders.torn(&text) {
            return Err(PromptEngineError::whole(Problem::Misplaced(Misplaced::Unsure)));
        }
        let found = placeholders.find(&text);
        let spans: Vec<_> = found.iter().map(|(range, _)| range.clone()).collect();
        let mut source = String::with_capacity(text.len());
        let mut done = 0;
        for ((range, placeholder), slot) in found.iter().zip(slots::slots(&text, &spans)) {
            let Placeholder::Value(index) = placeholder else { continue };
            source.push_str(&text[done..range.start]);
            done = range.end;
            let filled = slot.map_err(Problem::Misplaced).and_then(|slot| fill(&mut source, slot, &placeholders, *index));
            if let Err(problem) = filled {
                return Err(self.refused(template, context, &placeholders, *index, problem));
            }
            if source.len() > OUTPUT_BYTES {
                return Err(PromptEngineError::whole(Problem::OutputTooLong(OUTPUT_BYTES)));
            }
        }
        source.push_str(&text[done..]);
        let lines = self.line_map(template, context, &text, &placeholders);
        Ok(RenderedScript { source, lines })
    }

    /// The rendered template with a placeholder for each value.
    fn render_placeholders(
        &self,
        template: &str,
        context: &HashMap<String, serde_json::Value>,
        rendering: Rendering,
    ) -> Result<(String, Placeholders), PromptEngineError> {
        let before = CURRENT.replace(Some(rendering));
        let text = self.render_with(self.scripts(), escape(), template, context);
        let after = CURRENT.replace(before);
        let placeholders = after.map_or_else(Placeholders::new, |rendering| rendering.placeholders);
        text.map(|text| (text, placeholders))
    }

    /// The error for a value. The engine reports the position in the template only while it prints the value, so the
    /// template is rendered again up to that value.
    fn refused(
        &self,
        template: &str,
        context: &HashMap<String, serde_json::Value>,
        placeholders: &Placeholders,
        index: usize,
        problem: Problem,
    ) -> PromptEngineError {
        let again = self.render_placeholders(template, context, Rendering { placeholders: placeholders.again(), stop_at: Some(index) });
        PromptEngineError { problem, span: again.err().and_then(|error| error.span) }
    }

    fn line_map(&self, template: &str, context: &HashMap<String, serde_json::Value>, text: &str, placeholders: &Placeholders) -> LineMap {
        let Ok((body, _)) = self.readable(template) else { return LineMap::default() };
        let Some(noted) = lines::noted(body, &self.syntax, placeholders) else { return LineMap::default() };
        // The line notes make the template longer. If it exceeds a limit with them, lines aren't mapped.
        let again = self.render_placeholders(&noted, context, Rendering { placeholders: placeholders.again(), stop_at: None });
        again.ok().and_then(|(noted, placeholders)| lines::read(&noted, &placeholders, text)).unwrap_or_default()
    }
}

fn fill(source: &mut String, slot: Slot, placeholders: &Placeholders, index: usize) -> Result<(), Problem> {
    let Some(value) = placeholders.get(index) else { return Err(Problem::EngineFault) };
    match slot {
        Slot::Text { quote, after_octal } => {
            let mut rest = value.text.as_str();
            if after_octal && let Some(digit) = rest.chars().next().filter(|ch| matches!(ch, '0'..='7')) {
                literal::escaped(source, digit);
                rest = &rest[1..];
            }
            literal::text(source, rest, quote);
        }
        Slot::Literal { wrapped } => match &value.literal {
            None => {
                source.push('"');
                literal::text(source, &value.text, '"');
                source.push('"');
            }
            Some(Ok(literal)) if literal.starts_with('-') || (wrapped && !literal.starts_with(['(', 'N', 'T', 'F'])) => {
                source.push('(');
                source.push_str(literal);
                source.push(')');
            }
            Some(Ok(literal)) => source.push_str(literal),
            Some(Err(reason)) => return Err(Problem::NoLiteral(reason.clone())),
        },
    }
    Ok(())
}

/// Prints captured text unchanged, since it is template text with placeholders, and any other value as a placeholder.
fn print(out: &mut Output<'_>, _: &mut State<'_, '_>, value: &Value) -> Result<(), Error> {
    if value.is_safe() {
        return out.write_str(value.as_str().unwrap_or_default()).map_err(Error::from);
    }
    let placeholder = CURRENT.with_borrow_mut(|current| {
        let rendering = current.as_mut()?;
        (rendering.stop_at != Some(rendering.placeholders.len())).then(|| rendering.placeholders.issue(value))
    });
    match placeholder {
        Some(placeholder) => out.write_str(&placeholder?).map_err(Error::from),
        None => Err(Error::new(ErrorKind::InvalidOperation, "a value isn't allowed here")),
    }
}

/// A filter sees text with its values inserted.
fn seen(value: Value) -> Result<Value, Error> {
    if let Some(json) = value.downcast_object_ref::<Json>() {
        return Ok(Value::from(json.text.as_str()));
    }
    let Some(text) = value.as_str() else { return Ok(value) };
    let expanded = CURRENT.with_borrow(|current| current.as_ref().map_or(Ok(None), |current| current.placeholders.expand(text)))?;
    Ok(match expanded {
        Some(text) => Value::from(text),
        None if value.is_safe() => Value::from(text),
        None => value,
    })
}

/// The result of a filter is a value, never template text.
fn made(name: &'static str, args: &[Value], value: Value) -> Value {
    match (name, args.first(), value.as_str()) {
        ("tojson", Some(of), Some(text)) => Value::from_object(Json { value: of.clone(), text: text.to_owned() }),
        (_, _, Some(text)) if value.is_safe() => Value::from(text),
        _ => value,
    }
}

/// Marker of captured template text.
fn escape() -> AutoEscape {
    AutoEscape::Custom("python".into())
}

/// Configures the engine of scripts: captured text is recognized, and no filter turns a value into captured text.
pub(crate) fn adapt(engine: &mut Environment<'static>) {
    engine.set_auto_escape_callback(|_| escape());
    let mut wrap = |name: &'static str, original: Value| {
        engine.add_filter(name, move |state: &mut State, args: Rest<ValueOrKwargs>| {
            let args = args.into_values().into_iter().map(seen).collect::<Result<Vec<_>, _>>()?;
            output_limit::charge_call(name, &args)?;
            Ok::<_, Error>(made(name, &args, original.call(state, &args)?))
        });
    };
    wrap("bool", Value::from_function(filters::bool));
    wrap("count", Value::from_function(filters::length));
    wrap("first", Value::from_function(filters::first));
    wrap("float", Value::from_function(filters::float));
    wrap("int", Value::from_function(filters::int));
    wrap("last", Value::from_function(filters::last));
    wrap("length", Value::from_function(filters::length));
    wrap("safe", Value::from_function(|value: Value| value));
    let escape = |value: Value| Value::from(HtmlEscape(&value.to_string()).to_string());
    wrap("escape", Value::from_function(escape));
    wrap("e", Value::from_function(escape));
}

/// A value together with its JSON.
#[derive(Debug)]
struct Json {
    value: Value,
    text: String,
}

impl Object for Json {
    fn repr(self: &Arc<Self>) -> ObjectRepr {
        ObjectRepr::Plain
    }

    fn render(self: &Arc<Self>, f: &mut fmt::Formatter<'_>) -> fmt::Result
    where
        Self: Sized + 'static,
    {
        f.write_str(&self.text)
    }
}
