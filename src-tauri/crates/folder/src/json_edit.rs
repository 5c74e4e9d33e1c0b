//! Changing single values of `skill.json`: order, comments, unknown keys, indentation and line ends
//! stay.

use inklings_core::path::SkillPath;
use inklings_core::skill::{Artifact, Package, RelationKind};
use jsonc_parser::cst::{CstArray, CstInputValue, CstNode, CstObject, CstRootNode};
use serde_json::{Map, Value};

use crate::front::Front;
use crate::json::{ArtifactEntry, Json};
use crate::json_text::{input, options, without_bom};
use crate::prose;
use crate::read::{no_id, overview_name};
use crate::values::{CATEGORY_DEFAULT, Identity, VERSION_DEFAULT, Values};

const STEP_KEYS: [&str; 5] = ["step", "action", "description", "tool", "params"];

/// `skill.json` with the values of `package` that `front` doesn't state; `None` if it isn't needed.
/// `source` is the current text, with its parsed form.
pub(crate) fn patched(package: &Package, front: Option<&Front<'_>>, source: Option<&str>, old: &Json) -> Option<String> {
    let (body, bom_len) = source.map_or(("{}", 0), without_bom);
    let root = CstRootNode::parse(body, &options()).ok()?;
    let object = root.object_value_or_set();
    let main = package.main().map_or("", |artifact| &artifact.content);
    let says = Values::of(front, old, main, package.slug.as_str());
    let mut edit = JsonEdit { object: &object };
    edit.texts(package, &says, front, old);
    edit.lists(package, &says, front);
    edit.artifacts(package, old);
    edit.rest(package, &says);
    let text = root.to_string();
    if text == body {
        return source.map(str::to_owned);
    }
    let comments = text.contains("//") || text.contains("/*");
    if object.properties().is_empty() && !comments {
        return None;
    }
    let end = if source.is_none() { "\n" } else { "" };
    let bom = source.map_or("", |source| &source[..bom_len]);
    Some(format!("{bom}{text}{end}"))
}

/// Without the skill's own id, for a copy.
pub(crate) fn without_id(source: &str) -> Option<String> {
    let (body, bom_len) = without_bom(source);
    let root = CstRootNode::parse(body, &options()).ok()?;
    root.object_value()?.get("id")?.remove();
    Some(format!("{}{root}", &source[..bom_len]))
}

/// The skill's own id, as `skill.json` spells it.
pub(crate) fn id(source: &str) -> Option<String> {
    let root = CstRootNode::parse(without_bom(source).0, &options()).ok()?;
    root.object_value()?.get("id")?.value()?.as_string_lit()?.decoded_value().ok()
}

/// With the skill's own id, as the first key if it is new.
pub(crate) fn with_id(source: Option<&str>, id: &str) -> Option<String> {
    if source.and_then(self::id).as_deref() == Some(id) {
        return source.map(str::to_owned);
    }
    let (body, bom_len) = source.map_or(("{}\n", 0), without_bom);
    let root = CstRootNode::parse(body, &options()).ok()?;
    let object = root.object_value_or_set();
    match object.get("id") {
        Some(prop) => prop.set_value(id.into()),
        None => drop(object.insert(0, "id", id.into())),
    }
    let bom = source.map_or("", |source| &source[..bom_len]);
    Some(format!("{bom}{root}"))
}

/// Rewritten `skill.json`, with unknown keys of the current text at the end.
pub(crate) fn canonical(package: &Package, front: Option<&Front<'_>>, source: Option<&str>) -> Option<String> {
    let text = patched(package, front, None, &Json::default());
    let known = |key: &str| KNOWN_KEYS.contains(&key);
    let old = source.and_then(|source| CstRootNode::parse(without_bom(source).0, &options()).ok()?.to_serde_value());
    let Some(Value::Object(old)) = old else { return text };
    let extra: Vec<_> = old.into_iter().filter(|(key, _)| !known(key) || key == "id").collect();
    if extra.is_empty() {
        return text;
    }
    let root = CstRootNode::parse(text.as_deref().unwrap_or("{}\n"), &options()).ok()?;
    let object = root.object_value_or_set();
    for (key, value) in extra {
        object.append(&key, input(&value));
    }
    Some(root.to_string())
}

