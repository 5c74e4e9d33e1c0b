//! Which version follows from the changes of a skill.
//!
//! Semantic versioning as for a library whose interface is its artifacts, their variables and its permissions:
//! - major: an artifact or a variable was removed or renamed, an artifact has another kind, or the permissions changed;
//! - minor: an artifact, a variable, a file or a required skill was added, a file that isn't an artifact was removed, or a binary file
//!   changed;
//! - patch: everything else, which is text.
//!
//! Before 1.0.0, as in Cargo, the minor number stands for major changes and the patch number for all others.

use std::collections::{BTreeMap, BTreeSet};

use inklings_core::ArtifactKind;
use inklings_core::change::PathChange;
use inklings_core::path::SKILL_JSON;
use inklings_core::skill::{Artifact, Package, RelationKind};
use inklings_prompt::PromptEngine;
use inklings_registry::format::Permission;
use semver::{Prerelease, Version};
use serde_json::Value;

use super::api::VersionBump;
use super::changelog::CHANGELOG;
use crate::features::compare::{ComparedFile, differences};

/// A skill and what it may do.
#[derive(Clone, Copy)]
pub(super) struct Described<'a> {
    pub(super) package: &'a Package,
    pub(super) permissions: &'a BTreeSet<Permission>,
}

#[derive(Debug, Default)]
pub(super) struct SkillDiff {
    pub(super) files: Vec<ComparedFile>,
    /// `None` without changes.
    pub(super) bump: Option<VersionBump>,
    /// Why it isn't a patch.
    pub(super) reasons: Vec<String>,
}

impl SkillDiff {
    pub(super) fn between(prompts: &PromptEngine, before: Described<'_>, after: Described<'_>) -> Self {
        let files = differences(&before.package.tree(), &after.package.tree());
        let mut diff = Self { bump: (!files.is_empty()).then_some(VersionBump::Patch), files, reasons: Vec::new() };
        diff.compare_artifacts(prompts, before.package, after.package);
        diff.compare_permissions(before.permissions, after.permissions);
        diff.compare_requirements(before.package, after.package);
        diff.compare_files(before.package, after.package);
        diff
    }

    fn add(&mut self, bump: VersionBump, reason: String) {
        self.bump = self.bump.max(Some(bump));
        self.reasons.push(reason);
    }

    fn compare_artifacts(&mut self, prompts: &PromptEngine, before: &Package, after: &Package) {
        let (old, new) = (by_name(before), by_name(after));
        for (key, artifact) in &old {
            let Some(now) = new.get(key) else {
                let renamed = after.artifacts.iter().find(|one| one.path == artifact.path && !old.contains_key(&key_of(one)));
                let reason = renamed.map_or_else(
                    || format!("removes the artifact {}", label(artifact)),
                    |one| format!("renames the artifact {} to {}", label(artifact), label(one)),
                );
                self.add(VersionBump::Major, reason);
                continue;
            };
            if now.kind != artifact.kind {
                self.add(VersionBump::Major, format!("changes the kind of the artifact {}", label(artifact)));
            }
            let (was, is) = (variables(prompts, artifact), variables(prompts, now));
            for name in was.difference(&is) {
                self.add(VersionBump::Major, format!("removes the variable {name} of {}", label(artifact)));
            }
            for name in is.difference(&was) {
                self.add(VersionBump::Minor, format!("adds the variable {name} to {}", label(artifact)));
            }
        }
        for (key, artifact) in &new {
            let is_renamed = before.artifacts.iter().any(|one| one.path == artifact.path && !new.contains_key(&key_of(one)));
            if !old.contains_key(key) && !is_renamed {
                self.add(VersionBump::Minor, format!("adds the artifact {}", label(artifact)));
            }
        }
    }

    fn compare_permissions(&mut self, before: &BTreeSet<Permission>, after: &BTreeSet<Permission>) {
        for permission in after.difference(before) {
            self.add(VersionBump::Major, format!("requires the permission {permission}"));
        }
        for permission in before.difference(after) {
            self.add(VersionBump::Major, format!("no longer requires the permission {permission}"));
        }
    }

    fn compare_requirements(&mut self, before: &Package, after: &Package) {
        let known: BTreeSet<&str> = before.related(RelationKind::DependsOn).collect();
        for target in after.related(RelationKind::DependsOn).filter(|target| !known.contains(target)) {
            self.add(VersionBump::Minor, format!("requires the skill {target}"));
        }
    }

