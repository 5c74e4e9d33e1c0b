//! Skills that lie on the disk, in whatever form: found first, read one by one.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use inklings_core::path::SKILL_JSON;
use inklings_core::ports::Reading;
use inklings_core::{Diagnostic, SkillFormat, Tree};
use inklings_folder::package::{self, PackedSkill};
use inklings_folder::{DiskError, disk};

/// A skill on the disk.
#[derive(Debug, Clone)]
pub(crate) struct DiscoveredSkill {
    /// Its folder, or the file that it is or is in.
    path: PathBuf,
    /// What a package holds of it; none for a folder, which is read when it is its turn.
    packed: Option<Arc<PackedSkill>>,
}

/// What is in it.
#[derive(Debug)]
pub(crate) struct Contents {
    /// Its files.
    pub(crate) tree: Tree,
    /// What was odd about the files; an error refuses the skill.
    pub(crate) diagnostics: Vec<Diagnostic>,
}

impl DiscoveredSkill {
    const fn folder_at(path: PathBuf) -> Self {
        Self { path, packed: None }
    }

    /// The skill that a report names so; none if it isn't there any more.
    pub(crate) fn labelled(label: &str) -> Result<Option<Self>, DiskError> {
        // What stands in a package has the package's own path before it.
        let path = Path::new(label).ancestors().find(|path| path.exists()).unwrap_or(Path::new(label));
        let (found, _) = discover(path)?;
        Ok(found.into_iter().find(|skill| skill.label() == label))
    }

    /// How it is named in reports: its path, and its place in a package that holds several.
    #[must_use]
    pub(crate) fn label(&self) -> String {
        let place = self.packed.as_ref().map_or("", |packed| packed.place.trim_start_matches('/'));
        if place.is_empty() { self.path.display().to_string() } else { self.path.join(place).display().to_string() }
    }

    /// The name that stands for it when it says none.
    #[must_use]
    pub(crate) fn folder(&self) -> String {
        self.packed.as_ref().map_or_else(|| disk::folder_name(&self.path), |packed| packed.folder.clone())
    }

    /// Reads it.
    pub(crate) fn read(&self) -> Result<Contents, DiskError> {
        if let Some(packed) = &self.packed {
            return Ok(Contents { tree: packed.tree.clone(), diagnostics: packed.findings.clone() });
        }
        let (tree, diagnostics) = disk::read_dir(&self.path)?;
        Ok(Contents { tree, diagnostics })
    }

    /// Reads those of its files alone that say what it is.
    pub(crate) fn read_marks(&self) -> Result<Contents, DiskError> {
        if self.packed.is_some() {
            return self.read();
        }
        Ok(Contents { tree: disk::read_marks(&self.path)?, diagnostics: Vec::new() })
    }
}

/// A skill after the validator's look at it.
#[derive(Debug)]
pub(crate) struct Examined {
    /// Its files.
    pub(crate) tree: Tree,
    /// What they were read as; none when they can't be read as a skill.
    pub(crate) reading: Option<Reading>,
    /// What was found, by the readers of its form and of its folder and by the validator.
    pub(crate) diagnostics: Vec<Diagnostic>,
}

impl Contents {
    /// Reads the files as a skill and validates it. Imports and `inklings validate` both go through here, so they say the same.
    pub(crate) fn examine(self, folder: &str, format: &dyn SkillFormat) -> Examined {
        let Self { tree, mut diagnostics } = self;
        if diagnostics.iter().any(Diagnostic::is_error) {
            return Examined { tree, reading: None, diagnostics };
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
        Examined { tree, reading, diagnostics }
    }
}

/// The skills at or below some paths, each once and in byte order, and what was odd while looking.
pub(crate) fn find(paths: &[PathBuf]) -> Result<(Vec<DiscoveredSkill>, Vec<Diagnostic>), DiskError> {
    let (mut all, mut odd) = (Vec::new(), Vec::new());
    for path in paths {
        let (found, mut findings) = discover(path)?;
        all.extend(found);
        odd.append(&mut findings);
    }
    Ok((sorted(all), odd))
}

/// Each skill once, by its name in reports.
pub(crate) fn sorted(skills: Vec<DiscoveredSkill>) -> Vec<DiscoveredSkill> {
    let mut named: Vec<(String, DiscoveredSkill)> = skills.into_iter().map(|skill| (skill.label(), skill)).collect();
    named.sort_by(|a, b| a.0.cmp(&b.0));
    named.dedup_by(|a, b| a.0 == b.0);
    named.into_iter().map(|(_, skill)| skill).collect()
}

fn discover(path: &Path) -> Result<(Vec<DiscoveredSkill>, Vec<Diagnostic>), DiskError> {
    if is_package(path) {
        return unpack(path);
    }
    let (folders, findings) = disk::discover(path)?;
    Ok((folders.into_iter().map(DiscoveredSkill::folder_at).collect(), findings))
}

/// Whether a file is to be read as a package; Markdown and the files of a skill's folder are not.
fn is_package(path: &Path) -> bool {
    ends_with(path, &["skill", "zip", "json"]) && path.file_name() != Some(OsStr::new(SKILL_JSON)) && path.is_file()
}

/// Whether a skill could be imported from a file, by its name.
pub(crate) fn may_hold_skills(path: &Path) -> bool {
    ends_with(path, &["skill", "zip", "json", "md"])
}

fn ends_with(path: &Path, extensions: &[&str]) -> bool {
    path.extension().and_then(OsStr::to_str).is_some_and(|extension| extensions.iter().any(|one| extension.eq_ignore_ascii_case(one)))
}

fn unpack(path: &Path) -> Result<(Vec<DiscoveredSkill>, Vec<Diagnostic>), DiskError> {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let here = |mut finding: Diagnostic| {
        let file = finding.file.as_ref().map_or_else(|| path.to_owned(), |file| path.join(file));
        finding.file = Some(file.display().to_string());
        finding
    };
    let bytes = disk::read_file(path, package::FILE_BYTES)?;
    match package::unpack(&name, &bytes) {
        Ok(unpacked) => {
            let of = |packed| DiscoveredSkill { path: path.to_owned(), packed: Some(Arc::new(packed)) };
            Ok((unpacked.skills.into_iter().map(of).collect(), unpacked.findings.into_iter().map(here).collect()))
        }
        // It was asked for by name, and is one skill that is refused.
        Err(findings) => {
            let packed = PackedSkill { place: String::new(), folder: String::new(), tree: Tree::new(), findings };
            Ok((vec![DiscoveredSkill { path: path.to_owned(), packed: Some(Arc::new(packed)) }], Vec::new()))
        }
    }
}

/// A path that was asked for by name and that holds no skill.
pub(crate) fn nothing_at(path: &Path) -> Result<DiscoveredSkill, DiskError> {
    disk::kind_of(path).map(|_| DiscoveredSkill::folder_at(path.to_owned()))
}
