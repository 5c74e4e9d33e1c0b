//! Bounds what a rendering builds: the engine's fuel counts its steps, not the bytes that a single step can make.
//!
//! Filters and printed values are measured before they run. Operators can't be: what would grow without end by them is
//! refused by [`crate::spread`] before the template is compiled.

use std::cell::Cell;

use minijinja::value::{Rest, ValueKind, ValueOrKwargs};
use minijinja::{Environment, Error, ErrorKind, Output, State, Value, escape_formatter, filters};

use crate::engine::OUTPUT_BYTES;

/// Bytes that the filters and printed values of one rendering may take together, those in captured blocks included.
pub(crate) const WORK_BYTES: usize = 256 * 1024 * 1024;
/// Items of a list that a filter makes.
const ITEMS: usize = 1_000_000;
/// Levels of lists in lists.
const LEVELS: usize = 64;
/// Bytes that an item takes beside its text.
const ITEM_BYTES: usize = 24;
/// What every error of this module begins with.
pub(crate) const MARK: &str = "this would grow too large: ";

thread_local! {
    static LEFT: Cell<usize> = const { Cell::new(WORK_BYTES) };
}

/// Starts a rendering on this thread.
pub(crate) fn start() {
    LEFT.set(WORK_BYTES);
}

/// What an engine does with values beside bounding them.
#[derive(Clone, Copy)]
pub(crate) struct Ways {
    /// What a filter is given for an argument.
    pub(crate) argument: fn(Value) -> Result<Value, Error>,
    /// What a filter gives, from its arguments and what it made.
    pub(crate) result: fn(&'static str, &[Value], Value) -> Value,
    /// Prints a value.
    pub(crate) print: fn(&mut Output<'_>, &mut State<'_, '_>, &Value) -> Result<(), Error>,
}

impl Ways {
    /// Values as they are.
    pub(crate) const PLAIN: Self = Self { argument: Ok, result: |_, _, value| value, print: escape_formatter };
}

/// Puts bounds on an engine's filters and on what it prints.
pub(crate) fn bound(engine: &mut Environment<'static>, ways: Ways) {
    let mut wrap = |name: &'static str, original: Value| {
        engine.add_filter(name, move |state: &mut State, args: Rest<ValueOrKwargs>| {
            let args = args.into_values().into_iter().map(ways.argument).collect::<Result<Vec<_>, _>>()?;
            charge(name, need(name, &args)?)?;
            Ok((ways.result)(name, &args, original.call(state, &args)?))
        });
    };
    macro_rules! wrap {
        ($($name:ident)*) => { $(wrap(stringify!($name), Value::from_function(filters::$name));)* };
    }
    wrap!(batch capitalize chain dictsort escape format groupby indent join lines list lower map max min pprint reject);
    wrap!(rejectattr replace reverse select selectattr slice sort split string sum title tojson trim unique upper zip);
    wrap("e", Value::from_function(filters::escape));
    let debug = Value::from_function(minijinja::functions::debug);
    engine.add_function("debug", move |state: &mut State, args: Rest<ValueOrKwargs>| {
        let args = args.into_values();
        for arg in &args {
            charge("debug", measure("debug", arg)?.pretty(4))?;
        }
        debug.call(state, &args)
    });
    engine.set_formatter(move |out, state, value| {
        charge("print", measure("print", value)?.bytes)?;
        (ways.print)(out, state, value)
    });
}

/// Refuses what is too large by itself or together with what came before.
pub(crate) fn charge(name: &str, bytes: usize) -> Result<(), Error> {
    let left = LEFT.get();
    if bytes > OUTPUT_BYTES {
        return Err(too_large(name, &format!("more than {OUTPUT_BYTES} bytes")));
    }
    if bytes > left {
        return Err(too_large(name, &format!("more than {WORK_BYTES} bytes in one rendering")));
    }
    LEFT.set(left - bytes);
    Ok(())
}

fn too_large(name: &str, what: &str) -> Error {
    Error::new(ErrorKind::InvalidOperation, format!("{MARK}`{name}` would take {what}"))
}

/// How large a value's text is.
#[derive(Default)]
struct Size {
    bytes: usize,
    nodes: usize,
    levels: usize,
}

impl Size {
    /// Written with a line for each item.
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
    if level > LEVELS {
        return Err(too_large(name, &format!("more than {LEVELS} levels of lists")));
    }
    match value.kind() {
        ValueKind::String => size.bytes += value.as_str().map_or(0, str::len) + 2,
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
    if size.bytes > OUTPUT_BYTES { Err(too_large(name, &format!("more than {OUTPUT_BYTES} bytes"))) } else { Ok(()) }
}

/// The bytes that a filter can make of its arguments, at most.
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
        "tojson" => Ok(measure(name, value)?.pretty(number(rest, "indent").unwrap_or(2))),
        "pprint" => Ok(measure(name, value)?.pretty(4)),
        "string" | "escape" | "e" if value.as_str().is_none() => Ok(measure(name, value)?.bytes),
        "sum" => {
            let size = measure(name, value)?;
            // Texts are added one by one, each time to a copy of the whole.
            let numbers = rest.iter().all(|arg| arg.is_kwargs() && arg.get_attr("start").is_ok_and(|start| start.is_undefined()));
            Ok(if numbers { size.bytes } else { items(name, value)?.saturating_mul(size.bytes) })
        }
        "batch" | "slice" => {
            let count = rest.first().and_then(Value::as_usize).unwrap_or(0);
            within(name, items(name, value)?.saturating_add(count)).map(|count| count * ITEM_BYTES / 2)
        }
        "chain" | "zip" => {
            let all = args.iter().try_fold(0usize, |sum, arg| Ok::<_, Error>(sum.saturating_add(items(name, arg)?)))?;
            within(name, all).map(|count| count * ITEM_BYTES / 2)
        }
        "split" | "lines" => Ok(value.as_str().map_or(0, |text| text.len().saturating_mul(ITEM_BYTES) / 16)),
        _ => match value.as_str() {
            Some(text) => Ok(text.len()),
            None => within(name, items(name, value)?).map(|count| count * ITEM_BYTES / 2),
        },
    }
}

/// Each mark of a format can print all values, and as wide as any number in it.
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

/// The largest number among some arguments, by place or by name.
fn number(args: &[Value], name: &str) -> Option<usize> {
    args.iter().filter_map(|arg| arg.as_usize().or_else(|| arg.get_attr(name).ok()?.as_usize())).max()
}

/// How many items a value has; one more than allowed stands for any number above.
fn items(name: &str, value: &Value) -> Result<usize, Error> {
    let count = match value.kind() {
        ValueKind::Seq | ValueKind::Iterable | ValueKind::Map => match value.len() {
            Some(count) => count,
            None => value.try_iter().map_or(0, |items| items.take(ITEMS + 1).count()),
        },
        ValueKind::String => value.as_str().map_or(0, str::len),
        _ => 0,
    };
    within(name, count)
}

fn within(name: &str, count: usize) -> Result<usize, Error> {
    if count > ITEMS { Err(too_large(name, &format!("more than {ITEMS} items"))) } else { Ok(count) }
}
