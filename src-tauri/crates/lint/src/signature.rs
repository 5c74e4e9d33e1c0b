//! DSPy signatures: `question, context: list[str] -> answer: str`.

use std::collections::BTreeSet;
use std::ops::Range;

/// An input or output.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Field {
    /// A Python identifier.
    pub name: String,
    /// Type as written [default: `str`].
    pub kind: String,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Signature {
    pub inputs: Vec<Field>,
    pub outputs: Vec<Field>,
}

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Fault {
    /// No `->`, or more than one.
    #[error("a signature needs exactly one `->` between inputs and outputs")]
    Arrow,
    /// A side without fields.
    #[error("the signature has no {0}")]
    Side(&'static str),
    /// Nothing between two commas.
    #[error("a field of the signature has no name")]
    NoName,
    /// Not a Python identifier.
    #[error("{0:?} isn't a valid field name: use letters, digits and underscores")]
    Name(String),
    #[error("duplicate field {0:?}")]
    Twice(String),
    #[error("unknown type {0:?}")]
    Type(String),
    /// An unmatched bracket.
    #[error("unclosed bracket in the type of {0:?}")]
    Bracket(String),
}

pub const TYPES: &[&str] = &[
    "str", "int", "float", "bool", "list", "dict", "tuple", "set", "None", "Any", "Optional", "Union", "Literal", "List", "Dict", "Tuple",
    "Set", "date", "datetime",
];

/// Python keywords.
const KEYWORDS: [&str; 35] = [
    "False", "None", "True", "and", "as", "assert", "async", "await", "break", "class", "continue", "def", "del", "elif", "else", "except",
    "finally", "for", "from", "global", "if", "import", "in", "is", "lambda", "nonlocal", "not", "or", "pass", "raise", "return", "try",
    "while", "with", "yield",
];

/// The error has its byte range in `text`.
pub fn parse(text: &str) -> Result<Signature, (Fault, Range<usize>)> {
    let Some(arrow) = text.find("->") else { return Err((Fault::Arrow, 0..text.len())) };
    if let Some(second) = text[arrow + 2..].find("->") {
        let at = arrow + 2 + second;
        return Err((Fault::Arrow, at..at + 2));
    }
    let mut seen = BTreeSet::new();
    let inputs = side(text, 0..arrow, "inputs", &mut seen)?;
    let outputs = side(text, arrow + 2..text.len(), "outputs", &mut seen)?;
    Ok(Signature { inputs, outputs })
}

fn side<'t>(
    text: &'t str,
    range: Range<usize>,
    what: &'static str,
    seen: &mut BTreeSet<&'t str>,
) -> Result<Vec<Field>, (Fault, Range<usize>)> {
    if text[range.clone()].trim().is_empty() {
        return Err((Fault::Side(what), range));
    }
    let mut fields = Vec::new();
    for part in split(text, range) {
        let (name, kind) = match text[part.clone()].split_once(':') {
            Some((name, kind)) => (name.trim(), kind.trim()),
            None => (text[part.clone()].trim(), "str"),
        };
        if name.is_empty() {
            return Err((Fault::NoName, part));
        }
        if !is_identifier(name) {
            return Err((Fault::Name(name.to_owned()), part));
        }
        if !seen.insert(name) {
            return Err((Fault::Twice(name.to_owned()), part));
        }
        check_type(name, kind).map_err(|fault| (fault, part))?;
        fields.push(Field { name: name.to_owned(), kind: kind.to_owned() });
    }
    Ok(fields)
}

/// Splits at commas outside brackets and quotes.
fn split(text: &str, range: Range<usize>) -> Vec<Range<usize>> {
    let mut parts = Vec::new();
    let (mut start, mut depth, mut quote) = (range.start, 0_usize, None::<char>);
    for (at, ch) in text[range.clone()].char_indices() {
        if let Some(open) = quote {
            quote = (ch != open).then_some(open);
            continue;
        }
        match ch {
            '\'' | '"' => quote = Some(ch),
            '[' | '(' => depth += 1,
            ']' | ')' => depth = depth.saturating_sub(1),
            ',' if depth == 0 => {
                parts.push(start..range.start + at);
                start = range.start + at + 1;
            }
            _ => {}
        }
    }
    parts.push(start..range.end);
    parts
}

