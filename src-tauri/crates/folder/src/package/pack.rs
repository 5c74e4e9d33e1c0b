//! Encoding a package in one of the output formats.

use std::borrow::Cow;
use std::fmt;
use std::str::FromStr;

use inklings_core::check::Diagnostic;
use inklings_core::manifest::{self, ExportFormat};
use inklings_core::path::{SKILL_MD, SkillPath};
use inklings_core::skill::Package;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{amble, encode, outside, zip_write};
use crate::skipped::{self, is_part_of_skill};
use crate::sync;

/// An export format other than a folder.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum PackageFormat {
    Json,
    Skill,
    Amble,
    /// One Markdown file with frontmatter: its instructions alone, with the title.
    Markdown,
    /// `<slug>/SKILL.md` alone.
    ClaudeSkill,
    /// Contains only text that may be shared externally.
    OpenaiGpt,
    /// Contains only text that may be shared externally.
    Cowork,
}

impl PackageFormat {
    pub const ALL: [Self; 7] = [Self::Json, Self::Skill, Self::Amble, Self::Markdown, Self::ClaudeSkill, Self::OpenaiGpt, Self::Cowork];

    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Json => "json",
            Self::Skill => "skill",
            Self::Amble => "amble",
            Self::Markdown => "markdown",
            Self::ClaudeSkill => "claude-skill",
            Self::OpenaiGpt => "openai-gpt",
            Self::Cowork => "cowork",
        }
    }

    /// Name in the manifest; `None` for formats that a manifest can't restrict.
    #[must_use]
    pub const fn export_format(self) -> Option<ExportFormat> {
        match self {
            Self::Json | Self::Skill => None,
            Self::Amble => Some(ExportFormat::Amble),
            Self::Markdown => Some(ExportFormat::Markdown),
            Self::ClaudeSkill => Some(ExportFormat::ClaudeSkill),
            Self::OpenaiGpt => Some(ExportFormat::OpenaiGpt),
            Self::Cowork => Some(ExportFormat::Cowork),
        }
    }
}

impl fmt::Display for PackageFormat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("unknown format {0:?}: expected one of json, skill, amble, markdown, claude-skill, openai-gpt, cowork")]
pub struct UnknownFormat(pub String);

impl FromStr for PackageFormat {
    type Err = UnknownFormat;

