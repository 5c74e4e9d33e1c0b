//! `skill.json`: the values that frontmatter can't express. Strict about types, lenient about
//! comments, trailing commas and unknown keys, which are kept.

use std::collections::HashSet;
use std::ops::Range;

use inklings_core::check::Diagnostic;
use inklings_core::id::{ArtifactId, SkillId};
use inklings_core::kind::ArtifactKind;
use inklings_core::limits;
use inklings_core::path::{SKILL_JSON, SkillPath};
use inklings_core::skill::{Relation, RelationKind, SkillStep};
use inklings_core::variant::{is_valid_variant, normalize_variant};
use jsonc_parser::CollectOptions;
use jsonc_parser::ast::{Object, Value as Ast};
use jsonc_parser::common::Ranged;
use serde_json::{Map, Value};

use crate::json_text::{options, without_bom};

/// Levels of lists and objects.
pub(crate) const MAX_DEPTH: usize = 100;

#[derive(Debug, Clone, PartialEq)]
pub(crate) struct ArtifactEntry {
    pub(crate) path: SkillPath,
    pub(crate) kind: ArtifactKind,
    pub(crate) name: String,
    pub(crate) ordinal: i64,
    pub(crate) variant: Option<String>,
    pub(crate) metadata: Map<String, Value>,
    pub(crate) id: Option<ArtifactId>,
    pub(crate) state: Option<SkillPath>,
    /// Its index in `artifacts`.
    pub(crate) index: usize,
    /// Bytes of the file.
    pub(crate) span: Range<usize>,
}

/// Values of `skill.json`; `None` if not stated.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct Json {
    pub(crate) id: Option<SkillId>,
    pub(crate) name: Option<String>,
    pub(crate) title: Option<String>,
    pub(crate) description: Option<String>,
    pub(crate) version: Option<String>,
    pub(crate) author: Option<String>,
    pub(crate) tags: Option<Vec<String>>,
    pub(crate) category: Option<String>,
    pub(crate) triggers: Option<Vec<String>>,
    pub(crate) intent_patterns: Option<Vec<String>>,
    pub(crate) when_not_to_use: Option<String>,
    pub(crate) user_invocable: Option<bool>,
    pub(crate) steps: Option<Vec<SkillStep>>,
    pub(crate) relations: Vec<Relation>,
    pub(crate) metadata: Map<String, Value>,
    pub(crate) run: Option<Vec<String>>,
    pub(crate) entries: Vec<ArtifactEntry>,
}

/// Reads `skill.json`. Errors refuse the skill; other findings go to `diagnostics`.
pub(crate) fn read(text: &str, diagnostics: &mut Vec<Diagnostic>) -> Result<Json, Vec<Diagnostic>> {
    let (body, bom_len) = without_bom(text);
    if text.len() > limits::ARTIFACT_BYTES {
        let message = format!("{SKILL_JSON} is too large: {} bytes (maximum {})", text.len(), limits::ARTIFACT_BYTES);
        return Err(vec![Diagnostic::error("limit/artifact", message).hint("move long texts into files").in_file(SKILL_JSON)]);
    }
    let mut reader = Reader { text, bom_len, errors: Vec::new(), diagnostics };
    let parsed = match jsonc_parser::parse_to_ast(body, &CollectOptions::default(), &options()) {
        Ok(parsed) => parsed.value,
        Err(error) => {
            let message = format!("invalid JSON: {}", error.kind());
            let range = error.range().start..error.range().end;
            reader.error("skill-json/syntax", message, "", range, "fix it here");
            return Err(reader.errors);
        }
    };
    let json = match &parsed {
        Some(Ast::Object(object)) if object_depth(object, MAX_DEPTH) => reader.object(object),
        Some(other) => {
            let deep = matches!(other, Ast::Object(_));
            let message = if deep { "the values are nested too deeply" } else { "must be an object" };
            reader.error("skill-json/type", message.to_owned(), "", range_of(other), "use { … }");
            Json::default()
        }
        None => {
            reader.error("skill-json/type", "the file is empty".to_owned(), "", 0..0, "remove it, or use { }");
            Json::default()
        }
    };
    if reader.errors.is_empty() { Ok(json) } else { Err(reader.errors) }
}