fn is_identifier(name: &str) -> bool {
    let mut chars = name.chars();
    chars.next().is_some_and(|ch| ch == '_' || ch.is_alphabetic())
        && chars.all(|ch| ch == '_' || ch.is_alphanumeric())
        && !KEYWORDS.contains(&name)
}

/// Type names must be known and brackets must match. Quoted strings are only allowed in a `Literal`.
fn check_type(name: &str, kind: &str) -> Result<(), Fault> {
    let (mut depth, mut quote, mut word) = (0_usize, None::<char>, String::new());
    let known = |word: &mut String| {
        let done = std::mem::take(word);
        let fine = done.is_empty()
            || TYPES.contains(&done.as_str())
            || done.bytes().all(|byte| byte.is_ascii_digit())
            || done == "True"
            || done == "False";
        if fine { Ok(()) } else { Err(Fault::Type(done)) }
    };
    if kind.is_empty() {
        return Err(Fault::Type(String::new()));
    }
    for ch in kind.chars() {
        if let Some(open) = quote {
            quote = (ch != open).then_some(open);
            continue;
        }
        match ch {
            '\'' | '"' => quote = Some(ch),
            '[' => depth += 1,
            ']' => depth = depth.checked_sub(1).ok_or_else(|| Fault::Bracket(name.to_owned()))?,
            _ => {}
        }
        if ch == '_' || ch.is_alphanumeric() {
            word.push(ch);
        } else if matches!(ch, '[' | ']' | ',' | '|' | ' ' | '.' | '-' | '\'' | '"') {
            known(&mut word)?;
        } else {
            return Err(Fault::Type(kind.to_owned()));
        }
    }
    known(&mut word)?;
    if depth == 0 && quote.is_none() { Ok(()) } else { Err(Fault::Bracket(name.to_owned())) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signatures_read() {
        let signature = parse("claims: list[str], entity -> contradictions: list[dict[str, str]], kind: Literal['a, b', 'c']").unwrap();
        let shown = |fields: &[Field]| fields.iter().map(|field| format!("{}:{}", field.name, field.kind)).collect::<Vec<_>>();
        assert_eq!(shown(&signature.inputs), ["claims:list[str]", "entity:str"]);
        assert_eq!(shown(&signature.outputs), ["contradictions:list[dict[str, str]]", "kind:Literal['a, b', 'c']"]);
        for good in ["a->b", "a -> b: int | None", "a -> b: Optional[list[float]]", "größe -> b", "a: tuple[int, ...] -> b"] {
            assert!(parse(good).is_ok(), "{good}");
        }
    }

    #[test]
    fn faults_have_a_place() {
        for (text, fault, part) in [
            ("a, b", Fault::Arrow, "a, b"),
            ("a -> b -> c", Fault::Arrow, "->"),
            (" -> b", Fault::Side("inputs"), " "),
            ("a -> ", Fault::Side("outputs"), " "),
            ("a,, b -> c", Fault::NoName, ""),
            ("a b -> c", Fault::Name("a b".to_owned()), "a b "),
            ("class -> c", Fault::Name("class".to_owned()), "class "),
            ("a -> a", Fault::Twice("a".to_owned()), " a"),
            ("a: strng -> b", Fault::Type("strng".to_owned()), "a: strng "),
            ("a: list[str -> b", Fault::Bracket("a".to_owned()), "a: list[str "),
            ("a: -> b", Fault::Type(String::new()), "a: "),
            ("a: Image -> b", Fault::Type("Image".to_owned()), "a: Image "),
            ("a: eval('x') -> b", Fault::Type("eval('x')".to_owned()), "a: eval('x') "),
        ] {
            let (found, range) = parse(text).unwrap_err();
            assert_eq!((found, &text[range]), (fault, part), "{text}");
        }
    }
}