    fn from_str(text: &str) -> Result<Self, UnknownFormat> {
        Self::ALL.into_iter().find(|form| form.as_str() == text).ok_or_else(|| UnknownFormat(text.to_owned()))
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pack {
    /// The file's name, or a relative path with `/` between its parts.
    pub name: String,
    /// Equal packages give equal bytes.
    pub bytes: Vec<u8>,
    /// Files that the format can't include.
    pub omitted: Vec<SkillPath>,
    /// Warnings; no errors.
    pub findings: Vec<Diagnostic>,
}

#[derive(Debug, thiserror::Error)]
pub enum PackError {
    #[error("the manifest of {slug} doesn't allow the format {form} (allowed: {})", names(allowed))]
    NotAllowed {
        /// The skill.
        slug: inklings_core::name::Slug,
        form: PackageFormat,
        allowed: Vec<PackageFormat>,
    },
    /// The manifest is invalid and seems to list formats.
    #[error("the manifest of {0} is invalid, so its allowed formats are unknown: fix metadata.manifest first")]
    Manifest(inklings_core::name::Slug),
    #[error("the skill can't be packed: {}", .0.first().map_or("", |finding| finding.message.as_str()))]
    Unfit(Vec<Diagnostic>),
}

fn names(forms: &[PackageFormat]) -> String {
    if forms.is_empty() { "none".to_owned() } else { forms.iter().map(|form| form.as_str()).collect::<Vec<_>>().join(", ") }
}

/// Requires sources in sync.
pub fn pack(form: PackageFormat, package: &Package) -> Result<Pack, PackError> {
    allowed(form, package)?;
    let slug = &package.slug;
    let (portable, skipped) = portable(package);
    let whole = |name, bytes| {
        let findings = skipped.iter().map(|path| skipped::skipped(path.as_str()).in_file(path)).collect();
        Pack { name, bytes, omitted: skipped.clone(), findings }
    };
    let alone = |name: String, text: String, findings: Vec<Diagnostic>| {
        let omitted: Vec<SkillPath> = package.tree().into_keys().filter(|path| *path != package.main_path).collect();
        let findings = findings.into_iter().chain(omission_diagnostic(form, &omitted)).collect();
        Pack { name, bytes: text.into_bytes(), omitted, findings }
    };
    Ok(match form {
        PackageFormat::Json => whole(format!("{slug}.json"), (encode::write(&portable).map_err(PackError::Unfit)? + "\n").into_bytes()),
        PackageFormat::Skill => whole(format!("{slug}.skill"), zip_write::write(&portable).map_err(PackError::Unfit)?),
        PackageFormat::Amble => alone(format!("{slug}.amble.json"), amble::write(package), Vec::new()),
        PackageFormat::Markdown => alone(format!("{slug}.md"), sync::standalone(package, true), Vec::new()),
        PackageFormat::ClaudeSkill => alone(format!("{slug}/{SKILL_MD}"), sync::standalone(package, false), Vec::new()),
        PackageFormat::OpenaiGpt | PackageFormat::Cowork => {
            let (text, shows_instructions) = outside::markdown(package);
            let finding = Diagnostic::warning("package/instructions", "this format includes the full instructions")
                .hint("add interop.externalSafeSummary to the manifest to export a summary instead");
            alone(format!("{slug}.{form}.md"), text, shows_instructions.then_some(finding).into_iter().collect())
        }
    })
}

/// The package without files that are skipped when it is unpacked, and their paths. Skills that older versions stored may have some.
fn portable(package: &Package) -> (Cow<'_, Package>, Vec<SkillPath>) {
    let states = package.artifacts.iter().filter_map(|artifact| artifact.state.as_ref()).map(|state| &state.path);
    let paths = package.artifacts.iter().map(|artifact| &artifact.path).chain(states).chain(package.files.iter().map(|file| &file.path));
    let skipped: Vec<SkillPath> = paths.filter(|path| !is_part_of_skill(path)).cloned().collect();
    if skipped.is_empty() {
        return (Cow::Borrowed(package), skipped);
    }
    let mut portable = package.clone();
    portable.files.retain(|file| is_part_of_skill(&file.path));
    portable.artifacts.retain(|artifact| is_part_of_skill(&artifact.path));
    for artifact in &mut portable.artifacts {
        artifact.state.take_if(|state| !is_part_of_skill(&state.path));
    }
    sync::sync_sources(&mut portable);
    (Cow::Owned(portable), skipped)
}

/// Allowed formats of the manifest. An invalid manifest that seems to have a list allows none.
pub fn allowed(form: PackageFormat, package: &Package) -> Result<(), PackError> {
    let Some(format) = form.export_format() else { return Ok(()) };
    let Some(value) = package.metadata.get(manifest::KEY) else { return Ok(()) };
    let Some(manifest) = manifest::check(value).0 else {
        let lists = value.pointer("/interop/exportFormats").is_some();
        return if lists { Err(PackError::Manifest(package.slug.clone())) } else { Ok(()) };
    };
    if manifest.interop.allows(format) {
        return Ok(());
    }
    let allowed = PackageFormat::ALL.into_iter().filter(|form| form.export_format().is_some_and(|format| manifest.interop.allows(format)));
    Err(PackError::NotAllowed { slug: package.slug.clone(), form, allowed: allowed.collect() })
}

fn omission_diagnostic(form: PackageFormat, omitted: &[SkillPath]) -> Option<Diagnostic> {
    const MAX_SHOWN_PATHS: usize = 8;
    if omitted.is_empty() {
        return None;
    }
    let mut shown: Vec<String> = omitted.iter().take(MAX_SHOWN_PATHS).map(ToString::to_string).collect();
    if omitted.len() > MAX_SHOWN_PATHS {
        shown.push(format!("{} more", omitted.len() - MAX_SHOWN_PATHS));
    }
    let finding = Diagnostic::warning("package/left-out", format!("{form} can't include {}", shown.join(", ")));
    Some(finding.hint("export it as a folder, as .skill or as JSON to include everything"))
}