const KNOWN_KEYS: [&str; 17] = [
    "id",
    "name",
    "title",
    "description",
    "version",
    "author",
    "tags",
    "category",
    "triggers",
    "intent_patterns",
    "when_not_to_use",
    "user_invocable",
    "steps",
    "relations",
    "metadata",
    "run",
    "artifacts",
];

pub(crate) fn declares(entries: &[ArtifactEntry], package: &Package) -> bool {
    let body = package.main().is_some();
    let declared = entries.iter().filter(|entry| body || entry.path != package.main_path).count();
    let undeclared = package.artifacts.iter().filter(|artifact| !entries.iter().any(|entry| entry.path == artifact.path));
    let mut implied = 0;
    for artifact in undeclared {
        if !is_implied(artifact, package) {
            return false;
        }
        implied += 1;
    }
    declared + implied == package.artifacts.len()
        && entries.iter().all(|entry| {
            let mut artifacts = package.artifacts.iter();
            artifacts.find(|artifact| artifact.path == entry.path).is_none_or(|artifact| says(entry, artifact))
        })
}

fn says(entry: &ArtifactEntry, artifact: &Artifact) -> bool {
    entry.kind == artifact.kind
        && entry.name == artifact.name
        && entry.ordinal == artifact.ordinal
        && entry.variant == artifact.variant
        && entry.metadata == artifact.metadata
        && entry.id.is_none_or(|id| id == artifact.id)
        && entry.state.as_ref() == artifact.state.as_ref().map(|state| &state.path)
}

/// Whether this is the implicit artifact of an undeclared `SKILL.md` body.
fn is_implied(artifact: &Artifact, package: &Package) -> bool {
    let others = package.artifacts.iter().filter(|other| other.path != artifact.path && other.variant.is_none());
    artifact.path == package.main_path
        && artifact.ordinal == 0
        && artifact.variant.is_none()
        && artifact.metadata.is_empty()
        && artifact.state.is_none()
        && artifact.name == overview_name(&others.map(|other| other.name.as_str()).collect())
}

struct JsonEdit<'a> {
    object: &'a CstObject,
}