fn depth(value: &Ast<'_>, levels: usize) -> bool {
    match value {
        Ast::Array(array) => levels > 0 && array.elements.iter().all(|item| depth(item, levels - 1)),
        Ast::Object(object) => object_depth(object, levels),
        _ => true,
    }
}

fn object_depth(object: &Object<'_>, levels: usize) -> bool {
    levels > 0 && object.properties.iter().all(|prop| depth(&prop.value, levels - 1))
}

fn range_of(value: &impl Ranged) -> Range<usize> {
    value.start()..value.end()
}

struct Reader<'a> {
    text: &'a str,
    bom_len: usize,
    errors: Vec<Diagnostic>,
    diagnostics: &'a mut Vec<Diagnostic>,
}

impl Reader<'_> {
    fn finding(&self, finding: Diagnostic, pointer: &str, range: Range<usize>) -> Diagnostic {
        let range = range.start + self.bom_len..range.end + self.bom_len;
        let finding = finding.in_file(SKILL_JSON).span(self.text, range);
        if pointer.is_empty() { finding } else { finding.pointer(pointer) }
    }

    fn error(&mut self, rule: &str, message: String, pointer: &str, range: Range<usize>, hint: &str) {
        let finding = self.finding(Diagnostic::error(rule, message).hint(hint), pointer, range);
        self.errors.push(finding);
    }

    fn expected(&mut self, what: &str, pointer: &str, value: &Ast<'_>) {
        let message = format!("{} must be {what}", pointer.rsplit('/').next().unwrap_or(pointer));
        self.error("skill-json/type", message, pointer, range_of(value), &format!("use {what}"));
    }

    fn object(&mut self, object: &Object<'_>) -> Json {
        let mut json = Json::default();
        let mut seen: HashSet<&str> = HashSet::new();
        for prop in &object.properties {
            let key = prop.name.as_str();
            let pointer = format!("/{}", escape(key));
            if !seen.insert(key) {
                self.error("skill-json/duplicate-key", format!("duplicate key {key:?}"), &pointer, range_of(prop), "remove one of them");
            }
            if !matches!(prop.value, Ast::NullKeyword(_)) {
                self.property(&mut json, key, &pointer, &prop.value);
            }
        }
        json
    }

    fn property(&mut self, json: &mut Json, key: &str, pointer: &str, value: &Ast<'_>) {
        match key {
            "id" => json.id = self.id(pointer, value).map(SkillId::new),
            "name" => json.name = self.line(pointer, value),
            "title" => json.title = self.line(pointer, value),
            "description" => json.description = self.line(pointer, value),
            "version" => json.version = self.line(pointer, value),
            "author" => json.author = self.line(pointer, value),
            "category" => json.category = self.line(pointer, value),
            "tags" => json.tags = self.strings(pointer, value).map(trimmed),
            "triggers" => json.triggers = self.strings(pointer, value),
            "intent_patterns" => json.intent_patterns = self.strings(pointer, value),
            "when_not_to_use" => json.when_not_to_use = self.string(pointer, value),
            "user_invocable" => json.user_invocable = self.boolean(pointer, value),
            "steps" => json.steps = self.steps(pointer, value),
            "relations" => json.relations = self.relations(pointer, value),
            "metadata" => json.metadata = self.map(pointer, value).unwrap_or_default(),
            "run" => json.run = self.strings(pointer, value),
            "artifacts" => json.entries = self.entries(pointer, value),
            _ => {}
        }
    }

    fn string(&mut self, pointer: &str, value: &Ast<'_>) -> Option<String> {
        if let Ast::StringLit(text) = value {
            return Some(text.value.clone().into_owned());
        }
        self.expected("a string", pointer, value);
        None
    }

    /// Trimmed; `None` if empty.
    fn line(&mut self, pointer: &str, value: &Ast<'_>) -> Option<String> {
        self.string(pointer, value).map(|text| text.trim().to_owned()).filter(|text| !text.is_empty())
    }

    fn boolean(&mut self, pointer: &str, value: &Ast<'_>) -> Option<bool> {
        if let Ast::BooleanLit(boolean) = value {
            return Some(boolean.value);
        }
        self.expected("a boolean", pointer, value);
        None
    }

    fn strings(&mut self, pointer: &str, value: &Ast<'_>) -> Option<Vec<String>> {
        let Ast::Array(array) = value else {
            self.expected("an array of strings", pointer, value);
            return None;
        };
        let items = array.elements.iter().enumerate();
        Some(items.filter_map(|(index, item)| self.string(&format!("{pointer}/{index}"), item)).collect())
    }

    fn map(&mut self, pointer: &str, value: &Ast<'_>) -> Option<Map<String, Value>> {
        if let Value::Object(map) = Value::from(value.clone()) {
            return Some(map);
        }
        self.expected("an object", pointer, value);
        None
    }

    fn id(&mut self, pointer: &str, value: &Ast<'_>) -> Option<uuid::Uuid> {
        let text = self.string(pointer, value)?;
        let id = uuid::Uuid::try_parse(&text).ok();
        if id.is_none() {
            let finding = Diagnostic::warning("skill-json/id", format!("the id {text:?} isn't a UUID; it is ignored")).hint("remove it");
            let finding = self.finding(finding, pointer, range_of(value));
            self.diagnostics.push(finding);
        }
        id
    }

    fn steps(&mut self, pointer: &str, value: &Ast<'_>) -> Option<Vec<SkillStep>> {
        let Ast::Array(array) = value else {
            self.expected("an array of steps", pointer, value);
            return None;
        };
        let mut steps = Vec::with_capacity(array.elements.len());
        for (index, item) in array.elements.iter().enumerate() {
            let mut step = Value::from(item.clone());
            if let Value::Object(map) = &mut step {
                map.entry("step").or_insert_with(|| (index + 1).into());
            }
            match serde_json::from_value(step) {
                Ok(step) => steps.push(step),
                Err(error) => {
                    let pointer = format!("{pointer}/{index}");
                    self.error(
                        "skill-json/type",
                        format!("invalid step: {error}"),
                        &pointer,
                        range_of(item),
                        "a step has action, description, and optionally tool and params",
                    );
                }
            }
        }
        Some(steps)
    }

    fn relations(&mut self, pointer: &str, value: &Ast<'_>) -> Vec<Relation> {
        let Ast::Object(object) = value else {
            self.expected("an object with depends_on and conflicts_with", pointer, value);
            return Vec::new();
        };
        let mut relations = Vec::new();
        for kind in [RelationKind::DependsOn, RelationKind::ConflictsWith] {
            let found = object.properties.iter().find(|prop| prop.name.as_str() == kind.as_str());
            let Some(prop) = found.filter(|prop| !matches!(prop.value, Ast::NullKeyword(_))) else { continue };
            let targets = self.strings(&format!("{pointer}/{}", kind.as_str()), &prop.value);
            relations.extend(targets.unwrap_or_default().into_iter().map(|target| Relation { kind, target }));
        }
        distinct(relations)
    }

    fn entries(&mut self, pointer: &str, value: &Ast<'_>) -> Vec<ArtifactEntry> {
        let Ast::Array(array) = value else {
            self.expected("an array of artifacts", pointer, value);
            return Vec::new();
        };
        if array.elements.len() > limits::FILES {
            let message = format!("too many artifacts: {} (maximum {})", array.elements.len(), limits::FILES);
            self.error("limit/files", message, pointer, range_of(value), "remove entries of missing files");
            return Vec::new();
        }
        let items = array.elements.iter().enumerate();
        let mut entries: Vec<ArtifactEntry> =
            items.filter_map(|(index, item)| self.entry(index, &format!("{pointer}/{index}"), item)).collect();
        let mut ids = HashSet::new();
        for entry in entries.iter_mut().filter(|entry| entry.id.is_some_and(|id| !ids.insert(id))) {
            entry.id = None;
            let finding =
                Diagnostic::warning("skill-json/id", format!("the id of {} belongs to another artifact; it is ignored", entry.path));
            let finding = finding.hint("remove it").in_file(SKILL_JSON).span(self.text, entry.span.clone());
            self.diagnostics.push(finding.pointer(format!("{pointer}/{}/id", entry.index)));
        }
        entries
    }

    fn entry(&mut self, index: usize, pointer: &str, value: &Ast<'_>) -> Option<ArtifactEntry> {
        let Ast::Object(object) = value else {
            self.expected("an object", pointer, value);
            return None;
        };
        let path = self.required(object, pointer, "path").and_then(|(at, node)| self.path(&at, node));
        let kind = self.required(object, pointer, "kind").and_then(|(at, node)| self.kind(&at, node));
        let name = self.required(object, pointer, "name").and_then(|(at, node)| self.name(&at, node));
        let field = |key: &str| Some((format!("{pointer}/{key}"), present(object, key)?));
        let ordinal = field("ordinal").map_or_else(|| i64::try_from(index + 1).ok(), |(at, node)| self.integer(&at, node));
        let variant = field("variant").and_then(|(at, node)| self.variant(&at, node));
        let metadata = field("metadata").and_then(|(at, node)| self.map(&at, node)).unwrap_or_default();
        let id = field("id").and_then(|(at, node)| self.id(&at, node)).map(ArtifactId::new);
        let state = field("state").and_then(|(at, node)| self.path(&at, node));
        let span = object.range.start + self.bom_len..object.range.end + self.bom_len;
        Some(ArtifactEntry { path: path?, kind: kind?, name: name?, ordinal: ordinal?, variant, metadata, id, state, index, span })
    }

    fn required<'b, 'c>(&mut self, object: &'b Object<'c>, pointer: &str, key: &str) -> Option<(String, &'b Ast<'c>)> {
        let found = present(object, key);
        if found.is_none() {
            let message = format!("missing key {key:?} in the artifact");
            self.error("skill-json/missing-key", message, pointer, range_of(object), "an artifact has path, kind, name and ordinal");
        }
        Some((format!("{pointer}/{key}"), found?))
    }

    fn path(&mut self, pointer: &str, value: &Ast<'_>) -> Option<SkillPath> {
        let text = self.string(pointer, value)?;
        SkillPath::parse(&text)
            .map_err(|error| self.error("skill-json/path", error.to_string(), pointer, range_of(value), "use a path inside the folder"))
            .ok()
    }

    fn kind(&mut self, pointer: &str, value: &Ast<'_>) -> Option<ArtifactKind> {
        let text = self.string(pointer, value)?;
        text.parse()
            .map_err(|error: inklings_core::kind::UnknownKind| {
                self.error("skill-json/kind", error.to_string(), pointer, range_of(value), "use one of these kinds");
            })
            .ok()
    }

    fn name(&mut self, pointer: &str, value: &Ast<'_>) -> Option<String> {
        let text = self.string(pointer, value)?;
        if text.trim().is_empty() {
            self.error("skill-json/name", "the artifact name is empty".to_owned(), pointer, range_of(value), "add a name");
            return None;
        }
        Some(text)
    }

    fn integer(&mut self, pointer: &str, value: &Ast<'_>) -> Option<i64> {
        let number = value.as_number_lit().and_then(|number| number.value.parse().ok());
        if number.is_none() {
            self.expected("an integer", pointer, value);
        }
        number
    }

    fn variant(&mut self, pointer: &str, value: &Ast<'_>) -> Option<String> {
        let variant = normalize_variant(Some(&self.string(pointer, value)?))?;
        if !is_valid_variant(&variant) {
            let message = format!("{variant:?} isn't a valid variant");
            self.error("skill-json/variant", message, pointer, range_of(value), "use lowercase letters, digits, '.', '_' and '-'");
        }
        Some(variant)
    }
}

fn present<'b, 'c>(object: &'b Object<'c>, key: &str) -> Option<&'b Ast<'c>> {
    let prop = object.properties.iter().find(|prop| prop.name.as_str() == key)?;
    (!matches!(prop.value, Ast::NullKeyword(_))).then_some(&prop.value)
}

/// A key as a part of a JSON pointer.
fn escape(key: &str) -> String {
    key.replace('~', "~0").replace('/', "~1")
}

/// Trimmed, without empty ones.
pub(crate) fn trimmed(tags: Vec<String>) -> Vec<String> {
    tags.into_iter().map(|tag| tag.trim().to_owned()).filter(|tag| !tag.is_empty()).collect()
}

/// Without duplicates, by kind, otherwise in order.
pub(crate) fn distinct(mut relations: Vec<Relation>) -> Vec<Relation> {
    relations.sort_by_key(|relation| relation.kind);
    let mut seen = HashSet::new();
    relations.retain(|relation| seen.insert(relation.clone().target + relation.kind.as_str()));
    relations
}
