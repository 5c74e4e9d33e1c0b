//! Skills on the disk, as folders, packages or single files. They are discovered together and read one by one, for imports and for
//! `inklings validate`.

use std::collections::{HashMap, HashSet};
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use inklings_core::path::SKILL_JSON;
use inklings_core::ports::ReadOutput;
use inklings_core::{Diagnostic, SkillFormat, SkillId, Tree};
use inklings_folder::package::{self, PackedSkill};
use inklings_folder::{DiskError, disk};
use inklings_rpc::Failure;

use crate::features::skill::ImportedText;

/// A skill on the disk.
#[derive(Debug, Clone)]
pub(crate) struct DiscoveredSkill {
    /// Its folder, its file or its package.
    path: PathBuf,
    /// Its content, if it is in a package. A folder is read later.
    packed: Option<Arc<PackedSkill>>,
}

#[derive(Debug)]
pub(crate) struct SkillFiles {
    pub(crate) tree: Tree,
    /// Problems while reading the files. A skill with an error is refused.
    pub(crate) diagnostics: Vec<Diagnostic>,
}

impl DiscoveredSkill {
    const fn folder_at(path: PathBuf) -> Self {
        Self { path, packed: None }
    }

    /// The skill with a label, in the texts or on the disk. None if it doesn't exist any more.
    pub(crate) fn labelled(label: &str, texts: &[ImportedText]) -> Result<Option<Self>, DiskError> {
        if let Some(skill) = unpack_all(texts).skills.into_iter().find(|skill| skill.label() == label) {
            return Ok(Some(skill));
        }
        let path = Path::new(label);
        match package_of(path).or_else(|| path.exists().then_some(path)) {
            Some(path) => Ok(discover(path)?.skills.into_iter().find(|skill| skill.label() == label)),
            None => Ok(None),
        }
    }

    /// The name in reports: the path, followed by the path in the package if that contains several skills.
    #[must_use]
    pub(crate) fn label(&self) -> String {
        let location = self.packed.as_ref().map_or("", |packed| packed.location.trim_start_matches('/'));
        if location.is_empty() { self.path.display().to_string() } else { self.path.join(location).display().to_string() }
    }

    /// The name of its folder, which is its slug unless its files declare another one.
    #[must_use]
    pub(crate) fn folder(&self) -> String {
        self.packed.as_ref().map_or_else(|| disk::folder_name(&self.path), |packed| packed.folder.clone())
    }

    /// Whether it is in a list of JSON packages, where its position says nothing.
    #[must_use]
    pub(crate) fn is_listed(&self) -> bool {
        self.packed.as_ref().is_some_and(|packed| packed.location.starts_with('/'))
    }

    /// The ID that the files of a package declare.
    #[must_use]
    pub(crate) fn packed_id(&self) -> Option<SkillId> {
        let (_, file) = self.packed.as_ref()?.tree.iter().find(|(path, _)| path.as_str() == SKILL_JSON)?;
        serde_json::from_slice::<serde_json::Value>(&file.bytes).ok()?.get("id")?.as_str()?.parse().ok()
    }

    /// Its folder, its file or its package.
    #[must_use]
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    pub(crate) fn read(&self) -> Result<SkillFiles, DiskError> {
        if let Some(packed) = &self.packed {
            return Ok(SkillFiles { tree: packed.tree.clone(), diagnostics: packed.findings.clone() });
        }
        let (tree, diagnostics) = disk::read_dir(&self.path)?;
        Ok(SkillFiles { tree, diagnostics })
    }

    /// Reads only the files that declare the skill: `SKILL.md` and `skill.json`.
    pub(crate) fn read_declaring_files(&self) -> Result<SkillFiles, DiskError> {
        if self.packed.is_some() {
            return self.read();
        }
        Ok(SkillFiles { tree: disk::read_marker_files(&self.path)?, diagnostics: Vec::new() })
    }
}

#[derive(Debug)]
pub(crate) struct ValidatedSkill {
    pub(crate) tree: Tree,
    /// None if the files can't be read as a skill.
    pub(crate) reading: Option<ReadOutput>,
    /// From reading the package, from reading the folder, and from the validator.
    pub(crate) diagnostics: Vec<Diagnostic>,
}

impl SkillFiles {
    /// Reads the files as a skill and validates it. Imports and validation both use this, so they report the same.
    pub(crate) fn validate(self, folder: &str, format: &dyn SkillFormat) -> ValidatedSkill {
        let Self { tree, mut diagnostics } = self;
        if diagnostics.iter().any(Diagnostic::is_error) {
            return ValidatedSkill { tree, reading: None, diagnostics };
        }
        let reading = match format.read(&tree, folder, None) {
            Ok(mut reading) => {
                diagnostics.append(&mut reading.diagnostics);
                diagnostics.extend(inklings_lint::check_package(&reading.package));
                Some(reading)
            }
            Err(mut errors) => {
                diagnostics.append(&mut errors);
                None
            }
        };
        ValidatedSkill { tree, reading, diagnostics }
    }
}

#[derive(Debug)]
pub(crate) struct Discovery {
    pub(crate) skills: Vec<DiscoveredSkill>,
    /// Problems of the search.
    pub(crate) diagnostics: Vec<Diagnostic>,
}

/// The skills at or below some paths and in some texts, each once and in byte order. A path may be the label of a skill.
pub(crate) fn find(paths: &[PathBuf], texts: &[ImportedText]) -> Result<Discovery, DiskError> {
    find_labelled(paths, texts, |_| false)
}

