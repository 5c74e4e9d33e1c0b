//! Finds the text of a JSON pointer, so that findings about values have a line and a column.

use std::ops::Range;

use inklings_core::path::SKILL_JSON;
use inklings_core::{Diagnostic, Package, SkillPath};
use jsonc_parser::ast::{ObjectProp, Value};
use jsonc_parser::common::Ranged;
use jsonc_parser::{CollectOptions, ParseOptions};

/// A JSON text, to locate diagnostics in it.
#[derive(Debug)]
pub struct JsonText<'a> {
    text: &'a str,
    /// Length of the byte order mark.
    bom_len: usize,
    root: Option<Value<'a>>,
}

impl<'a> JsonText<'a> {
    /// Invalid JSON locates nothing.
    #[must_use]
    pub fn new(text: &'a str) -> Self {
        let body = text.strip_prefix('\u{feff}').unwrap_or(text);
        let parsed = jsonc_parser::parse_to_ast(body, &CollectOptions::default(), &ParseOptions::default());
        Self { text, bom_len: text.len() - body.len(), root: parsed.ok().and_then(|parsed| parsed.value) }
    }

    #[must_use]
    pub fn of(package: &'a Package) -> Self {
        Self::new(package.sources.skill_json.as_deref().unwrap_or_default())
    }

    /// Sets the span of a diagnostic from its pointer.
    #[must_use]
    pub fn locate(&self, file: impl ToString, finding: Diagnostic) -> Diagnostic {
        let range = finding.pointer.as_deref().and_then(|pointer| self.range(pointer));
        let finding = finding.in_file(file);
        match range {
            Some(range) => finding.span(self.text, range),
            None => finding,
        }
    }

    /// Like `locate`, for a pointer relative to an artifact's entry in `skill.json`.
    #[must_use]
    pub fn locate_in_entry(&self, artifact: &SkillPath, mut finding: Diagnostic) -> Diagnostic {
        if let Some(index) = self.entry(artifact) {
            let pointer = finding.pointer.take().unwrap_or_default();
            finding.pointer = Some(format!("/artifacts/{index}{pointer}"));
        }
        self.locate(SKILL_JSON, finding)
    }

    /// The byte range of a part of the string at a pointer; `None` if JSON escapes shift the offsets.
    #[must_use]
    pub fn inside(&self, pointer: &str, value: &str, part: &Range<usize>) -> Option<Range<usize>> {
        let whole = self.range(pointer)?;
        let spelled = self.text.get(whole.start + 1..whole.end.checked_sub(1)?)?;
        (spelled == value).then(|| whole.start + 1 + part.start..whole.start + 1 + part.end)
    }

    fn entry(&self, artifact: &SkillPath) -> Option<usize> {
        let entries = self.root.as_ref()?.as_object()?.get_array("artifacts")?;
        entries.elements.iter().position(|entry| {
            let path = entry.as_object().and_then(|entry| entry.get_string("path"));
            path.is_some_and(|path| SkillPath::parse(&path.value).is_ok_and(|path| path == *artifact))
        })
    }

    /// The byte range of a pointer's value, or of its nearest existing parent. For objects and arrays it is the range of their key.
    #[must_use]
    pub fn range(&self, pointer: &str) -> Option<Range<usize>> {
        let mut value = self.root.as_ref()?;
        let mut range = first_byte(value);
        for part in pointer.split('/').skip(1) {
            let part = part.replace("~1", "/").replace("~0", "~");
            let Some((next, next_range)) = step(value, &part) else { break };
            (value, range) = (next, next_range);
        }
        Some(range.start + self.bom_len..range.end + self.bom_len)
    }
}

fn step<'v, 'a>(value: &'v Value<'a>, part: &str) -> Option<(&'v Value<'a>, Range<usize>)> {
    match value {
        Value::Object(object) => {
            let prop = object.get(part)?;
            Some((&prop.value, if nests(&prop.value) { key(prop) } else { bytes(&prop.value) }))
        }
        Value::Array(array) => {
            let item = array.elements.get(part.parse::<usize>().ok()?)?;
            Some((item, if nests(item) { first_byte(item) } else { bytes(item) }))
        }
        _ => None,
    }
}

const fn nests(value: &Value<'_>) -> bool {
    matches!(value, Value::Object(_) | Value::Array(_))
}

fn bytes(value: &Value<'_>) -> Range<usize> {
    value.start()..value.end()
}

fn first_byte(value: &Value<'_>) -> Range<usize> {
    value.start()..value.start() + 1
}

fn key(prop: &ObjectProp<'_>) -> Range<usize> {
    prop.name.start()..prop.name.end()
}
