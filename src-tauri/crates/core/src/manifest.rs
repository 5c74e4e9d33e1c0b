//! The skill manifest: what a skill declares about its requirements, governance and evaluation.
//!
//! It is stored at `metadata.manifest` and is declarative: nothing here executes or checks readiness. [`parse`] is for callers that
//! want errors, [`safe`] for those that must also handle old or broken skills. To add a field, add it to
//! its type in `model.rs`; the check against the schema, the hints and the published schema follow from the type.

mod evals;
mod model;
mod nearest;
mod review_mode;
mod string_enum;
mod summary;
#[cfg(test)]
mod tests;

use std::collections::BTreeSet;
use std::sync::LazyLock;

use schemars::generate::SchemaSettings;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

pub use self::evals::{CandidateStrategy, Evals, Optimization, Promotion, PromotionMode, UnknownStrategy};
pub use self::model::{
    ActionMode, BindingTarget, Delegation, DeterministicStep, ExportFormat, GateMoment, GoalLoop, HumanGate, Interop, ManifestBinding,
    Relationship, RequiredAction, RequiredIntegration, SkillManifestV1, StepKind, StepMoment, Version1,
};
pub use self::nearest::nearest;
pub use self::review_mode::ReviewMode;
pub use self::summary::{Badge, BadgeKind, EvalSummary, SkillManifestSummary, badges, prompt_line, summarize};
use crate::check::{Diagnostic, Severity};
use crate::shape;

/// Key of the manifest in a skill's metadata.
pub const KEY: &str = "manifest";

/// The highest promotion threshold; rubrics rate from 1 to 5.
pub const MAX_SCORE: f64 = 5.0;

/// The JSON Schema of the manifest, without references.
#[must_use]
pub fn schema() -> &'static Value {
    static SCHEMA: LazyLock<Value> = LazyLock::new(|| {
        let generator = SchemaSettings::draft2020_12().with(|settings| settings.inline_subschemas = true).into_generator();
        generator.into_root_schema_for::<SkillManifestV1>().to_value()
    });
    &SCHEMA
}

/// Parses a manifest strictly: an unknown key, a wrong type or a broken rule is an error with its JSON pointer.
pub fn parse(value: &Value) -> Result<SkillManifestV1, Vec<Diagnostic>> {
    let (manifest, findings) = check(value);
    match manifest {
        Some(manifest) if !findings.iter().any(Diagnostic::is_error) => Ok(manifest),
        _ => Err(findings),
    }
}

/// Parses the manifest in a skill's metadata leniently: a missing one is empty, a malformed one or one of
/// another version is reported and treated as empty, and unknown keys are reported and ignored. Diagnostics are warnings
/// with pointers from the root of the metadata.
#[must_use]
pub fn safe(metadata: &Map<String, Value>) -> (SkillManifestV1, Vec<Diagnostic>) {
    let Some(value) = metadata.get(KEY) else {
        return (SkillManifestV1::default(), Vec::new());
    };
    let (manifest, mut findings) = check(value);
    for finding in &mut findings {
        finding.severity = finding.severity.max(Severity::Warning);
        finding.pointer = Some(format!("/{KEY}{}", finding.pointer.as_deref().unwrap_or_default()));
    }
    (manifest.unwrap_or_default(), findings)
}

/// Gates at a moment that can't be passed without a decision.
#[must_use]
pub fn required_gates(metadata: &Map<String, Value>, when: GateMoment) -> Vec<HumanGate> {
    let mut gates: Vec<HumanGate> = enforced(metadata, "humanGates");
    gates.retain(|gate| gate.required && gate.when == when);
    gates
}

/// Tools that are unavailable while a skill with this metadata is used.
#[must_use]
pub fn forbidden_tools(metadata: &Map<String, Value>) -> Vec<String> {
    enforced(metadata, "forbiddenTools")
}

/// Whether programs see a skill with this metadata. A manifest that can't be read may hide it, so they don't.
#[must_use]
pub fn is_exposed_via_mcp(metadata: &Map<String, Value>) -> bool {
    metadata.get(KEY).is_none_or(|manifest| check(manifest).0.is_some_and(|manifest| manifest.interop.exposed_via_mcp()))
}

