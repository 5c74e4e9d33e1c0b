//! The shapes of our JSON files as JSON Schema: what an editor offers and explains. It is made from the tables that the rules
//! themselves use; the rules stay the judges.

use inklings_core::manifest;
use inklings_core::sandbox_api::CAPABILITIES;
use inklings_core::{ArtifactKind, RelationKind};
use serde_json::{Map, Value, json};

use crate::assertion::{COMMON, Form, KINDS, type_names};
use crate::dspy::{ADAPTERS, TEMPLATES};

/// The shape of `skill.json`.
#[must_use]
pub fn skill_json() -> Value {
    let text = |about: &str| json!({ "type": "string", "description": about });
    let texts = |about: &str| json!({ "type": "array", "items": { "type": "string" }, "description": about });
    let relations: Map<String, Value> = [RelationKind::DependsOn, RelationKind::ConflictsWith]
        .into_iter()
        .zip(["Skills that this one needs, by slug.", "Skills that must not be used together with this one, by slug."])
        .map(|(kind, about)| (kind.as_str().to_owned(), texts(about)))
        .collect();
    json!({
        "type": "object",
        "properties": {
            "id": text("The skill's id, so that an import knows it again."),
            "name": text("The slug; the frontmatter's name goes first."),
            "title": text("What lists show."),
            "description": text("What it does and when to use it; the frontmatter's goes first."),
            "version": text("Semantic version; the frontmatter's goes first."),
            "author": text("Who wrote it; the frontmatter's goes first."),
            "category": text("One word that the library groups by."),
            "tags": texts("Words that find the skill."),
            "triggers": texts("Sentences that a person may say to get this skill."),
            "intent_patterns": texts("Short phrases of what a person may want."),
            "when_not_to_use": text("What the skill is not for."),
            "user_invocable": { "type": "boolean", "description": "Whether it may be asked for by name in chat." },
            "steps": { "type": "array", "description": "The procedure, step by step.", "items": step() },
            "relations": { "type": "object", "description": "Other skills.", "properties": relations },
            "run": texts("Names of artifacts in the order in which they run."),
            "artifacts": { "type": "array", "description": "The files that are artifacts.", "items": artifact() },
            "metadata": {
                "type": "object",
                "description": "Whatever else there is to say.",
                "properties": { manifest::KEY: manifest::schema() },
            },
        },
    })
}

/// The shape of a DSPy module's file.
#[must_use]
pub fn dspy_module() -> Value {
    json!({
        "type": "object",
        "required": ["template_id", "signature"],
        "properties": {
            "template_id": { "enum": TEMPLATES, "description": "How the program works." },
            "signature": { "type": "string", "description": "Its fields, e.g. `question, context: list[str] -> answer: str`." },
            "instructions": { "type": "string", "description": "What it should do." },
            "parameters": { "type": "object", "description": "What the template of its kind takes." },
            "adapter": { "enum": ADAPTERS, "description": "How its prompts are written." },
        },
    })
}

fn step() -> Value {
    json!({
        "type": "object",
        "required": ["action"],
        "properties": {
            "step": { "type": "integer", "description": "Its number, from 1." },
            "action": { "type": "string", "description": "Short name of the action." },
            "description": { "type": "string", "description": "What to do." },
            "tool": { "type": "string", "description": "Tool to use." },
            "params": { "type": "object", "description": "The tool's parameters." },
        },
    })
}

fn artifact() -> Value {
    let kinds: Vec<&str> = ArtifactKind::ALL.into_iter().map(ArtifactKind::as_str).collect();
    let rights: Vec<&str> = CAPABILITIES.iter().map(|(_, name)| *name).collect();
    json!({
        "type": "object",
        "required": ["path", "kind", "name"],
        "properties": {
            "path": { "type": "string", "description": "Its file." },
            "kind": { "enum": kinds, "description": "What it is, which decides how it runs." },
            "name": { "type": "string", "description": "Its name. Templates take what it gives as outputs.<name>." },
            "ordinal": { "type": "integer", "description": "Its place among the others." },
            "variant": { "type": "string", "description": "The model family that this text is for." },
            "state": { "type": "string", "description": "File with what an optimisation found." },
            "id": { "type": "string", "description": "Its id." },
            "metadata": {
                "type": "object",
                "description": "What belongs to its kind.",
                "properties": {
                    "params": { "type": "object", "description": "JSON Schema of its values: title, description, type and default of each." },
                    "outputs": { "type": "array", "items": { "type": "string" }, "description": "Names that it gives to those after it." },
                    "fallback_artifact": { "type": "string", "description": "Name of the prompt that runs where this can't." },
                    "rights": { "type": "array", "items": { "enum": rights }, "description": "What the script may do; everything without it." },
                    "assertions": { "type": "array", "description": "What must hold of its output.", "items": assertion() },
                },
            },
        },
    })
}

fn assertion() -> Value {
    let mut properties = Map::new();
    properties.insert("type".to_owned(), json!({ "enum": type_names(), "description": "What is checked." }));
    let mut checks: Vec<&str> = KINDS.iter().filter_map(|kind| kind.check).collect();
    checks.dedup();
    properties.insert("check".to_owned(), json!({ "enum": checks, "description": "Which check of the type." }));
    for (name, form) in KINDS.iter().flat_map(|kind| kind.required.iter().chain(kind.optional)).chain(COMMON) {
        properties.entry((*name).to_owned()).or_insert_with(|| shape(*form));
    }
    json!({ "type": "object", "required": ["type"], "properties": properties })
}

fn shape(form: Form) -> Value {
    match form {
        Form::Text | Form::Pattern | Form::Flags => json!({ "type": "string" }),
        Form::Texts => json!({ "type": "array", "items": { "type": "string" } }),
        Form::Number | Form::Count => json!({ "type": "number" }),
        Form::Word(words) => json!({ "enum": words }),
        Form::Schema => json!({ "type": "object" }),
        Form::TextOrTexts | Form::Any => json!({}),
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use inklings_core::{SkillFormat as _, SkillPath, Tree, TreeFile};

    use super::*;

    struct Ids;
    impl inklings_core::IdSource for Ids {
        fn uuid(&self) -> uuid::Uuid {
            uuid::Uuid::new_v4()
        }
    }

    /// A key that the folder doesn't read takes any value; one that it reads refuses one of the wrong type.
    #[test]
    fn what_is_offered_is_read() {
        let folder = inklings_folder::Folder::new(Arc::new(Ids));
        let main = SkillPath::parse("SKILL.md").unwrap();
        let read = |json: &Value| {
            let mut tree = Tree::new();
            tree.insert(main.clone(), TreeFile::new(b"---\nname: one\ndescription: d\n---\n".as_slice()));
            tree.insert(inklings_core::skill::skill_json(), TreeFile::new(json.to_string().into_bytes()));
            folder.read(&tree, "one", None).map(|_| ())
        };
        let schema = skill_json();
        for key in schema["properties"].as_object().unwrap().keys() {
            assert!(read(&json!({ key.as_str(): 1 })).is_err(), "{key} is offered and not read");
        }
        let item = &schema["properties"]["artifacts"]["items"]["properties"];
        for key in item.as_object().unwrap().keys() {
            let mut entry = json!({ "path": "a.md", "kind": "approach", "name": "a" });
            entry[key] = json!([[]]);
            assert!(read(&json!({ "artifacts": [entry] })).is_err(), "{key} of an artifact is offered and not read");
        }
        assert!(read(&json!({ "unknown": 1 })).is_ok());
    }
}
