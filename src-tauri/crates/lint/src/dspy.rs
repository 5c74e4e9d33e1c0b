//! DSPy modules: the JSON that names a shipped template and its signature, and the prompt that stands in for it.

use inklings_core::check::Severity;
use inklings_core::manifest::nearest;
use inklings_core::{Artifact, ArtifactKind, Diagnostic, Package, SkillPath};
use inklings_folder::JsonText;
use serde_json::Value;

use crate::json;
use crate::signature::{self, Fault, TYPES};

/// The templates that the sidecar ships, by id.
pub const TEMPLATES: &[&str] =
    &["predict", "chain_of_thought", "react", "best_of_n", "refine", "multi_chain_comparison", "extract_then_verify", "map_reduce"];

/// How prompts can be written.
pub(crate) const ADAPTERS: [&str; 2] = ["chat", "json"];

/// Rules about a module's file.
pub(crate) fn content(path: &SkillPath, text: &str) -> Vec<Diagnostic> {
    let value = match json::read(path, text) {
        Ok(value) => value,
        Err(finding) => return vec![*finding],
    };
    let place = ModuleSource { path, text, json: JsonText::new(text) };
    let Some(object) = value.as_object() else {
        let message = "a DSPy module is an object with template_id and signature";
        return vec![place.at("dspy/shape", message.to_owned(), "").hint("write { \"template_id\": …, \"signature\": … }")];
    };
    let mut findings = Vec::new();
    for (key, check) in [("template_id", template_id as Check), ("signature", signature)] {
        match object.get(key) {
            Some(Value::String(text)) => findings.extend(check(&place, text)),
            Some(_) => findings.push(place.at("dspy/shape", format!("{key:?} must be a text"), &format!("/{key}"))),
            None => {
                let other = object.keys().find(|written| nearest(written, [key]).is_some());
                let hint = other.map_or_else(|| format!("add {key:?}"), |other| format!("did you mean {key:?} where it says {other:?}?"));
                findings.push(place.at("dspy/shape", format!("the module has no {key:?}"), "").hint(hint));
            }
        }
    }
    let shapes = [("instructions", Value::is_string as fn(&Value) -> bool, "a text"), ("parameters", Value::is_object, "an object")];
    for (key, fits, what) in shapes {
        if object.get(key).is_some_and(|value| !fits(value)) {
            findings.push(place.at("dspy/shape", format!("{key:?} must be {what}"), &format!("/{key}")));
        }
    }
    if object.get("adapter").is_some_and(|value| !ADAPTERS.iter().any(|known| value == known)) {
        let finding = place.at("dspy/shape", "unknown adapter".to_owned(), "/adapter");
        findings.push(finding.hint(format!("use {}", ADAPTERS.map(|known| format!("{known:?}")).join(" or "))));
    }
    findings
}

type Check = fn(&ModuleSource<'_>, &str) -> Option<Diagnostic>;

fn template_id(place: &ModuleSource<'_>, id: &str) -> Option<Diagnostic> {
    if TEMPLATES.contains(&id) {
        return None;
    }
    let near = nearest(id, TEMPLATES.iter().copied());
    let hint = match near {
        Some(known) => format!("did you mean {known:?}?"),
        None => format!("use one of {}", TEMPLATES.join(", ")),
    };
    Some(place.at("dspy/template", format!("unknown template {id:?}"), "/template_id").hint(hint).meant(near))
}

fn signature(place: &ModuleSource<'_>, text: &str) -> Option<Diagnostic> {
    let (fault, part) = signature::parse(text).err()?;
    let hint = match &fault {
        Fault::Type(word) => match nearest(word, TYPES.iter().copied()) {
            Some(known) => format!("did you mean {known:?}?"),
            None => format!("types are made of {}", TYPES.join(", ")),
        },
        _ => "write it like `question, context: list[str] -> answer: str`".to_owned(),
    };
    let finding = place.at("dspy/signature", fault.to_string(), "/signature").hint(hint);
    Some(match place.json.inside("/signature", text, &part) {
        Some(range) if !range.is_empty() => finding.span(place.text, range),
        _ => finding,
    })
}

/// A module's file, to place findings in.
struct ModuleSource<'a> {
    path: &'a SkillPath,
    text: &'a str,
    json: JsonText<'a>,
}

impl ModuleSource<'_> {
    fn at(&self, rule: &str, message: String, pointer: &str) -> Diagnostic {
        self.json.place(self.path, Diagnostic::error(rule, message).pointer(pointer))
    }
}

/// Rules about the prompt that is rendered when the sidecar can't run. Pointers start at the artifact's entry.
pub(crate) fn fallback(package: &Package, module: &Artifact) -> Option<Diagnostic> {
    const POINTER: &str = "/metadata/fallback_artifact";
    let prompts = || package.artifacts.iter().filter(|artifact| artifact.kind == ArtifactKind::PromptTemplate);
    let names = || prompts().map(|artifact| artifact.name.as_str());
    let wanted = match module.metadata.get("fallback_artifact") {
        Some(Value::String(name)) if !name.trim().is_empty() => name.as_str(),
        Some(Value::Null) | None => {
            let message = format!("{:?} has no fallback: without the sidecar it can't run", module.name);
            let hint = names().next().map_or_else(
                || "add a prompt_template and name it in metadata.fallback_artifact".to_owned(),
                |name| format!("name a prompt in metadata.fallback_artifact, e.g. {name:?}"),
            );
            let finding = Diagnostic::new(Severity::Warning, "dspy/fallback", message).pointer("").hint(hint);
            return Some(finding.meant(names().next()));
        }
        Some(_) => {
            let finding = Diagnostic::error("dspy/fallback", "fallback_artifact must be the name of a prompt_template");
            return Some(finding.pointer(POINTER));
        }
    };
    if names().any(|name| name == wanted) {
        return None;
    }
    let message = match package.artifacts.iter().find(|artifact| artifact.name == wanted) {
        Some(other) => format!("the fallback {wanted:?} is a {}, it must be a prompt_template", other.kind),
        None => format!("the fallback {wanted:?} is no artifact of this skill"),
    };
    let near = nearest(wanted, names()).or_else(|| names().next());
    let hint = match near {
        Some(name) => format!("did you mean {name:?}?"),
        None => "add a prompt_template to the skill".to_owned(),
    };
    Some(Diagnostic::error("dspy/fallback", message).pointer(POINTER).hint(hint).meant(near))
}
