//! A package in one of the forms that leave the house.

use std::fmt;
use std::str::FromStr;

use inklings_core::check::Diagnostic;
use inklings_core::manifest::{self, ExportFormat};
use inklings_core::path::{SKILL_MD, SkillPath};
use inklings_core::skill::Package;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{amble, encode, outside, zip_write};
use crate::sync;

/// A form that a skill is handed out in, beside the folder that it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Form {
    /// Everything, as one JSON package.
    Json,
    /// Everything, as a zip archive.
    Skill,
    /// Key, title, description, category, instructions and manifest, as JSON.
    Amble,
    /// One Markdown file with frontmatter: its instructions alone, with the title.
    Markdown,
    /// `<slug>/SKILL.md` alone.
    ClaudeSkill,
    /// Text that is safe outside.
    OpenaiGpt,
    /// Text that is safe outside.
    Cowork,
}

impl Form {
    /// Every form.
    pub const ALL: [Self; 7] = [Self::Json, Self::Skill, Self::Amble, Self::Markdown, Self::ClaudeSkill, Self::OpenaiGpt, Self::Cowork];

    /// The name that people and clients use.
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

    /// What a manifest calls it; none for the owner's own copies, which nothing forbids.
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

impl fmt::Display for Form {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// The text names no form.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("unknown form {0:?}: expected one of json, skill, amble, markdown, claude-skill, openai-gpt, cowork")]
pub struct UnknownForm(pub String);

impl FromStr for Form {
    type Err = UnknownForm;

    fn from_str(text: &str) -> Result<Self, UnknownForm> {
        Self::ALL.into_iter().find(|form| form.as_str() == text).ok_or_else(|| UnknownForm(text.to_owned()))
    }
}

/// A skill in one file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pack {
    /// The file's name, or a relative path with `/` between its parts.
    pub name: String,
    /// Its content; equal packages give equal bytes.
    pub bytes: Vec<u8>,
    /// Files of the skill that the form has no place for.
    pub left_out: Vec<SkillPath>,
    /// What to tell before it is handed out; no errors.
    pub findings: Vec<Diagnostic>,
}

/// Why a skill is not handed out.
#[derive(Debug, thiserror::Error)]
pub enum PackError {
    /// The manifest lists its forms, and not this one.
    #[error("the manifest of {slug} doesn't allow the form {form}: it allows {}", names(allowed))]
    NotAllowed {
        /// The skill.
        slug: inklings_core::name::Slug,
        /// What was asked for.
        form: Form,
        /// The forms that it lists.
        allowed: Vec<Form>,
    },
    /// The manifest can't be read and seems to list forms.
    #[error("the manifest of {0} can't be read, so the forms that it allows are not known: correct metadata.manifest first")]
    Manifest(inklings_core::name::Slug),
    /// The form can't hold the skill.
    #[error("the skill can't be packed: {}", .0.first().map_or("", |finding| finding.message.as_str()))]
    Unfit(Vec<Diagnostic>),
}

fn names(forms: &[Form]) -> String {
    if forms.is_empty() { "none".to_owned() } else { forms.iter().map(|form| form.as_str()).collect::<Vec<_>>().join(", ") }
}

/// Packs a settled package.
pub fn pack(form: Form, package: &Package) -> Result<Pack, PackError> {
    allowed(form, package)?;
    let slug = &package.slug;
    let whole = |name, bytes| Pack { name, bytes, left_out: Vec::new(), findings: Vec::new() };
    let alone = |name: String, text: String, findings: Vec<Diagnostic>| {
        let left_out: Vec<SkillPath> = package.tree().into_keys().filter(|path| *path != package.main_path).collect();
        let findings = findings.into_iter().chain(left_out_finding(form, &left_out)).collect();
        Pack { name, bytes: text.into_bytes(), left_out, findings }
    };
    Ok(match form {
        Form::Json => whole(format!("{slug}.json"), (encode::write(package).map_err(PackError::Unfit)? + "\n").into_bytes()),
        Form::Skill => whole(format!("{slug}.skill"), zip_write::write(package).map_err(PackError::Unfit)?),
        Form::Amble => alone(format!("{slug}.amble.json"), amble::write(package), Vec::new()),
        Form::Markdown => alone(format!("{slug}.md"), sync::standalone(package, true), Vec::new()),
        Form::ClaudeSkill => alone(format!("{slug}/{SKILL_MD}"), sync::standalone(package, false), Vec::new()),
        Form::OpenaiGpt | Form::Cowork => {
            let (text, shows_instructions) = outside::markdown(package);
            let finding = Diagnostic::warning("package/instructions", "the whole instructions leave with this form")
                .hint("write interop.externalSafeSummary in the manifest: it is handed out instead");
            alone(format!("{slug}.{form}.md"), text, shows_instructions.then_some(finding).into_iter().collect())
        }
    })
}

/// The manifest's list of forms. One that can't be read but seems to have a list allows nothing.
pub fn allowed(form: Form, package: &Package) -> Result<(), PackError> {
    let Some(format) = form.export_format() else { return Ok(()) };
    let Some(value) = package.metadata.get(manifest::KEY) else { return Ok(()) };
    let Some(manifest) = manifest::check(value).0 else {
        let lists = value.pointer("/interop/exportFormats").is_some();
        return if lists { Err(PackError::Manifest(package.slug.clone())) } else { Ok(()) };
    };
    if manifest.interop.allows(format) {
        return Ok(());
    }
    let allowed = Form::ALL.into_iter().filter(|form| form.export_format().is_some_and(|format| manifest.interop.allows(format)));
    Err(PackError::NotAllowed { slug: package.slug.clone(), form, allowed: allowed.collect() })
}

fn left_out_finding(form: Form, left_out: &[SkillPath]) -> Option<Diagnostic> {
    const SHOWN: usize = 8;
    if left_out.is_empty() {
        return None;
    }
    let mut shown: Vec<String> = left_out.iter().take(SHOWN).map(ToString::to_string).collect();
    if left_out.len() > SHOWN {
        shown.push(format!("{} more", left_out.len() - SHOWN));
    }
    let finding = Diagnostic::warning("package/left-out", format!("{form} has no place for {}", shown.join(", ")));
    Some(finding.hint("export it as a folder, as .skill or as JSON to take everything along"))
}