/// The valid items of a list. A mistake elsewhere in the manifest must not switch off what it enforces.
fn enforced<T: DeserializeOwned>(metadata: &Map<String, Value>, list: &str) -> Vec<T> {
    let items = metadata.get(KEY).and_then(|manifest| manifest.get(list)).and_then(Value::as_array);
    items.into_iter().flatten().filter_map(|item| T::deserialize(item).ok()).collect()
}

/// All diagnostics of a manifest, and its value if it is usable: unknown keys and broken rules leave
/// it usable, another version or a wrong type don't.
#[must_use]
pub fn check(value: &Value) -> (Option<SkillManifestV1>, Vec<Diagnostic>) {
    if let Some(finding) = other_version(value) {
        return (None, vec![finding]);
    }
    let shape = shape::check(schema(), value, "manifest");
    let mut findings = shape.findings;
    if shape.malformed {
        return (None, findings);
    }
    match SkillManifestV1::deserialize(value) {
        Ok(manifest) => {
            findings.extend(rules(&manifest));
            (Some(manifest), findings)
        }
        Err(error) => {
            findings.push(Diagnostic::error("manifest/shape", format!("invalid manifest: {error}")).pointer(""));
            (None, findings)
        }
    }
}

fn other_version(value: &Value) -> Option<Diagnostic> {
    let version = value.as_object()?.get("version")?;
    if version.as_u64() == Some(1) {
        return None;
    }
    let finding = Diagnostic::error("manifest/version", format!("manifest version {version} isn't supported"));
    Some(finding.pointer("/version").hint("use \"version\": 1"))
}

/// Rules about several fields, which a JSON Schema can't express.
fn rules(manifest: &SkillManifestV1) -> Vec<Diagnostic> {
    let mut findings = Vec::new();
    promotion(manifest, &mut findings);
    for (index, tool) in manifest.forbidden_tools.iter().enumerate().filter(|(_, tool)| manifest.required_tools.contains(tool)) {
        findings.push(
            Diagnostic::warning("manifest/contradiction", format!("the tool {tool:?} is both required and forbidden"))
                .pointer(format!("/forbiddenTools/{index}"))
                .hint("a forbidden tool is never available: remove it from one of the two lists"),
        );
    }
    let gates = manifest.human_gates.iter().map(|gate| gate.key.as_str());
    unique(gates, "humanGates", "key", "gate", &mut findings);
    let steps = manifest.deterministic_steps.iter().map(|step| step.key.as_str());
    unique(steps, "deterministicSteps", "key", "step", &mut findings);
    let actions = manifest.actions.iter().map(|action| action.action_slug.as_str());
    unique(actions, "actions", "actionSlug", "action", &mut findings);
    findings
}

fn promotion(manifest: &SkillManifestV1, findings: &mut Vec<Diagnostic>) {
    const POINTER: &str = "/evals/optimization/promotion";
    let Some(promotion) = manifest.evals.optimization.as_ref().and_then(|optimization| optimization.promotion.as_ref()) else {
        return;
    };
    match promotion.min_overall_score {
        None if promotion.mode == PromotionMode::AutonomousThreshold => findings.push(
            Diagnostic::error("manifest/promotion-threshold", "automatic promotion needs minOverallScore")
                .pointer(POINTER)
                .hint("add \"minOverallScore\" with the minimum score of a candidate, or use \"mode\": \"human_gate\""),
        ),
        Some(score) if !(0.0..=MAX_SCORE).contains(&score) => findings.push(
            Diagnostic::error("manifest/promotion-threshold", format!("minOverallScore must be between 0 and 5, found {score}"))
                .pointer(format!("{POINTER}/minOverallScore"))
                .hint("use a score between 0 and 5"),
        ),
        _ => {}
    }
}

fn unique<'a>(keys: impl Iterator<Item = &'a str>, list: &str, field: &str, what: &str, findings: &mut Vec<Diagnostic>) {
    let mut seen = BTreeSet::new();
    for (index, key) in keys.enumerate() {
        if !seen.insert(key) {
            findings.push(
                Diagnostic::error("manifest/duplicate", format!("duplicate {what} {key:?}"))
                    .pointer(format!("/{list}/{index}/{field}"))
                    .hint(format!("use a unique {field} for each {what}")),
            );
        }
    }
}
