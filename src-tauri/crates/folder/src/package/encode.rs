//! A package's folder to JSON. The result is read back: texts of the folder are included only if the values alone don't
//! reproduce them byte for byte, and a folder that JSON can't represent is refused.

use std::collections::HashMap;

use base64::Engine;
use base64::engine::general_purpose::STANDARD as BASE64;
use inklings_core::check::Diagnostic;
use inklings_core::name::Slug;
use inklings_core::path::{SKILL_MD_LOWER, SkillPath};
use inklings_core::skill::{Artifact, Package, RelationKind, SkillFile};
use inklings_core::tree::Tree;

use super::json::{ARTIFACT_KEYS, JsonArtifact, JsonFile, JsonPackage, JsonRelations, JsonTexts, PACKAGE_KEYS};
use super::paths::{self, StatedPaths};
use super::{claims, decode};
use crate::values::CATEGORY_DEFAULT;
use crate::{json, json_edit, prose};

pub(super) fn write(package: &Package) -> Result<String, Vec<Diagnostic>> {
    let tree = package.tree();
    let mut json = values(package);
    for texts in [None, Some(texts(package))] {
        json.texts = texts;
        let text = pretty(&json);
        if holds(&text, &tree) {
            return Ok(text);
        }
    }
    let finding = Diagnostic::error("package/not-json", "this skill can't be represented as JSON");
    Err(vec![finding.hint("export it as a folder or as .skill instead")])
}

/// Indented by two spaces.
pub(super) fn pretty(value: &impl serde::Serialize) -> String {
    // Can't fail: all keys are strings.
    serde_json::to_string_pretty(value).unwrap_or_default()
}

fn holds(text: &str, tree: &Tree) -> bool {
    if text.len() > super::MAX_FILE_BYTES {
        return false;
    }
    let read = decode::read("", "", text);
    read.is_ok_and(|read| matches!(&read.skills[..], [skill] if !skill.is_refused() && skill.tree == *tree))
}

fn texts(package: &Package) -> JsonTexts {
    let text = |text: &Option<std::sync::Arc<str>>| text.as_deref().map(str::to_owned);
    JsonTexts { frontmatter: text(&package.sources.frontmatter), skill_json: text(&package.sources.skill_json) }
}

fn values(package: &Package) -> JsonPackage {
    let some = |items: &[String]| (!items.is_empty()).then(|| items.to_vec());
    let skill_json = package.sources.skill_json.as_deref();
    let body = package.main().map_or("", |main| &main.content);
    let mut metadata = package.metadata.clone();
    let mut claims = claims::lift(&mut metadata, PACKAGE_KEYS);
    let related = |kind| package.related(kind).map(str::to_owned).collect();
    let relations = JsonRelations { depends_on: related(RelationKind::DependsOn), conflicts_with: related(RelationKind::ConflictsWith) };
    JsonPackage {
        id: skill_json.and_then(json_edit::id),
        slug: (package.slug != Slug::of_name(&package.name)).then(|| package.slug.to_string()),
        name: package.name.clone(),
        description: package.description.clone(),
        version: Some(package.version.clone()),
        tags: some(&package.tags),
        source: claims.shift_remove("source"),
        author: package.author.clone(),
        category: (package.category != CATEGORY_DEFAULT).then(|| package.category.clone()),
        intent_patterns: some(&package.intent_patterns),
        trigger_phrases: some(&package.triggers),
        when_not_to_use: package.when_not_to_use.clone(),
        user_invocable: (!package.user_invocable).then_some(false),
        steps: (package.steps != prose::steps(body)).then(|| package.steps.clone()),
        relations: (!package.relations.is_empty()).then_some(relations),
        metadata: (!metadata.is_empty()).then_some(metadata),
        run: package.run.clone(),
        artifacts: artifacts(package),
        files: (!package.files.is_empty()).then(|| package.files.iter().map(file).collect()),
        main_path: (package.main_path.as_str() == SKILL_MD_LOWER).then(|| SKILL_MD_LOWER.to_owned()),
        texts: None,
        claims,
    }
}

fn file(file: &SkillFile) -> JsonFile {
    let plain = |text: &&str| !text.contains(|ch: char| ch.is_control() && !matches!(ch, '\n' | '\r' | '\t'));
    let text = file.entry.text().filter(plain);
    JsonFile {
        path: file.path.to_string(),
        text: text.map(str::to_owned),
        base64: text.is_none().then(|| BASE64.encode(&file.entry.bytes)),
        executable: file.entry.executable.then_some(true),
    }
}

fn artifacts(package: &Package) -> Vec<JsonArtifact> {
    let entries = package.sources.skill_json.as_deref().and_then(|text| json::read(text, &mut Vec::new()).ok()).unwrap_or_default();
    // Ids are exported only if `skill.json` states them.
    let ids: HashMap<&SkillPath, String> = entries.entries.iter().filter_map(|entry| Some((&entry.path, entry.id?.to_string()))).collect();
    let mut artifacts: Vec<JsonArtifact> = package
        .artifacts
        .iter()
        .map(|artifact| {
            let mut metadata = artifact.metadata.clone();
            let claims = claims::lift(&mut metadata, ARTIFACT_KEYS);
            JsonArtifact {
                id: ids.get(&artifact.path).cloned(),
                kind: artifact.kind,
                name: artifact.name.clone(),
                ordinal: Some(artifact.ordinal),
                path: None,
                content: artifact.content.to_string(),
                model_variant: artifact.variant.clone(),
                state_blob: artifact.state.as_ref().map(|state| BASE64.encode(&state.bytes)),
                state_path: None,
                metadata: (!metadata.is_empty()).then_some(metadata),
                executable: artifact.executable.then_some(true),
                claims,
            }
        })
        .collect();
    name_paths(package, &mut artifacts);
    artifacts
}

/// Adds the paths that differ from the default paths; all of them if adding some changes the others.
fn name_paths(package: &Package, artifacts: &mut [JsonArtifact]) {
    let assign = |artifacts: &[JsonArtifact], stated_paths: &[StatedPaths]| {
        let assigned = paths::assign(artifacts, stated_paths, &package.main_path, package.files.iter().map(|file| &file.path));
        let pairs = package.artifacts.iter().zip(assigned);
        pairs
            .map(|(artifact, assigned)| assigned.path == artifact.path && assigned.state.as_ref() == state_path(artifact))
            .collect::<Vec<bool>>()
    };
    let stated_paths = |named: &dyn Fn(usize) -> bool| -> Vec<StatedPaths> {
        let pairs = package.artifacts.iter().enumerate().map(|(index, artifact)| (named(index), artifact));
        pairs
            .map(|(named, artifact)| StatedPaths {
                path: named.then(|| artifact.path.clone()),
                state: named.then(|| state_path(artifact).cloned()).flatten(),
            })
            .collect()
    };
    let implied = assign(artifacts, &stated_paths(&|_| false));
    let mut names = stated_paths(&|index| !implied[index]);
    if assign(artifacts, &names).contains(&false) {
        names = stated_paths(&|_| true);
    }
    for (artifact, stated_paths) in artifacts.iter_mut().zip(names) {
        artifact.path = stated_paths.path.map(|path| path.to_string());
        artifact.state_path = stated_paths.state.map(|path| path.to_string());
    }
}

fn state_path(artifact: &Artifact) -> Option<&SkillPath> {
    artifact.state.as_ref().map(|state| &state.path)
}