/// [`find`] of newer versions of skills. A label in a JSON file stands for all skills of the file, whose positions may have changed.
pub(crate) fn find_newer(paths: &[PathBuf], texts: &[ImportedText]) -> Result<Discovery, DiskError> {
    find_labelled(paths, texts, |package| ends_with(package, &["json"]))
}

fn find_labelled(paths: &[PathBuf], texts: &[ImportedText], is_whole: impl Fn(&Path) -> bool) -> Result<Discovery, DiskError> {
    let Discovery { mut skills, mut diagnostics } = unpack_all(texts);
    for path in paths {
        let package = package_of(path);
        let mut found = discover(package.unwrap_or(path))?;
        if package.is_some_and(|package| !is_whole(package)) {
            found.skills.retain(|skill| Path::new(&skill.label()) == path);
        }
        skills.append(&mut found.skills);
        diagnostics.append(&mut found.diagnostics);
    }
    Ok(Discovery { skills: sorted(skills), diagnostics })
}

/// The package that the label of a skill in it begins with.
fn package_of(label: &Path) -> Option<&Path> {
    label.ancestors().find(|path| path.exists()).filter(|found| *found != label && is_package(found))
}

/// Each skill once, by label.
pub(crate) fn sorted(skills: Vec<DiscoveredSkill>) -> Vec<DiscoveredSkill> {
    let mut labelled: Vec<(String, DiscoveredSkill)> = skills.into_iter().map(|skill| (skill.label(), skill)).collect();
    labelled.sort_by(|a, b| a.0.cmp(&b.0));
    labelled.dedup_by(|a, b| a.0 == b.0);
    labelled.into_iter().map(|(_, skill)| skill).collect()
}

fn discover(path: &Path) -> Result<Discovery, DiskError> {
    if is_package(path) {
        return Ok(unpack(path, path, &disk::read_file(path, package::MAX_FILE_BYTES)?));
    }
    let (folders, diagnostics) = disk::discover(path)?;
    Ok(Discovery { skills: folders.into_iter().map(DiscoveredSkill::folder_at).collect(), diagnostics })
}

/// Whether a file is a package by its name; Markdown and the files of a skill's folder are not.
fn is_package(path: &Path) -> bool {
    ends_with(path, &["skill", "zip", "json"]) && path.file_name() != Some(OsStr::new(SKILL_JSON)) && path.is_file()
}

/// Whether skills may be imported from a file, by its name.
pub(crate) fn may_contain_skills(path: &Path) -> bool {
    ends_with(path, &["skill", "zip", "json", "md"])
}

fn ends_with(path: &Path, extensions: &[&str]) -> bool {
    path.extension().and_then(OsStr::to_str).is_some_and(|extension| extensions.iter().any(|one| extension.eq_ignore_ascii_case(one)))
}

fn unpack_all(texts: &[ImportedText]) -> Discovery {
    let (mut skills, mut diagnostics) = (Vec::new(), Vec::new());
    for (ImportedText { name, text }, label) in texts.iter().zip(labels(texts)) {
        let mut found = unpack(Path::new(&label), Path::new(name), text.as_bytes());
        skills.append(&mut found.skills);
        diagnostics.append(&mut found.diagnostics);
    }
    Discovery { skills, diagnostics }
}

/// The names of texts. Files of several folders may have the same one, so it is numbered.
fn labels(texts: &[ImportedText]) -> Vec<String> {
    let (mut taken, mut numbers) = (HashSet::new(), HashMap::new());
    let label = |text: &ImportedText| {
        let number: &mut usize = numbers.entry(text.name.clone()).or_default();
        loop {
            *number += 1;
            let label = if *number == 1 { text.name.clone() } else { format!("{} ({number})", text.name) };
            if taken.insert(label.clone()) {
                return label;
            }
        }
    };
    texts.iter().map(label).collect()
}

/// The skills in a file that was read from `file` and is called `path` in reports.
fn unpack(path: &Path, file: &Path, bytes: &[u8]) -> Discovery {
    let name = file.file_name().unwrap_or_default().to_string_lossy();
    let with_full_path = |mut diagnostic: Diagnostic| {
        let file = diagnostic.file.as_ref().map_or_else(|| path.to_owned(), |file| path.join(file));
        diagnostic.file = Some(file.display().to_string());
        diagnostic
    };
    match package::unpack(&name, bytes) {
        Ok(unpacked) => {
            let skill = |packed| DiscoveredSkill { path: path.to_owned(), packed: Some(Arc::new(packed)) };
            Discovery {
                skills: unpacked.skills.into_iter().map(skill).collect(),
                diagnostics: unpacked.findings.into_iter().map(with_full_path).collect(),
            }
        }
        // Reported as one refused skill.
        Err(findings) => {
            let packed = PackedSkill { location: String::new(), folder: String::new(), tree: Tree::new(), findings };
            let skill = DiscoveredSkill { path: path.to_owned(), packed: Some(Arc::new(packed)) };
            Discovery { skills: vec![skill], diagnostics: Vec::new() }
        }
    }
}

/// The diagnostic of a skill that can't be read or stored.
pub(crate) fn refusal(rule: &str, path: &str, error: impl Into<Failure>) -> Diagnostic {
    let Failure { message, hint, .. } = error.into();
    Diagnostic { hint, ..Diagnostic::error(rule, message).in_file(path) }
}

/// A path that isn't a skill. Reading it returns the reason.
pub(crate) fn named_path(path: &Path) -> Result<DiscoveredSkill, DiskError> {
    disk::kind_of(path).map(|_| DiscoveredSkill::folder_at(path.to_owned()))
}
