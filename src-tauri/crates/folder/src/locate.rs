//! Finds the text of a JSON pointer, so that findings about values have a line and a column.

use std::ops::Range;

use inklings_core::path::SKILL_JSON;
use inklings_core::{Diagnostic, Package, SkillPath};
use jsonc_parser::ast::{ObjectProp, Value};
use jsonc_parser::common::Ranged;
use jsonc_parser::{CollectOptions, ParseOptions};

/// A JSON text, to place findings in.
#[derive(Debug)]
pub struct JsonText<'a> {
    text: &'a str,
    /// Bytes of the byte order mark.
    mark: usize,
    root: Option<Value<'a>>,
}

impl<'a> JsonText<'a> {
    /// Of any JSON text; nothing can be placed in one that is none.
    #[must_use]
    pub fn new(text: &'a str) -> Self {
        let body = text.strip_prefix('\u{feff}').unwrap_or(text);
        let parsed = jsonc_parser::parse_to_ast(body, &CollectOptions::default(), &ParseOptions::default());
        Self { text, mark: text.len() - body.len(), root: parsed.ok().and_then(|parsed| parsed.value) }
    }

    /// A skill's `skill.json`.
    #[must_use]
    pub fn of(package: &'a Package) -> Self {
        Self::new(package.sources.skill_json.as_deref().unwrap_or_default())
    }

    /// Names the place of a finding that has a pointer from the root.
    #[must_use]
    pub fn place(&self, file: impl ToString, finding: Diagnostic) -> Diagnostic {
        let range = finding.pointer.as_deref().and_then(|pointer| self.range(pointer));
        let finding = finding.in_file(file);
        match range {
            Some(range) => finding.span(self.text, range),
            None => finding,
        }
    }

    /// The same for a finding in `skill.json` whose pointer starts at an artifact's entry.
    #[must_use]
    pub fn place_in_entry(&self, artifact: &SkillPath, mut finding: Diagnostic) -> Diagnostic {
        if let Some(index) = self.entry(artifact) {
            let pointer = finding.pointer.take().unwrap_or_default();
            finding.pointer = Some(format!("/artifacts/{index}{pointer}"));
        }
        self.place(SKILL_JSON, finding)
    }

    /// The bytes of a part of the text at a pointer, unless its spelling in JSON shifts them.
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

    /// The bytes of a pointer's value; of what isn't there, its nearest parent. An object or a list is marked by its key.
    #[must_use]
    pub fn range(&self, pointer: &str) -> Option<Range<usize>> {
        let mut value = self.root.as_ref()?;
        let mut mark = first_byte(value);
        for part in pointer.split('/').skip(1) {
            let part = part.replace("~1", "/").replace("~0", "~");
            let Some((next, range)) = step(value, &part) else { break };
            (value, mark) = (next, range);
        }
        Some(mark.start + self.mark..mark.end + self.mark)
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