    fn compare_files(&mut self, before: &Package, after: &Package) {
        let is_artifact = |package: &Package, file: &ComparedFile| package.artifacts.iter().any(|one| one.path == file.path);
        let mut reasons = Vec::new();
        for file in self.files.iter().filter(|file| ![CHANGELOG, SKILL_JSON].contains(&file.path.as_str())) {
            match file.change {
                PathChange::Added if !is_artifact(after, file) => reasons.push(format!("adds the file {}", file.path)),
                PathChange::Removed if !is_artifact(before, file) => reasons.push(format!("removes the file {}", file.path)),
                PathChange::Modified if !file.text => reasons.push(format!("changes the binary file {}", file.path)),
                _ => {}
            }
        }
        for reason in reasons {
            self.add(VersionBump::Minor, reason);
        }
    }
}

/// Name and variant.
type ArtifactKey<'a> = (&'a str, Option<&'a str>);

fn key_of(artifact: &Artifact) -> ArtifactKey<'_> {
    (&artifact.name, artifact.variant.as_deref())
}

fn by_name(package: &Package) -> BTreeMap<ArtifactKey<'_>, &Artifact> {
    package.artifacts.iter().map(|artifact| (key_of(artifact), artifact)).collect()
}

fn label(artifact: &Artifact) -> String {
    artifact.variant.as_ref().map_or_else(|| artifact.name.clone(), |variant| format!("{} ({variant})", artifact.name))
}

/// What a template uses and its `params` schema declares. A template with errors uses nothing.
fn variables(prompts: &PromptEngine, artifact: &Artifact) -> BTreeSet<String> {
    let is_template = matches!(artifact.kind, ArtifactKind::PromptTemplate | ArtifactKind::CodeTemplate);
    let used = prompts.variables(&artifact.content).unwrap_or_default().into_iter().map(|variable| variable.name);
    let declared = artifact.metadata.get("params").and_then(|schema| schema.get("properties")).and_then(Value::as_object);
    let declared = declared.into_iter().flat_map(|properties| properties.keys().cloned());
    used.filter(|name| name != "outputs" && is_template).chain(declared).collect()
}

