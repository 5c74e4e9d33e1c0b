//! Prompt templates. The templates of scripts are in [`crate::script`].

use std::collections::BTreeSet;
use std::sync::LazyLock;

use inklings_core::{Artifact, ArtifactKind, Diagnostic, Package};
use inklings_prompt::PromptEngine;

pub(crate) static ENGINE: LazyLock<PromptEngine> = LazyLock::new(PromptEngine::new);

/// Rules about a prompt template.
pub(crate) fn prompt(package: &Package, artifact: &Artifact, text: &str) -> Vec<Diagnostic> {
    let mut findings: Vec<Diagnostic> = ENGINE.check(text).iter().map(|error| error.to_diagnostic(artifact.path.as_str())).collect();
    if text.trim().is_empty() {
        let finding = Diagnostic::warning("template/empty", "the prompt is empty").in_file(&artifact.path);
        findings.push(finding.hint("add instructions for the model"));
    }
    findings.extend(variants(package, artifact, text));
    findings
}

/// A variant with other variables than the prompt that it replaces can't run with the same values.
fn variants(package: &Package, artifact: &Artifact, text: &str) -> Option<Diagnostic> {
    let same_name = |other: &&Artifact| other.kind == ArtifactKind::PromptTemplate && other.name == artifact.name;
    let siblings = package.artifacts.iter().filter(same_name);
    let first = siblings.min_by_key(|other| (other.variant.is_some(), other.ordinal))?;
    if first.path == artifact.path {
        return None;
    }
    let (own, other) = (names(text)?, names(&first.content)?);
    let list = |names: &mut dyn Iterator<Item = &String>| names.map(String::as_str).collect::<Vec<_>>().join(", ");
    let (added, lacking) = (list(&mut own.difference(&other)), list(&mut other.difference(&own)));
    let difference = match (added.is_empty(), lacking.is_empty()) {
        (true, true) => return None,
        (false, true) => format!("it also uses {added}"),
        (true, false) => format!("it doesn't use {lacking}"),
        (false, false) => format!("it also uses {added} and doesn't use {lacking}"),
    };
    let message = format!("this variant and {} use different variables: {difference}", first.path);
    let finding = Diagnostic::warning("template/variants", message).in_file(&artifact.path).at(1, 1);
    Some(finding.hint("use the same variables in all variants of a prompt"))
}

fn names(text: &str) -> Option<BTreeSet<String>> {
    let variables = ENGINE.variables(text).ok()?;
    Some(variables.into_iter().map(|variable| variable.name).collect())
}