impl JsonEdit<'_> {
    fn set(&mut self, key: &str, value: Option<Value>) {
        set(self.object, key, value.as_ref(), &[]);
    }

    fn texts(&mut self, package: &Package, says: &Values, front: Option<&Front<'_>>, old: &Json) {
        if says.name != package.name {
            let identity = Identity::of(front, old, package.slug.as_str());
            let implied = identity.title.is_none() && identity.slug.humanised() == package.name;
            self.set("title", (!implied).then(|| package.name.as_str().into()));
        }
        if says.version != package.version {
            let default = package.version == VERSION_DEFAULT && old.version.is_none();
            self.set("version", (!default).then(|| package.version.as_str().into()));
        }
        if says.author != package.author {
            self.set("author", package.author.as_deref().map(Into::into));
        }
        if says.category != package.category {
            let default = package.category == CATEGORY_DEFAULT;
            self.set("category", (!default).then(|| package.category.as_str().into()));
        }
    }

    fn lists(&mut self, package: &Package, says: &Values, front: Option<&Front<'_>>) {
        let list = |items: &[String]| (!items.is_empty()).then(|| Value::from(items.to_vec()));
        if says.tags != package.tags {
            self.set("tags", list(&package.tags));
        }
        if says.triggers != package.triggers {
            let pattern = front.and_then(|front| front.text(&["trigger_pattern"]));
            let is_stated = package.triggers.len() == 1 && package.triggers.first().map(String::as_str) == pattern;
            self.set("triggers", list(&package.triggers).filter(|_| !is_stated));
        }
        if says.intent_patterns != package.intent_patterns {
            self.set("intent_patterns", list(&package.intent_patterns));
        }
        if says.when_not_to_use != package.when_not_to_use {
            self.set("when_not_to_use", package.when_not_to_use.as_deref().map(Into::into));
        }
        if says.user_invocable != package.user_invocable {
            self.set("user_invocable", (!package.user_invocable).then_some(false.into()));
        }
        if says.steps != package.steps {
            let body = package.main().map_or("", |artifact| &artifact.content);
            let implied = prose::steps(body) == package.steps;
            let steps = serde_json::to_value(&package.steps).ok().filter(|_| !implied);
            set(self.object, "steps", steps.as_ref(), &STEP_KEYS);
        }
        if says.relations != package.relations {
            self.relations(package);
        }
    }

    fn relations(&mut self, package: &Package) {
        let mut relations = Map::new();
        for kind in [RelationKind::DependsOn, RelationKind::ConflictsWith] {
            let targets: Vec<&str> = package.related(kind).collect();
            if !targets.is_empty() {
                relations.insert(kind.as_str().to_owned(), targets.into());
            }
        }
        let keys = [RelationKind::DependsOn.as_str(), RelationKind::ConflictsWith.as_str()];
        let value = (!relations.is_empty()).then_some(Value::Object(relations));
        let unknown = self
            .object
            .object_value("relations")
            .is_some_and(|old| old.properties().iter().any(|prop| !keys.contains(&name(prop).as_str())));
        let value = value.or_else(|| unknown.then(|| Value::Object(Map::new())));
        set(self.object, "relations", value.as_ref(), &keys);
    }

    fn rest(&mut self, package: &Package, says: &Values) {
        if says.run != package.run {
            self.set("run", package.run.clone().map(Into::into));
        }
        if says.metadata != package.metadata {
            let value = Value::Object(package.metadata.clone());
            self.set("metadata", (!package.metadata.is_empty()).then_some(value));
        }
    }

    /// Updates existing entries, removes those of deleted artifacts and adds missing ones.
    fn artifacts(&mut self, package: &Package, old: &Json) {
        if declares(&old.entries, package) {
            return;
        }
        let array = self.object.array_value("artifacts");
        let elements = array.as_ref().map(CstArray::elements).unwrap_or_default();
        let matches = matching(&old.entries, package);
        let removed: Vec<usize> = (0..old.entries.len()).filter(|index| !matches.contains(&Some(*index))).collect();
        let mut missing = Vec::new();
        for (artifact, found) in package.artifacts.iter().zip(&matches) {
            match found.and_then(|index| Some((&old.entries[index], elements.get(old.entries[index].index)?.as_object()?))) {
                Some((entry, object)) => update(&object, entry, artifact, !removed.is_empty()),
                None if is_implied(artifact, package) => {}
                None => missing.push(new_entry(artifact)),
            }
        }
        for index in removed {
            if let Some(node) = elements.get(old.entries[index].index) {
                node.clone().remove();
            }
        }
        if let Some(array) = array.as_ref().filter(|array| !array.elements().is_empty()) {
            for entry in &missing {
                array.append(input(entry));
            }
        } else {
            self.set("artifacts", (!missing.is_empty()).then_some(Value::Array(missing)));
        }
    }
}

/// For every artifact the index of its entry: by path, else by id, else by name and variant.
fn matching(entries: &[ArtifactEntry], package: &Package) -> Vec<Option<usize>> {
    let mut matches: Vec<Option<usize>> = vec![None; package.artifacts.len()];
    let rules: [fn(&ArtifactEntry, &Artifact) -> bool; 3] = [
        |entry, artifact| entry.path == artifact.path,
        |entry, artifact| entry.id == Some(artifact.id),
        |entry, artifact| entry.name == artifact.name && entry.variant == artifact.variant,
    ];
    for rule in rules {
        for (index, artifact) in package.artifacts.iter().enumerate() {
            if matches[index].is_none() {
                matches[index] =
                    (0..entries.len()).find(|candidate| !matches.contains(&Some(*candidate)) && rule(&entries[*candidate], artifact));
            }
        }
    }
    matches
}

