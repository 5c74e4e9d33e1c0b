//! Validates one file while it is edited, a stored skill, or a package that was just read.

use std::collections::HashSet;

use inklings_core::skill::skill_json;
use inklings_core::{Artifact, ArtifactKind, Diagnostic, Package, SkillFormat, SkillPath, Tree, TreeFile};
use inklings_evals::cases;
use inklings_folder::JsonText;
use serde_json::Value;

use crate::json_schema::JsonSchema;
use crate::{dspy, json, package, script, template, undeclared};

/// The skill that a file belongs to.
#[derive(Clone, Copy)]
pub struct Context<'a> {
    /// The skill without the file's unsaved text.
    pub package: &'a Package,
    /// Reads folders.
    pub format: &'a dyn SkillFormat,
}

/// Diagnostics of `text` as the new content of the skill's file `path`. All are about that file.
#[must_use]
pub fn check_file(context: &Context<'_>, path: &SkillPath, text: &str) -> Vec<Diagnostic> {
    let mut findings = if path.is_skill_md() || *path == skill_json() {
        declaring_file(context, path, text)
    } else {
        other_file(context.package, path, text)
    };
    findings.retain(|finding| finding.file.as_deref() == Some(path.as_str()));
    ordered(findings)
}

/// Diagnostics of a stored skill, including those of reading its folder.
#[must_use]
pub fn check_skill(package: &Package, format: &dyn SkillFormat) -> Vec<Diagnostic> {
    match format.read(&package.tree(), package.slug.as_str(), Some(package)) {
        Ok(reading) => {
            let mut findings = reading.diagnostics;
            findings.extend(check_package(package));
            ordered(findings)
        }
        Err(findings) => ordered(findings),
    }
}

/// Diagnostics of a package that was just read, without those of reading it.
#[must_use]
pub fn check_package(package: &Package) -> Vec<Diagnostic> {
    let mut findings = package::check(package);
    let declared = JsonText::of(package);
    for artifact in &package.artifacts {
        findings.extend(artifact_text(package, artifact, &artifact.content));
        findings.extend(artifact_entry(package, artifact, &declared));
        if let Some(state) = &artifact.state {
            let text = std::str::from_utf8(&state.bytes).unwrap_or_default();
            findings.extend(json::check(&state.path, text));
        }
    }
    for file in &package.files {
        if let Some(text) = file.entry.text() {
            findings.extend(plain_file(&file.path, text));
        }
    }
    ordered(findings)
}

/// `SKILL.md` and `skill.json` define the skill, so the whole skill is read again with the new text.
fn declaring_file(context: &Context<'_>, path: &SkillPath, text: &str) -> Vec<Diagnostic> {
    let tree = tree_with_text(context.package, path, text);
    match context.format.read(&tree, context.package.slug.as_str(), Some(context.package)) {
        Err(findings) => findings,
        Ok(reading) => {
            let mut findings = reading.diagnostics;
            findings.extend(package::check(&reading.package));
            let declared = JsonText::of(&reading.package);
            for artifact in &reading.package.artifacts {
                findings.extend(artifact_entry(&reading.package, artifact, &declared));
            }
            findings
        }
    }
}

pub(crate) fn tree_with_text(package: &Package, path: &SkillPath, text: &str) -> Tree {
    let mut tree = package.tree();
    let executable = tree.get(path).is_some_and(|entry| entry.executable);
    tree.insert(path.clone(), TreeFile { bytes: text.as_bytes().into(), executable });
    tree
}

fn other_file(package: &Package, path: &SkillPath, text: &str) -> Vec<Diagnostic> {
    match package.artifacts.iter().find(|artifact| artifact.path == *path) {
        Some(artifact) => artifact_text(package, artifact, text),
        None if package.artifacts.iter().any(|artifact| artifact.state.as_ref().is_some_and(|state| state.path == *path)) => {
            json::check(path, text)
        }
        None => plain_file(path, text),
    }
}

fn plain_file(path: &SkillPath, text: &str) -> Vec<Diagnostic> {
    if cases::is_case_file(path.as_str()) {
        cases::check(path.as_str(), text, crate::assertion::one)
    } else if path.extension() == "json" {
        json::check(path, text)
    } else {
        Vec::new()
    }
}

/// Rules about an artifact's own file.
fn artifact_text(package: &Package, artifact: &Artifact, text: &str) -> Vec<Diagnostic> {
    match artifact.kind {
        ArtifactKind::PromptTemplate => {
            let mut findings = template::prompt(package, artifact, text);
            findings.extend(undeclared::check(package, artifact, text));
            findings
        }
        ArtifactKind::CodeTemplate => {
            let mut findings = script::check(artifact, text);
            findings.extend(undeclared::check(package, artifact, text));
            findings
        }
        ArtifactKind::DspyModule => dspy::content(&artifact.path, text),
        ArtifactKind::Example => plain_file(&artifact.path, text),
        ArtifactKind::Description | ArtifactKind::Approach => Vec::new(),
    }
}

/// Rules about an artifact's entry in `skill.json`.
fn artifact_entry(package: &Package, artifact: &Artifact, declared: &JsonText<'_>) -> Vec<Diagnostic> {
    let mut findings = crate::assertion::check_all(&artifact.metadata);
    findings.extend(params(artifact));
    if artifact.kind == ArtifactKind::DspyModule {
        findings.extend(dspy::fallback(package, artifact));
    }
    if matches!(artifact.kind, ArtifactKind::CodeTemplate | ArtifactKind::DspyModule) {
        findings.extend(script::rights(artifact));
    }
    findings.into_iter().map(|finding| declared.locate_in_entry(&artifact.path, finding)).collect()
}

/// The JSON Schema of an artifact's parameters.
fn params(artifact: &Artifact) -> Option<Diagnostic> {
    let error = JsonSchema::compile(artifact.metadata.get("params")?).err()?;
    let finding = Diagnostic::warning("artifact/params", format!("invalid JSON Schema of the parameters: {error}"));
    Some(finding.pointer("/metadata/params").hint("fix the schema: until then, values aren't checked before a run"))
}

/// The names in `metadata.outputs`.
#[must_use]
pub fn outputs(artifact: &Artifact) -> Option<Vec<String>> {
    let names = artifact.metadata.get("outputs")?.as_array()?;
    Some(names.iter().filter_map(Value::as_str).map(str::to_owned).collect())
}

/// Sorted by file and position, without duplicates: of two diagnostics about one value, the one with a line is kept.
fn ordered(mut findings: Vec<Diagnostic>) -> Vec<Diagnostic> {
    let placed: HashSet<(Option<String>, String)> = findings
        .iter()
        .filter(|finding| finding.line.is_some())
        .filter_map(|finding| Some((finding.file.clone(), finding.pointer.clone().filter(|pointer| !pointer.is_empty())?)))
        .collect();
    findings.retain(|finding| {
        let pointer = finding.pointer.clone().unwrap_or_default();
        finding.line.is_some() || !placed.contains(&(finding.file.clone(), pointer))
    });
    findings.sort_by(|a, b| (&a.file, a.line, a.column, a.severity, &a.rule).cmp(&(&b.file, b.line, b.column, b.severity, &b.rule)));
    findings.dedup();
    findings
}
