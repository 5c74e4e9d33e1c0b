//! `skill/describe`: what a skill says of itself, changed value by value. The texts around the values stay as they are.

use inklings_core::{Package, Scope, Skill, SkillCatalog, SkillFormat as _, limits};
use schemars::JsonSchema;
use serde::{Deserialize, Deserializer};
use serde_json::json;

use crate::app::App;
use crate::ops::skill::{EditResult, result};
use crate::ops::{change_values, home, unlocked};
use inklings_rpc::{CallContext, Code, Failure, operations};

/// Characters of a short value: a category, a tag, a version, an author.
const SHORT: usize = 120;
/// Characters of a longer one.
const LONG: usize = 2_000;
/// Entries of a list.
const ENTRIES: usize = 100;

/// Values to change; what is left out stays.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct SkillValues {
    /// Title. The slug stays.
    pub name: Option<String>,
    /// What it does and when to use it.
    pub description: Option<String>,
    /// Category.
    pub category: Option<String>,
    /// Tags.
    pub tags: Option<Vec<String>>,
    /// Trigger phrases.
    pub triggers: Option<Vec<String>>,
    /// When another skill is the better choice; null takes it away.
    #[serde(deserialize_with = "given")]
    #[schemars(with = "Option<String>")]
    pub when_not_to_use: Option<Option<String>>,
    /// The author's version.
    pub version: Option<String>,
    /// Display name of the author; null takes it away.
    #[serde(deserialize_with = "given")]
    #[schemars(with = "Option<String>")]
    pub author: Option<Option<String>>,
    /// Whether a person can call it by its name, not only an agent by its description.
    pub user_invocable: Option<bool>,
}

/// Null is a value, unlike what was left out.
#[expect(clippy::option_option, reason = "left out, taken away and given are three things")]
fn given<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Option<String>>, D::Error> {
    Option::<String>::deserialize(deserializer).map(Some)
}

/// What a skill is to say of itself.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct DescribeParams {
    /// Id, slug or title.
    pub skill: String,
    /// Scope to look in; the merged winner without one.
    #[serde(default)]
    pub scope: Option<Scope>,
    /// The revision that the values were read from: one that changed since is a conflict. Without it the values apply to whatever is stored.
    #[serde(default)]
    pub expected: Option<i64>,
    /// The values.
    pub values: SkillValues,
}

fn describe(app: &App, cx: &CallContext, params: DescribeParams) -> Result<EditResult, Failure> {
    let values = params.values.tidy()?;
    let catalog = app.catalog(cx)?;
    let skill = catalog.require(&params.skill, params.scope)?;
    unlocked(&skill)?;
    let read = params.expected.map(|expected| values_at(app, &catalog, &skill, expected, &values)).transpose()?;
    let why = format!("changed {}", values.names().join(", "));
    let saved = change_values(app, cx, &catalog, &skill, &why, |package| {
        if let Some(read) = &read {
            refuse_clash(&values, read, package)?;
        }
        values.clone().put(package);
        Ok(())
    })?;
    Ok(result(app, cx, &catalog, saved))
}

/// The values of the same kinds as they were at a revision.
fn values_at(app: &App, catalog: &SkillCatalog, skill: &Skill, revision: i64, values: &SkillValues) -> Result<SkillValues, Failure> {
    if revision == skill.head.revision {
        return Ok(values.of(&skill.package));
    }
    let tree = home(catalog, skill)?.revision_tree(skill.head.id, revision)?;
    let base = app.folder.read(&tree, skill.package.slug.as_str(), Some(&skill.package)).map_err(Failure::diagnostics)?;
    Ok(values.of(&base.package))
}

/// Refuses values that someone else changed as well since they were read, to something else.
fn refuse_clash(values: &SkillValues, read: &SkillValues, package: &Package) -> Result<(), Failure> {
    let clashes: Vec<&str> = values.differing(read, &values.of(package));
    if clashes.is_empty() {
        return Ok(());
    }
    Err(Failure::new(Code::RevisionConflict, format!("{} was changed elsewhere since you opened it", clashes.join(", ")))
        .hint("look at what is there now, then type yours again or keep it")
        .fields(json!({ "values": clashes })))
}