fn update(object: &CstObject, entry: &ArtifactEntry, artifact: &Artifact, shifted: bool) {
    let text = |text: &str| Some(Value::from(text));
    if entry.path != artifact.path {
        set(object, "path", text(artifact.path.as_str()).as_ref(), &[]);
    }
    if entry.kind != artifact.kind {
        set(object, "kind", text(artifact.kind.as_str()).as_ref(), &[]);
    }
    if entry.name != artifact.name {
        set(object, "name", text(&artifact.name).as_ref(), &[]);
    }
    // An entry without an ordinal uses its position, which may have changed.
    if entry.ordinal != artifact.ordinal || (shifted && object.get("ordinal").is_none()) {
        set(object, "ordinal", Some(&artifact.ordinal.into()), &[]);
    }
    if entry.variant != artifact.variant {
        set(object, "variant", artifact.variant.as_deref().and_then(text).as_ref(), &[]);
    }
    if entry.metadata != artifact.metadata {
        let metadata = (!artifact.metadata.is_empty()).then(|| Value::Object(artifact.metadata.clone()));
        set(object, "metadata", metadata.as_ref(), &[]);
    }
    if entry.id.is_some_and(|id| id != artifact.id) {
        set(object, "id", Some(&artifact.id.to_string().into()), &[]);
    }
    let state = state_path(artifact);
    if entry.state.as_ref() != state {
        set(object, "state", state.and_then(|path| text(path.as_str())).as_ref(), &[]);
    }
}

fn state_path(artifact: &Artifact) -> Option<&SkillPath> {
    artifact.state.as_ref().map(|state| &state.path)
}

fn new_entry(artifact: &Artifact) -> Value {
    let mut entry = Map::new();
    let mut put = |key: &str, value: Value| entry.insert(key.to_owned(), value);
    put("path", artifact.path.as_str().into());
    put("kind", artifact.kind.as_str().into());
    put("name", artifact.name.as_str().into());
    put("ordinal", artifact.ordinal.into());
    if let Some(variant) = &artifact.variant {
        put("variant", variant.as_str().into());
    }
    if let Some(path) = state_path(artifact) {
        put("state", path.as_str().into());
    }
    if !artifact.metadata.is_empty() {
        put("metadata", Value::Object(artifact.metadata.clone()));
    }
    if artifact.id != no_id() {
        put("id", artifact.id.to_string().into());
    }
    Value::Object(entry)
}

/// Sets or removes a property. In objects only differences are edited; if `known` lists keys,
/// other keys of objects in it stay.
fn set(object: &CstObject, key: &str, value: Option<&Value>, known: &[&str]) {
    match (object.get(key), value) {
        (Some(prop), None) => prop.remove(),
        (Some(prop), Some(value)) => match prop.value() {
            Some(node) => replace(node, value, known),
            None => prop.set_value(input(value)),
        },
        (None, Some(value)) => drop(object.append(key, input(value))),
        (None, None) => {}
    }
}

fn name(prop: &jsonc_parser::cst::CstObjectProp) -> String {
    prop.decoded_name().unwrap_or_default()
}

fn replace(node: CstNode, value: &Value, known: &[&str]) {
    if node.to_serde_value().as_ref() == Some(value) {
        return;
    }
    match (value, node.as_object(), node.as_array()) {
        (Value::Object(map), Some(object), _) => {
            for prop in object.properties() {
                let key = name(&prop);
                if !map.contains_key(&key) && (known.is_empty() || known.contains(&key.as_str())) {
                    prop.remove();
                }
            }
            map.iter().for_each(|(key, value)| set(&object, key, Some(value), &[]));
        }
        (Value::Array(items), _, Some(array)) => {
            let elements = array.elements();
            elements.iter().skip(items.len()).rev().for_each(|extra| extra.clone().remove());
            for (index, item) in items.iter().enumerate() {
                match elements.get(index) {
                    Some(element) => replace(element.clone(), item, known),
                    None => drop(array.append(input(item))),
                }
            }
        }
        _ => overwrite(&node, input(value)),
    }
}

fn overwrite(node: &CstNode, value: CstInputValue) {
    if let Some(node) = node.as_string_lit() {
        node.replace_with(value);
    } else if let Some(node) = node.as_number_lit() {
        node.replace_with(value);
    } else if let Some(node) = node.as_boolean_lit() {
        node.replace_with(value);
    } else if let Some(node) = node.as_null_keyword() {
        node.replace_with(value);
    } else if let Some(node) = node.as_object() {
        node.replace_with(value);
    } else if let Some(node) = node.as_array() {
        node.replace_with(value);
    }
}
