//! DSPy modules: the JSON with module type and signature, and the fallback prompt.

use inklings_core::check::Severity;
use inklings_core::manifest::nearest;
use inklings_core::{Artifact, ArtifactKind, Diagnostic, Package, SkillPath};
use inklings_folder::JsonText;
use serde_json::Value;

use crate::json;
use crate::signature::{self, Fault, TYPES};

/// Ids of the module types that the sidecar provides.
pub const TEMPLATES: &[&str] =
    &["predict", "chain_of_thought", "react", "best_of_n", "refine", "multi_chain_comparison", "extract_then_verify", "map_reduce"];

/// DSPy's adapters, which format prompts and parse answers.
pub(crate) const ADAPTERS: [&str; 2] = ["chat", "json"];

/// Rules about a module's file.
pub(crate) fn content(path: &SkillPath, text: &str) -> Vec<Diagnostic> {
    let value = match json::read(path, text) {
        Ok(value) => value,
        Err(finding) => return vec![*finding],
    };
    let source = ModuleSource { path, text, json: JsonText::new(text) };
    let Some(object) = value.as_object() else {
        let message = "a DSPy module must be an object with template_id and signature";
        return vec![source.at("dspy/shape", message.to_owned(), "").hint("use { \"template_id\": …, \"signature\": … }")];
    };
    let mut findings = Vec::new();
    for (key, check) in [("template_id", template_id as Check), ("signature", signature)] {
        match object.get(key) {
            Some(Value::String(text)) => findings.extend(check(&source, text)),
            Some(_) => findings.push(source.at("dspy/shape", format!("{key:?} must be a string"), &format!("/{key}"))),
            None => {
                let other = object.keys().find(|written| nearest(written, [key]).is_some());
                let hint = other.map_or_else(|| format!("add {key:?}"), |other| format!("did you mean {key:?} instead of {other:?}?"));
                findings.push(source.at("dspy/shape", format!("missing key {key:?}"), "").hint(hint));
            }
        }
    }
    let shapes = [("instructions", Value::is_string as fn(&Value) -> bool, "a string"), ("parameters", Value::is_object, "an object")];
    for (key, fits, what) in shapes {
        if object.get(key).is_some_and(|value| !fits(value)) {
            findings.push(source.at("dspy/shape", format!("{key:?} must be {what}"), &format!("/{key}")));
        }
    }
    if object.get("adapter").is_some_and(|value| !ADAPTERS.iter().any(|known| value == known)) {
        let finding = source.at("dspy/shape", "unknown adapter".to_owned(), "/adapter");
        findings.push(finding.hint(format!("use {}", ADAPTERS.map(|known| format!("{known:?}")).join(" or "))));
    }
    findings
}

type Check = fn(&ModuleSource<'_>, &str) -> Option<Diagnostic>;

fn template_id(source: &ModuleSource<'_>, id: &str) -> Option<Diagnostic> {
    if TEMPLATES.contains(&id) {
        return None;
    }
    let near = nearest(id, TEMPLATES.iter().copied());
    let hint = match near {
        Some(known) => format!("did you mean {known:?}?"),
        None => format!("use one of {}", TEMPLATES.join(", ")),
    };
    Some(source.at("dspy/template", format!("unknown template {id:?}"), "/template_id").hint(hint).meant(near))
}

fn signature(source: &ModuleSource<'_>, text: &str) -> Option<Diagnostic> {
    let (fault, part) = signature::parse(text).err()?;
    let hint = match &fault {
        Fault::Type(word) => match nearest(word, TYPES.iter().copied()) {
            Some(known) => format!("did you mean {known:?}?"),
            None => format!("available types: {}", TYPES.join(", ")),
        },
        _ => "use a signature such as `question, context: list[str] -> answer: str`".to_owned(),
    };
    let finding = source.at("dspy/signature", fault.to_string(), "/signature").hint(hint);
    Some(match source.json.inside("/signature", text, &part) {
        Some(range) if !range.is_empty() => finding.span(source.text, range),
        _ => finding,
    })
}

struct ModuleSource<'a> {
    path: &'a SkillPath,
    text: &'a str,
    json: JsonText<'a>,
}

impl ModuleSource<'_> {
    fn at(&self, rule: &str, message: String, pointer: &str) -> Diagnostic {
        self.json.locate(self.path, Diagnostic::error(rule, message).pointer(pointer))
    }
}

/// The output fields of a module's signature. `None` if it can't be read.
pub(crate) fn outputs(text: &str) -> Option<Vec<String>> {
    let module: Value = serde_json::from_str(text).ok()?;
    let signature = signature::parse(module.get("signature")?.as_str()?).ok()?;
    Some(signature.outputs.into_iter().map(|field| field.name).collect())
}

/// Rules about the fallback prompt. Pointers are relative to the artifact's entry.
pub(crate) fn fallback(package: &Package, module: &Artifact) -> Option<Diagnostic> {
    const POINTER: &str = "/metadata/fallback_artifact";
    let prompts = || package.artifacts.iter().filter(|artifact| artifact.kind == ArtifactKind::PromptTemplate);
    let names = || prompts().map(|artifact| artifact.name.as_str());
    let wanted = match module.metadata.get("fallback_artifact") {
        Some(Value::String(name)) if !name.trim().is_empty() => name.as_str(),
        Some(Value::Null) | None => {
            let message = format!("{:?} has no fallback: it can't run if DSPy is unavailable", module.name);
            let hint = names().next().map_or_else(
                || "add a prompt_template and set metadata.fallback_artifact to its name".to_owned(),
                |name| format!("set metadata.fallback_artifact to a prompt, such as {name:?}"),
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
        Some(other) => format!("the fallback {wanted:?} must be a prompt_template, found {}", other.kind),
        None => format!("the fallback {wanted:?} isn't an artifact of this skill"),
    };
    let near = nearest(wanted, names()).or_else(|| names().next());
    let hint = match near {
        Some(name) => format!("did you mean {name:?}?"),
        None => "add a prompt_template to the skill".to_owned(),
    };
    Some(Diagnostic::error("dspy/fallback", message).pointer(POINTER).hint(hint).meant(near))
}
