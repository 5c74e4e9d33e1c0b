use inklings_core::{Package, Skill, SkillFormat as _, StorageError, limits};

use super::api::{MAX_ENTRIES, SkillValues};
use super::error::ValueError;
use crate::editing::{SkillEditor, ensure_unlocked};
use crate::wire::EditResult;

/// Of a category, a tag, a version, an author.
const MAX_LINE_CHARS: usize = 120;
const MAX_PARAGRAPH_CHARS: usize = 2_000;

/// Without `expected`, the revision that the values were read from, the stored values are overwritten.
pub(crate) fn describe(
    editor: &SkillEditor<'_>,
    skill: &Skill,
    values: &SkillValues,
    expected: Option<i64>,
) -> Result<EditResult, ValueError> {
    ensure_unlocked(skill)?;
    let base = expected.map(|expected| values_at(editor, skill, expected, values)).transpose()?;
    let why = format!("changed {}", values.names().join(", "));
    let saved = editor.change_values(skill, &why, |package| {
        if let Some(base) = &base {
            refuse_conflict(values, base, package)?;
        }
        values.clone().apply_to(package);
        Ok::<_, ValueError>(())
    })?;
    Ok(editor.edit_result(saved))
}

/// The same fields as they were at a revision.
fn values_at(editor: &SkillEditor<'_>, skill: &Skill, revision: i64, values: &SkillValues) -> Result<SkillValues, StorageError> {
    if revision == skill.head.revision {
        return Ok(values.of(&skill.package));
    }
    let tree = editor.repository_of(skill)?.revision_tree(skill.head.id, revision)?;
    let base = editor.folder.read(&tree, skill.package.slug.as_str(), Some(&skill.package)).map_err(StorageError::Invalid)?;
    Ok(values.of(&base.package))
}

/// Refuses values that someone else has changed to something else since they were read.
fn refuse_conflict(values: &SkillValues, base: &SkillValues, package: &Package) -> Result<(), ValueError> {
    let conflicting = values.differing(base, &values.of(package));
    if conflicting.is_empty() { Ok(()) } else { Err(ValueError::Conflict { values: conflicting }) }
}

impl SkillValues {
    /// Trims the values and removes duplicates; refuses invalid ones.
    pub(crate) fn normalized(self) -> Result<Self, ValueError> {
        let normalized = Self {
            name: self.name.map(|text| line("title", &text, limits::NAME_CHARS)).transpose()?,
            description: self.description.map(|text| paragraph("description", &text, limits::DESCRIPTION_CHARS)).transpose()?,
            category: self.category.map(|text| line("category", &text, MAX_LINE_CHARS)).transpose()?,
            tags: self.tags.map(|all| list("tag", &all, MAX_LINE_CHARS)).transpose()?,
            triggers: self.triggers.map(|all| list("trigger phrase", &all, MAX_PARAGRAPH_CHARS)).transpose()?,
            when_not_to_use: self
                .when_not_to_use
                .map(|text| optional(text, |text| paragraph("note", text, MAX_PARAGRAPH_CHARS)))
                .transpose()?,
            version: self.version.map(|text| line("version", &text, MAX_LINE_CHARS)).transpose()?,
            author: self.author.map(|text| optional(text, |text| line("author", text, MAX_LINE_CHARS))).transpose()?,
            user_invocable: self.user_invocable,
        };
        if normalized == Self::default() {
            return Err(ValueError::NothingToChange);
        }
        Ok(normalized)
    }