/// The version after a change of `last`. A prerelease is followed by its release.
pub(super) fn next_version(last: &Version, bump: VersionBump) -> Version {
    if !last.pre.is_empty() {
        return Version { pre: Prerelease::EMPTY, ..last.clone() };
    }
    let Version { major, minor, patch, .. } = *last;
    match (bump, major) {
        (VersionBump::Major, 0) => Version::new(0, minor + 1, 0),
        (VersionBump::Major, _) => Version::new(major + 1, 0, 0),
        (VersionBump::Minor, 1..) => Version::new(major, minor + 1, 0),
        (VersionBump::Minor | VersionBump::Patch, _) => Version::new(major, minor, patch + 1),
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use inklings_core::SkillPath;
    use inklings_core::ports::{IdSource, SkillFormat as _};
    use inklings_core::tree::{Tree, TreeFile};
    use inklings_folder::Folder;
    use inklings_registry::format::permissions;

    use super::*;

    struct Ids;

    impl IdSource for Ids {
        fn uuid(&self) -> uuid::Uuid {
            uuid::Uuid::new_v4()
        }
    }

    const MAIN: &str = "---\nname: a\ndescription: About.\n---\nText.\n";
    const PROMPT: &str = "Write about {{ topic }} for {{ reader }}.\n";
    const DECLARED: &str = r#"{"artifacts": [{"path": "prompts/draft.j2", "kind": "prompt_template", "name": "draft"}]}"#;
    const FILES: [(&str, &[u8]); 5] = [
        ("SKILL.md", MAIN.as_bytes()),
        ("skill.json", DECLARED.as_bytes()),
        ("prompts/draft.j2", PROMPT.as_bytes()),
        ("notes.md", b"Notes.\n"),
        ("pic.png", b"\x89P\0"),
    ];

    /// Without bytes, a file is removed.
    type FileEdit = (&'static str, Option<&'static [u8]>);

    fn package(edits: &[FileEdit]) -> Package {
        let mut files: BTreeMap<_, _> = FILES.into_iter().collect();
        for (path, bytes) in edits {
            match bytes {
                Some(bytes) => files.insert(path, bytes),
                None => files.remove(path),
            };
        }
        let tree: Tree = files.into_iter().map(|(path, bytes)| (SkillPath::parse(path).unwrap(), TreeFile::new(bytes))).collect();
        Folder::new(Arc::new(Ids)).read(&tree, "a", None).unwrap().package
    }

    fn diff(edits: &[FileEdit]) -> (Option<VersionBump>, Vec<String>) {
        let (before, after) = (package(&[]), package(edits));
        let (old, new) = (permissions(&before).unwrap(), permissions(&after).unwrap());
        let before = Described { package: &before, permissions: &old };
        let diff = SkillDiff::between(&PromptEngine::new(), before, Described { package: &after, permissions: &new });
        (diff.bump, diff.reasons)
    }

    #[test]
    fn what_changed_decides_the_bump() {
        use VersionBump::{Major, Minor, Patch};
        let cases: [(FileEdit, VersionBump, &[&str]); 10] = [
            (("SKILL.md", Some(b"---\nname: a\ndescription: About.\n---\nOther text.\n")), Patch, &[]),
            (("prompts/draft.j2", Some(b"Tell about {{ topic }} for {{ reader }}.\n")), Patch, &[]),
            (("notes.md", Some(b"Other notes.\n")), Patch, &[]),
            (("CHANGELOG.md", Some(b"# Changelog\n")), Patch, &[]),
            (("more.md", Some(b"More.\n")), Minor, &["adds the file more.md"]),
            (("notes.md", None), Minor, &["removes the file notes.md"]),
            (("pic.png", Some(b"\x89Q\0")), Minor, &["changes the binary file pic.png"]),
            (("prompts/draft.j2", Some(b"{{ topic }} {{ reader }} {{ tone }}\n")), Minor, &["adds the variable tone to draft"]),
            (("prompts/draft.j2", Some(b"Write about {{ topic }}.\n")), Major, &["removes the variable reader of draft"]),
            (
                ("run.sh", Some(b"#!/bin/sh\n")),
                Major,
                &["requires the permission network", "requires the permission native-scripts", "adds the file run.sh"],
            ),
        ];
        for (edit, bump, reasons) in cases {
            assert_eq!(diff(&[edit]), (Some(bump), reasons.iter().map(ToString::to_string).collect()), "{}", edit.0);
        }
        assert_eq!(diff(&[]), (None, Vec::new()));
    }

    #[test]
    fn artifacts_are_the_interface() {
        let both = br#"{"artifacts": [{"path": "prompts/draft.j2", "kind": "prompt_template", "name": "draft"}, {"path": "prompts/more.j2", "kind": "prompt_template", "name": "more"}]}"#;
        let added = diff(&[("skill.json", Some(both)), ("prompts/more.j2", Some(b"More.\n"))]);
        assert_eq!(added, (Some(VersionBump::Minor), vec!["adds the artifact more".to_owned()]));
        let removed = diff(&[("skill.json", None), ("prompts/draft.j2", None)]);
        assert_eq!((removed.0, removed.1[0].as_str()), (Some(VersionBump::Major), "removes the artifact draft"));
        assert!(removed.1.contains(&"no longer requires the permission llm".to_owned()), "{removed:?}");
        let other = br#"{"artifacts": [{"path": "prompts/draft.j2", "kind": "prompt_template", "name": "outline"}]}"#;
        let renamed = diff(&[("skill.json", Some(other))]);
        assert_eq!(renamed, (Some(VersionBump::Major), vec!["renames the artifact draft to outline".to_owned()]));
    }

    #[test]
    fn versions_follow_semantic_versioning() {
        use VersionBump::{Major, Minor, Patch};
        for (last, bump, next) in [
            ("1.2.3", Patch, "1.2.4"),
            ("1.2.3", Minor, "1.3.0"),
            ("1.2.3", Major, "2.0.0"),
            ("0.2.3", Patch, "0.2.4"),
            ("0.2.3", Minor, "0.2.4"),
            ("0.2.3", Major, "0.3.0"),
            ("2.0.0-beta.1", Major, "2.0.0"),
        ] {
            assert_eq!(next_version(&Version::parse(last).unwrap(), bump).to_string(), next, "{last} {bump:?}");
        }
    }
}