impl SkillValues {
    /// Trimmed, without doubles; refuses what no skill may say.
    fn tidy(self) -> Result<Self, Failure> {
        let done = Self {
            name: self.name.map(|text| line("title", &text, limits::NAME_CHARS)).transpose()?,
            description: self.description.map(|text| paragraph("description", &text, limits::DESCRIPTION_CHARS)).transpose()?,
            category: self.category.map(|text| line("category", &text, SHORT)).transpose()?,
            tags: self.tags.map(|all| list("tag", &all, SHORT)).transpose()?,
            triggers: self.triggers.map(|all| list("trigger phrase", &all, LONG)).transpose()?,
            when_not_to_use: self.when_not_to_use.map(|text| optional(text, |text| paragraph("note", text, LONG))).transpose()?,
            version: self.version.map(|text| line("version", &text, SHORT)).transpose()?,
            author: self.author.map(|text| optional(text, |text| line("author", text, SHORT))).transpose()?,
            user_invocable: self.user_invocable,
        };
        if done == Self::default() {
            return Err(Failure::invalid("there is nothing to change").hint("give at least one value"));
        }
        Ok(done)
    }

    fn names(&self) -> Vec<&'static str> {
        let all = [
            ("title", self.name.is_some()),
            ("description", self.description.is_some()),
            ("category", self.category.is_some()),
            ("tags", self.tags.is_some()),
            ("trigger phrases", self.triggers.is_some()),
            ("when not to use it", self.when_not_to_use.is_some()),
            ("version", self.version.is_some()),
            ("author", self.author.is_some()),
            ("whether people can call it", self.user_invocable.is_some()),
        ];
        all.into_iter().filter(|(_, given)| *given).map(|(name, _)| name).collect()
    }

    /// The present values of the same kinds.
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

    /// Names of the values that differ between `was` and `is` and are wanted otherwise.
    fn differing(&self, was: &Self, is: &Self) -> Vec<&'static str> {
        let moved = [
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
        let all = [
            "title",
            "description",
            "category",
            "tags",
            "trigger phrases",
            "when not to use it",
            "version",
            "author",
            "whether people can call it",
        ];
        all.into_iter().zip(moved).filter(|(_, moved)| *moved).map(|(name, _)| name).collect()
    }

    fn put(self, package: &mut Package) {
        fn set<T>(place: &mut T, value: Option<T>) {
            if let Some(value) = value {
                *place = value;
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

/// A value of one line.
pub(crate) fn line(what: &str, text: &str, most: usize) -> Result<String, Failure> {
    let text = paragraph(what, text, most)?;
    if text.contains(['\n', '\r']) {
        return Err(Failure::invalid(format!("the {what} has more than one line")).hint("put it on one line"));
    }
    Ok(text)
}

fn paragraph(what: &str, text: &str, most: usize) -> Result<String, Failure> {
    let text = text.trim();
    if text.is_empty() {
        return Err(Failure::invalid(format!("the {what} is empty")).hint(format!("give it a {what}, or leave it as it was")));
    }
    let count = text.chars().count();
    if count > most {
        return Err(Failure::new(Code::Limit, format!("the {what} has {count} characters, at most {most} are allowed")).hint("shorten it"));
    }
    if text.contains('\0') {
        return Err(Failure::invalid(format!("the {what} has a character that no text has")));
    }
    Ok(text.to_owned())
}

fn list(what: &str, all: &[String], most: usize) -> Result<Vec<String>, Failure> {
    let mut kept: Vec<String> = Vec::with_capacity(all.len());
    for text in all.iter().filter(|text| !text.trim().is_empty()) {
        let text = line(what, text, most)?;
        if !kept.contains(&text) {
            kept.push(text);
        }
    }
    if kept.len() > ENTRIES {
        return Err(
            Failure::new(Code::Limit, format!("there are {} {what}s, at most {ENTRIES} are allowed", kept.len())).hint("remove some")
        );
    }
    Ok(kept)
}

/// An empty value is none.
fn optional(text: Option<String>, check: impl FnOnce(&str) -> Result<String, Failure>) -> Result<Option<String>, Failure> {
    text.filter(|text| !text.trim().is_empty()).map(|text| check(&text)).transpose()
}

operations! { App;
    Describe = "skill/describe", Write["skill"], blocking describe(DescribeParams) -> EditResult;
}