    fn names(&self) -> Vec<&'static str> {
        let all = [
            ("title", self.name.is_some()),
            ("description", self.description.is_some()),
            ("category", self.category.is_some()),
            ("tags", self.tags.is_some()),
            ("trigger phrases", self.triggers.is_some()),
            ("when not to use", self.when_not_to_use.is_some()),
            ("version", self.version.is_some()),
            ("author", self.author.is_some()),
            ("user-invocable", self.user_invocable.is_some()),
        ];
        all.into_iter().filter(|(_, given)| *given).map(|(name, _)| name).collect()
    }

    /// The current values of the fields that are set.
    fn of(&self, package: &Package) -> Self {
        Self {
            name: self.name.is_some().then(|| package.name.clone()),
            description: self.description.is_some().then(|| package.description.clone()),
            category: self.category.is_some().then(|| package.category.clone()),
            tags: self.tags.is_some().then(|| package.tags.clone()),
            triggers: self.triggers.is_some().then(|| package.triggers.clone()),
            when_not_to_use: self.when_not_to_use.is_some().then(|| package.when_not_to_use.clone()),
            version: self.version.is_some().then(|| package.version.clone()),
            author: self.author.is_some().then(|| package.author.clone()),
            user_invocable: self.user_invocable.is_some().then_some(package.user_invocable),
        }
    }

    /// Names of the values that changed from `was` to `is` and would be overwritten with something else.
    fn differing(&self, was: &Self, is: &Self) -> Vec<&'static str> {
        let conflicting = [
            was.name != is.name && self.name != is.name,
            was.description != is.description && self.description != is.description,
            was.category != is.category && self.category != is.category,
            was.tags != is.tags && self.tags != is.tags,
            was.triggers != is.triggers && self.triggers != is.triggers,
            was.when_not_to_use != is.when_not_to_use && self.when_not_to_use != is.when_not_to_use,
            was.version != is.version && self.version != is.version,
            was.author != is.author && self.author != is.author,
            was.user_invocable != is.user_invocable && self.user_invocable != is.user_invocable,
        ];
        let all = ["title", "description", "category", "tags", "trigger phrases", "when not to use", "version", "author", "user-invocable"];
        all.into_iter().zip(conflicting).filter(|(_, conflicting)| *conflicting).map(|(name, _)| name).collect()
    }

    pub(crate) fn apply_to(self, package: &mut Package) {
        fn set<T>(field: &mut T, value: Option<T>) {
            if let Some(value) = value {
                *field = value;
            }
        }
        set(&mut package.name, self.name);
        set(&mut package.description, self.description);
        set(&mut package.category, self.category);
        set(&mut package.tags, self.tags);
        set(&mut package.triggers, self.triggers);
        set(&mut package.when_not_to_use, self.when_not_to_use);
        set(&mut package.version, self.version);
        set(&mut package.author, self.author);
        set(&mut package.user_invocable, self.user_invocable);
    }
}

pub(crate) fn line(what: &'static str, text: &str, limit: usize) -> Result<String, ValueError> {
    let text = paragraph(what, text, limit)?;
    if text.contains(['\n', '\r']) {
        return Err(ValueError::SeveralLines { what });
    }
    Ok(text)
}

fn paragraph(what: &'static str, text: &str, limit: usize) -> Result<String, ValueError> {
    let text = text.trim();
    if text.is_empty() {
        return Err(ValueError::Empty { what });
    }
    let chars = text.chars().count();
    if chars > limit {
        return Err(ValueError::TooLong { what, chars, limit });
    }
    if text.contains('\0') {
        return Err(ValueError::NulCharacter { what });
    }
    Ok(text.to_owned())
}

fn list(what: &'static str, all: &[String], limit: usize) -> Result<Vec<String>, ValueError> {
    let mut entries: Vec<String> = Vec::with_capacity(all.len());
    for text in all.iter().filter(|text| !text.trim().is_empty()) {
        let text = line(what, text, limit)?;
        if !entries.contains(&text) {
            entries.push(text);
        }
    }
    if entries.len() > MAX_ENTRIES {
        return Err(ValueError::TooMany { what, count: entries.len() });
    }
    Ok(entries)
}

fn optional(text: Option<String>, check: impl FnOnce(&str) -> Result<String, ValueError>) -> Result<Option<String>, ValueError> {
    text.filter(|text| !text.trim().is_empty()).map(|text| check(&text)).transpose()
}
