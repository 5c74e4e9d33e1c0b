//! Variables of a template that nothing declares: a run can't ask for them, and most are misspelled.

use std::collections::BTreeSet;

use inklings_core::manifest::nearest;
use inklings_core::{Artifact, ArtifactKind, Diagnostic, Package};
use serde_json::Value;

use crate::dspy;
use crate::skill::outputs;
use crate::template::ENGINE;

/// Holds the outputs of earlier artifacts in every template.
const OUTPUTS: &str = "outputs";
/// Keywords of a schema that may declare properties in other places than `properties`.
const COMPOSITION: [&str; 7] = ["$ref", "allOf", "anyOf", "oneOf", "if", "dependentSchemas", "patternProperties"];

/// Each use of a variable that the `params` schema of the artifact doesn't declare and that no artifact before it can provide.
/// Templates without a schema are free to use any variable.
pub(crate) fn check(package: &Package, artifact: &Artifact, text: &str) -> Vec<Diagnostic> {
    let (Some(declared), Ok(uses)) = (declared(artifact), ENGINE.uses(text)) else { return Vec::new() };
    let Some(provided) = provided(package, artifact) else { return Vec::new() };
    let is_known = |name: &str| name == OUTPUTS || declared.contains(&name) || provided.contains(name);
    let known = || declared.iter().copied().chain(provided.iter().map(String::as_str));
    uses.iter()
        .filter(|(name, _)| !is_known(name))
        .map(|(name, span)| {
            let near = nearest(name, known());
            let hint = match near {
                Some(known) => format!("did you mean {known:?}?"),
                None => "declare it in metadata.params of the artifact in skill.json".to_owned(),
            };
            let finding = Diagnostic::warning("template/undeclared", format!("the parameters don't declare {name:?}"));
            let finding = finding.in_file(&artifact.path).at(span.line, span.column).to(span.end_line, span.end_column);
            finding.hint(hint).meant(near)
        })
        .collect()
}

/// The properties of the `params` schema. `None` if there is no schema, or one that allows others.
fn declared(artifact: &Artifact) -> Option<Vec<&str>> {
    let schema = artifact.metadata.get("params")?.as_object()?;
    let is_open = matches!(schema.get("additionalProperties"), Some(Value::Bool(true) | Value::Object(_)));
    if is_open || COMPOSITION.iter().any(|keyword| schema.contains_key(*keyword)) {
        return None;
    }
    Some(schema.get("properties")?.as_object()?.keys().map(String::as_str).collect())
}

/// Names that the artifacts before this one add to the values. `None` if one may add any name.
fn provided(package: &Package, artifact: &Artifact) -> Option<BTreeSet<String>> {
    let mut names = BTreeSet::new();
    for other in package.artifacts.iter().filter(|other| other.path != artifact.path && runs_before(package, other, artifact)) {
        match other.kind {
            ArtifactKind::CodeTemplate => names.extend(outputs(other)?),
            ArtifactKind::DspyModule => names.extend(outputs(other).or_else(|| dspy::outputs(&other.content))?),
            _ => {}
        }
    }
    Some(names)
}

/// Without `run` in `skill.json` a run is ordered by what its artifacts need. A fallback runs in the place of its module.
fn runs_before(package: &Package, other: &Artifact, artifact: &Artifact) -> bool {
    let falls_back = |one: &Artifact| one.metadata.get("fallback_artifact").and_then(Value::as_str) == Some(&artifact.name);
    let Some(run) = &package.run else { return !falls_back(other) };
    let is = |entry: &str, one: &Artifact| entry == one.name || entry == one.path.as_str();
    let is_it = |entry: &String| is(entry, artifact) || package.artifacts.iter().any(|one| falls_back(one) && is(entry, one));
    let first = run.iter().position(|entry| is(entry, other));
    first.is_some_and(|first| run.iter().rposition(is_it).is_some_and(|last| first < last))
}
