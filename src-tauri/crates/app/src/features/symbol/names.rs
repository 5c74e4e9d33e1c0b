use std::collections::BTreeMap;

use inklings_core::name::output_key;
use inklings_core::{Artifact, ArtifactKind, Skill, SkillPath};
use inklings_lint::schema;
use inklings_prompt::variables::{Variable, describe};
use inklings_prompt::{help, names};
use inklings_symbols::{Role, Symbol, Texts};
use serde_json::Value;

use super::api::{ArtifactName, CompletionItem, KnownVariable, LanguageData, Names, OutputName};
use super::service::{SymbolService, texts};
use crate::wire::UnsavedText;

impl SymbolService<'_> {
    /// Everything that can be referenced in a skill.
    pub(super) fn names(&self, skill: &Skill, edits: Vec<UnsavedText>) -> Names {
        let texts = texts(self.prompts, skill, edits);
        let mut artifacts: Vec<ArtifactName> = Vec::new();
        let mut outputs = Vec::new();
        for one in &skill.package.artifacts {
            if artifacts.iter().any(|known| known.name == one.name && known.kind == one.kind) {
                continue;
            }
            artifacts.push(ArtifactName { name: one.name.clone(), kind: one.kind, path: one.path.clone() });
            if !one.kind.is_context() {
                outputs.push(OutputName {
                    key: output_key(&one.name),
                    artifact: one.name.clone(),
                    kind: one.kind,
                    fields: self.output_names(one),
                });
            }
        }
        let mut anchors: BTreeMap<SkillPath, Vec<String>> = BTreeMap::new();
        for (path, _) in texts.files() {
            for one in texts.mentions(path) {
                if let (Symbol::Heading { path, anchor }, Role::Defines) = (one.symbol, one.role) {
                    anchors.entry(path).or_default().push(anchor);
                }
            }
        }
        let files = skill.package.tree().into_keys().collect();
        Names { revision: skill.head.revision, variables: self.variables(&texts), outputs, artifacts, files, anchors }
    }

    /// Every variable that templates use, that `skill.json` declares or that an artifact provides, by name. A text that can't be parsed
    /// counts as it is stored.
    pub(super) fn variables(&self, texts: &Texts<'_>) -> Vec<KnownVariable> {
        let mut known: BTreeMap<String, KnownVariable> = BTreeMap::new();
        for artifact in &texts.package().artifacts {
            let mut used = self.used_variables(texts, artifact);
            if let Some(schema) = artifact.metadata.get("params") {
                describe(&mut used, schema);
            }
            for variable in used {
                let one = known.entry(variable.name.clone()).or_insert_with(|| known_variable(variable.clone()));
                one.variable.description = one.variable.description.take().or(variable.description);
                one.variable.default = one.variable.default.take().or(variable.default);
                if one.variable.fields.is_empty() {
                    (one.variable.shape, one.variable.fields) = (variable.shape, variable.fields);
                }
                one.declared |= declares(artifact, &one.variable.name);
                push_new(&mut one.asked_by, &artifact.name);
            }
            for name in self.output_names(artifact) {
                let one = known.entry(name.clone()).or_insert_with(|| known_variable(plain(name)));
                push_new(&mut one.given_by, &artifact.name);
            }
        }
        known.into_values().collect()
    }

    /// What a template uses and its `params` schema declares.
    fn used_variables(&self, texts: &Texts<'_>, artifact: &Artifact) -> Vec<Variable> {
        if !matches!(artifact.kind, ArtifactKind::PromptTemplate | ArtifactKind::CodeTemplate) {
            return Vec::new();
        }
        let text = texts.text(&artifact.path).filter(|_| artifact.path != texts.package().main_path).unwrap_or(&artifact.content);
        let mut used = self.prompts.variables(text).or_else(|_| self.prompts.variables(&artifact.content)).unwrap_or_default();
        used.retain(|variable| variable.name != "outputs");
        let declared = artifact.metadata.get("params").and_then(|schema| schema.get("properties")).and_then(Value::as_object);
        for name in declared.into_iter().flat_map(|properties| properties.keys()) {
            if used.iter().all(|variable| variable.name != *name) {
                used.push(plain(name.clone()));
            }
        }
        used
    }
}

impl KnownVariable {
    pub(super) fn facts(&self) -> Vec<String> {
        let Variable { shape, fields, default, .. } = &self.variable;
        let of = if fields.is_empty() { String::new() } else { format!(" with {}", fields.join(", ")) };
        let mut facts = match shape {
            inklings_prompt::Shape::Text => Vec::new(),
            inklings_prompt::Shape::List => vec![format!("A list{}.", of.replace(" with ", " of objects with "))],
            inklings_prompt::Shape::Object => vec![format!("An object{of}.")],
        };
        let lists = [("Used by", &self.asked_by), ("Provided by", &self.given_by)];
        facts.extend(
            lists.into_iter().filter(|(_, names)| !names.is_empty()).map(|(label, names)| format!("{label} {}.", names.join(", "))),
        );
        facts.extend(default.as_ref().map(|value| format!("Default: {value}.")));
        facts
    }
}

/// Whether an artifact's `params` schema has a variable.
pub(super) fn declares(artifact: &Artifact, name: &str) -> bool {
    let properties = artifact.metadata.get("params").and_then(|schema| schema.get("properties")).and_then(Value::as_object);
    properties.is_some_and(|properties| properties.contains_key(name))
}

fn plain(name: String) -> Variable {
    Variable { name, shape: inklings_prompt::Shape::Text, fields: Vec::new(), optional: false, description: None, default: None }
}

fn known_variable(variable: Variable) -> KnownVariable {
    KnownVariable { variable, asked_by: Vec::new(), given_by: Vec::new(), declared: false }
}

fn push_new(list: &mut Vec<String>, name: &str) {
    if list.iter().all(|known| known != name) {
        list.push(name.to_owned());
    }
}

/// The names that are available in every skill.
pub(super) fn language_data() -> LanguageData {
    let items = |names: &[&str], about: fn(&str) -> &'static str| {
        names.iter().map(|name| CompletionItem { name: (*name).to_owned(), about: about(name).to_owned() }).collect::<Vec<_>>()
    };
    let keys: Vec<&str> = inklings_folder::front::STANDARD_KEYS.into_iter().chain(inklings_folder::front::OUR_KEYS).collect();
    LanguageData {
        filters: items(names::FILTERS, help::filter),
        tests: items(names::TESTS, help::test),
        functions: items(names::FUNCTIONS, help::function),
        frontmatter: items(&keys, inklings_folder::front::about),
        skill_json: schema::skill_json(),
        dspy_module: schema::dspy_module(),
    }
}
