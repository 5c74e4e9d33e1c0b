//! Rules for folders and packages: sizes, counts, unique paths and names, text encoding.

use std::collections::{HashMap, HashSet};

use inklings_core::check::Diagnostic;
use inklings_core::limits;
use inklings_core::path::{SKILL_JSON, SkillPath};
use inklings_core::skill::{Artifact, Package, skill_json};
use inklings_core::tree::Tree;
use inklings_core::variant::is_valid_variant;

use crate::skipped::is_part_of_skill;

/// What to do about a skill beyond its limits.
pub(crate) const LIMIT_HINT: &str = "remove files that the skill doesn't need";

/// Whether a rule is about the size of the skill, not about the file in which it is exceeded.
pub(crate) fn is_limit(rule: &str) -> bool {
    rule.starts_with("limit/")
}

/// Errors of files that reading a folder skips. A skill that an older version stored with them keeps them until they are removed.
pub(crate) fn skipped(tree: &Tree, known: Option<&Package>) -> Vec<Diagnostic> {
    let skipped: Vec<&SkillPath> = tree.keys().filter(|path| !is_part_of_skill(path)).collect();
    if skipped.is_empty() {
        return Vec::new();
    }
    let known = known.map(Package::tree).unwrap_or_default();
    let refuse = |path: &SkillPath| {
        let finding = Diagnostic::error("folder/skipped", "this file is never part of a skill");
        finding.hint("use another name: files of other tools, such as .git and node_modules, are skipped").in_file(path)
    };
    skipped.into_iter().filter(|path| !known.contains_key(*path)).map(refuse).collect()
}

/// Errors of a folder as a whole: too many files, too many bytes, conflicting paths.
pub(crate) fn tree(tree: &Tree) -> Vec<Diagnostic> {
    let errors = sizes(tree.len(), tree.values().map(|entry| entry.bytes.len()).sum());
    // A later change may create it, so its path is reserved.
    let own = Some(skill_json()).filter(|own| !tree.contains_key(own));
    if errors.is_empty() { path_conflicts(own.iter().chain(tree.keys())) } else { errors }
}

/// Errors of a package that no folder can represent, with the sources that it has.
pub(crate) fn package(package: &Package) -> Vec<Diagnostic> {
    let states = package.artifacts.iter().filter_map(|artifact| artifact.state.as_ref());
    let paths: Vec<&SkillPath> = (package.artifacts.iter().map(|artifact| &artifact.path))
        .filter(|path| **path != package.main_path)
        .chain(states.clone().map(|state| &state.path))
        .chain(package.files.iter().map(|file| &file.path))
        .collect();
    let bytes = package.artifacts.iter().map(|artifact| artifact.content.len()).sum::<usize>()
        + states.map(|state| state.bytes.len()).sum::<usize>()
        + package.files.iter().map(|file| file.entry.bytes.len()).sum::<usize>();
    let has_main = package.sources.frontmatter.is_some() || package.main().is_some();
    let texts_count = usize::from(has_main) + usize::from(package.sources.skill_json.is_some());
    let mut errors = sizes(paths.len() + texts_count, bytes);
    let own = [package.main_path.clone(), skill_json()];
    errors.extend(path_conflicts(own.iter().chain(paths)));
    errors.extend(artifacts(&package.artifacts));
    errors.extend(texts(package));
    errors
}

fn texts(package: &Package) -> Vec<Diagnostic> {
    let mut errors = Vec::new();
    let mut length = |rule: &str, what: &str, text: &str, limit: usize| {
        let chars = text.chars().count();
        if chars == 0 {
            errors.push(Diagnostic::error(rule, format!("the {what} is empty")).hint("add one"));
        } else if chars > limit {
            let message = format!("the {what} is too long: {chars} characters (maximum {limit})");
            errors.push(Diagnostic::error(rule, message).hint("shorten it"));
        }
    };
    length("limit/name", "title", &package.name, limits::NAME_CHARS);
    length("limit/description", "description", &package.description, limits::DESCRIPTION_CHARS_LENIENT);
    let mut names = HashSet::new();
    for artifact in &package.artifacts {
        if !names.insert((&artifact.name, &artifact.variant)) {
            let message = format!("duplicate artifact name {:?}", artifact.name);
            errors.push(Diagnostic::error("artifact/duplicate-name", message).hint("rename one of them").in_file(&artifact.path));
        }
    }
    errors
}

/// Errors of individual artifacts.
pub(crate) fn artifacts(artifacts: &[Artifact]) -> Vec<Diagnostic> {
    let mut errors = Vec::new();
    for artifact in artifacts {
        let mut fail = |rule: &str, message: String, hint: &str| {
            errors.push(Diagnostic::error(rule, message).hint(hint).in_file(&artifact.path));
        };
        let bytes = artifact.content.len();
        if bytes > limits::ARTIFACT_BYTES {
            let message = format!("the artifact is too large: {bytes} bytes (maximum {})", limits::ARTIFACT_BYTES);
            fail("limit/artifact", message, "split it, or keep it as a plain file");
        }
        if artifact.content.contains('\0') {
            fail("folder/not-text", "the artifact contains a NUL character".to_owned(), "keep it as a plain file");
        }
        if artifact.name.trim().is_empty() || artifact.name.chars().count() > limits::NAME_CHARS {
            let message = format!("the artifact name must have 1 to {} characters", limits::NAME_CHARS);
            fail("limit/artifact-name", message, "choose another name");
        }
        if let Some(variant) = artifact.variant.as_deref().filter(|variant| !is_valid_variant(variant)) {
            fail("artifact/variant", format!("{variant:?} isn't a valid variant"), "use lowercase letters, digits, '.', '_' and '-'");
        }
    }
    errors
}

fn sizes(files: usize, bytes: usize) -> Vec<Diagnostic> {
    let mut errors = Vec::new();
    if files > limits::FILES {
        let message = format!("too many files: {files} (maximum {})", limits::FILES);
        errors.push(Diagnostic::error("limit/files", message).hint(LIMIT_HINT));
    }
    if bytes > limits::SKILL_BYTES {
        let message = format!("the skill is too large: {bytes} bytes (maximum {})", limits::SKILL_BYTES);
        errors.push(Diagnostic::error("limit/bytes", message).hint(LIMIT_HINT));
    }
    errors
}

/// Conflicting paths: equal except for case, or a file where another path has a folder.
fn path_conflicts<'a>(paths: impl Iterator<Item = &'a SkillPath>) -> Vec<Diagnostic> {
    let folded: Vec<(String, &SkillPath)> = paths.map(|path| (path.folded(), path)).collect();
    let mut errors = Vec::new();
    let mut files: HashMap<&str, &SkillPath> = HashMap::with_capacity(folded.len());
    let mut report = |path: &SkillPath, other: &SkillPath| {
        let rule = if path.as_str() == SKILL_JSON { "folder/reserved-path" } else { "folder/path-clash" };
        let message = format!("{path} and {other} can't exist in the same folder");
        errors.push(Diagnostic::error(rule, message).hint("rename one of them").in_file(path));
    };
    for (key, path) in &folded {
        if let Some(other) = files.insert(key, path) {
            report(path, other);
        }
    }
    for (key, path) in &folded {
        for (slash, _) in key.match_indices('/') {
            if let Some(other) = files.get(&key[..slash]) {
                report(path, other);
            }
        }
    }
    errors
}
