//! A prompt as a DSPy module: the same inputs, its text as instructions, and the prompt as the fallback.

use std::fmt::Write as _;

use inklings_core::{Artifact, ArtifactKind, Package, Skill, SkillFile, TreeFile};
use inklings_folder::{Declaration, Folder, default_path, used_paths};
use inklings_prompt::{PromptEngine, Shape, Variable};
use serde_json::{Value, json};

use super::declarations::{FALLBACK, set_fallback};
use super::error::ProposalError;

const OUTPUT: &str = "answer";

/// The prompt to wrap: by path or name, or the first one.
pub(super) fn prompt<'a>(skill: &'a Skill, wanted: Option<&str>) -> Result<&'a Artifact, ProposalError> {
    let mut prompts = skill.package.artifacts.iter().filter(|one| one.kind == ArtifactKind::PromptTemplate && one.variant.is_none());
    let is_wanted = |one: &&Artifact| wanted.is_none_or(|wanted| one.path.as_str() == wanted || one.name == wanted);
    prompts.find(is_wanted).ok_or_else(|| ProposalError::NoPrompt(wanted.map(str::to_owned)))
}

/// Adds the module to a package.
pub(super) fn wrap(package: &mut Package, folder: &Folder, engine: &PromptEngine, prompt: &Artifact) -> Result<(), ProposalError> {
    let has_fallback = |one: &&Artifact| one.metadata.get(FALLBACK).and_then(Value::as_str) == Some(prompt.name.as_str());
    if let Some(module) = package.artifacts.iter().find(has_fallback) {
        return Err(ProposalError::AlreadyWrapped { prompt: prompt.name.clone(), module: module.name.clone() });
    }
    let variables =
        engine.variables(&prompt.content).map_err(|error| ProposalError::Prompt { path: prompt.path.clone(), why: error.to_string() })?;
    let module = json!({
        "template_id": "predict",
        "signature": signature(&variables, &prompt.metadata),
        "instructions": instructions(&prompt.content),
    });
    let name = format!("{} Module", prompt.name);
    let taken = used_paths(package);
    let path = default_path(ArtifactKind::DspyModule, &name, None, &taken.iter().collect::<Vec<_>>());
    let text = serde_json::to_string_pretty(&module).map_err(ProposalError::Unserializable)? + "\n";
    package.files.push(SkillFile { path: path.clone(), entry: TreeFile::new(text.into_bytes()) });
    package.files.sort_by(|a, b| a.path.cmp(&b.path));
    let declaration = Declaration { path: path.clone(), kind: ArtifactKind::DspyModule, name, variant: None };
    folder.declare(package, declaration)?;
    set_fallback(package, &path, &prompt.name);
    Ok(())
}

fn signature(variables: &[Variable], metadata: &serde_json::Map<String, Value>) -> String {
    let declared = |name: &str| metadata.get("params")?.get("properties")?.get(name)?.get("type")?.as_str();
    let kind = |variable: &Variable| match (declared(&variable.name), variable.shape) {
        (Some("integer"), _) => "int",
        (Some("number"), _) => "float",
        (Some("boolean"), _) => "bool",
        (Some("array"), _) | (None, Shape::List) => "list[Any]",
        (Some("object"), _) | (None, Shape::Object) => "dict[str, Any]",
        _ => "str",
    };
    let inputs: Vec<_> = variables.iter().map(|variable| format!("{}: {}", variable.name, kind(variable))).collect();
    format!("{} -> {OUTPUT}: str", inputs.join(", "))
}

/// The template's text with the names of its values in their places. Its control blocks have no equal in instructions.
fn instructions(template: &str) -> String {
    let mut text = String::new();
    let mut rest = template;
    while let Some(at) = ["{{", "{%", "{#"].iter().filter_map(|open| rest.find(open)).min() {
        text.push_str(&rest[..at]);
        let (open, tail) = rest[at..].split_at(2);
        let close = if open == "{{" {
            "}}"
        } else if open == "{%" {
            "%}"
        } else {
            "#}"
        };
        let Some(end) = tail.find(close) else {
            rest = &rest[at..];
            break;
        };
        if open == "{{" {
            let value = tail[..end].trim_matches('-').split('|').next().unwrap_or_default().trim();
            let _ = write!(text, "`{value}`");
        }
        rest = &tail[end + 2..];
    }
    text.push_str(rest);
    let mut lines: Vec<&str> = text.lines().map(str::trim_end).collect();
    lines.dedup_by(|a, b| a.is_empty() && b.is_empty());
    lines.join("\n").trim().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn instructions_name_the_values_and_have_no_control_blocks() {
        let template =
            "Judge \"{{ name | upper }}\".\n{# why #}\n{%- for claim in claims %}\n- {{ claim.text }}\n{% endfor %}\n\n\nBe brief.\n";
        assert_eq!(instructions(template), "Judge \"`name`\".\n\n- `claim.text`\n\nBe brief.");
        assert_eq!(instructions("An open {{ tag"), "An open {{ tag");
    }

    #[test]
    fn a_signature_has_the_declared_types_or_those_of_the_uses() {
        let variables = PromptEngine::default().variables("{{ name }}{% for one in items %}{{ one }}{% endfor %}{{ n }}").unwrap();
        let metadata = json!({"params": {"properties": {"n": {"type": "integer"}}}});
        assert_eq!(signature(&variables, metadata.as_object().unwrap()), "name: str, items: list[Any], n: int -> answer: str");
        assert_eq!(signature(&[], &serde_json::Map::new()), " -> answer: str");
    }
}
