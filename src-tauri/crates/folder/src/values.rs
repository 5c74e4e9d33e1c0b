//! The values of a package as its two texts state them: frontmatter first, then `skill.json`.

use inklings_core::check::Diagnostic;
use inklings_core::limits;
use inklings_core::name::{Slug, slugify};
use inklings_core::path::SKILL_JSON;
use inklings_core::skill::{Package, Relation, SkillStep};
use serde_json::{Map, Value};
use unicode_normalization::UnicodeNormalization;

use crate::front::{AUTHOR, Front, TAGS, VERSION};
use crate::json::{ArtifactEntry, Json};
use crate::prose;

pub(crate) const VERSION_DEFAULT: &str = "1.0.0";
pub(crate) const CATEGORY_DEFAULT: &str = "general";

/// Values of a skill as stated in its texts, with defaults.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Values {
    pub(crate) slug: Slug,
    pub(crate) name: String,
    pub(crate) description: String,
    pub(crate) version: String,
    pub(crate) author: Option<String>,
    pub(crate) tags: Vec<String>,
    pub(crate) category: String,
    pub(crate) triggers: Vec<String>,
    pub(crate) intent_patterns: Vec<String>,
    pub(crate) when_not_to_use: Option<String>,
    pub(crate) user_invocable: bool,
    pub(crate) steps: Vec<SkillStep>,
    pub(crate) relations: Vec<Relation>,
    pub(crate) metadata: Map<String, Value>,
    pub(crate) run: Option<Vec<String>>,
    pub(crate) entries: Vec<ArtifactEntry>,
}

impl Values {
    /// Merges the texts. `folder` is the fallback for the slug, `body` for the description.
    pub(crate) fn of(front: Option<&Front<'_>>, json: &Json, body: &str, folder: &str) -> Self {
        let identity = Identity::of(front, json, folder);
        let text = |paths, other: &Option<String>| {
            let found = front.and_then(|front| front.first_text(paths));
            found.map(|(_, text)| text.to_owned()).or_else(|| other.clone())
        };
        let tags = front.and_then(|front| front.first_tags(TAGS)).map(|(_, tags)| tags);
        Self {
            name: identity.name(json),
            slug: identity.slug,
            description: text(&[&["description"]], &json.description).or_else(|| prose::first_paragraph(body)).unwrap_or_default(),
            version: text(VERSION, &json.version).unwrap_or_else(|| VERSION_DEFAULT.to_owned()),
            author: text(AUTHOR, &json.author),
            tags: tags.or_else(|| json.tags.clone()).unwrap_or_default(),
            category: json.category.clone().unwrap_or_else(|| CATEGORY_DEFAULT.to_owned()),
            triggers: triggers(front, json),
            intent_patterns: json.intent_patterns.clone().unwrap_or_default(),
            when_not_to_use: json.when_not_to_use.clone(),
            user_invocable: json.user_invocable.unwrap_or(true),
            steps: json.steps.clone().unwrap_or_else(|| prose::steps(body)),
            relations: json.relations.clone(),
            metadata: json.metadata.clone(),
            run: json.run.clone(),
            entries: json.entries.clone(),
        }
    }

    /// Whether everything but the artifacts equals `package`.
    pub(crate) fn says(&self, package: &Package) -> bool {
        self.slug == package.slug
            && self.name == package.name
            && self.description == package.description
            && self.version == package.version
            && self.author == package.author
            && self.tags == package.tags
            && self.category == package.category
            && self.triggers == package.triggers
            && self.intent_patterns == package.intent_patterns
            && self.when_not_to_use == package.when_not_to_use
            && self.user_invocable == package.user_invocable
            && self.steps == package.steps
            && self.relations == package.relations
            && self.metadata == package.metadata
            && self.run == package.run
    }
}

/// Slug and title from the frontmatter.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Identity {
    pub(crate) slug: Slug,
    /// Whether the texts state the slug; else it was derived from a title or the folder name.
    pub(crate) is_slug_stated: bool,
    /// The title, if the name as written is one; else `skill.json` may state it.
    pub(crate) title: Option<String>,
}

impl Identity {
    pub(crate) fn of(front: Option<&Front<'_>>, json: &Json, folder: &str) -> Self {
        let stated = front.and_then(Front::slug);
        let written = front.and_then(|front| front.text(&["name"])).or(json.name.as_deref());
        let valid = written.and_then(|name| Slug::parse(name).ok());
        // With a `slug` key, `name` is a title even if it could be a slug.
        let title = written.filter(|_| valid.is_none() || (stated.is_some() && stated != valid));
        let stated = stated.or(valid);
        let is_slug_stated = stated.is_some();
        let slug = stated
            .or_else(|| written.and_then(usable_slug))
            .or_else(|| Slug::parse(folder).ok())
            .or_else(|| usable_slug(folder))
            .unwrap_or_else(|| Slug::of_name(written.unwrap_or(folder)));
        Self { slug, is_slug_stated, title: title.map(shortened) }
    }

    pub(crate) fn name(&self, json: &Json) -> String {
        let other = || json.title.as_deref().map(shortened);
        self.title.clone().or_else(other).unwrap_or_else(|| self.slug.humanised())
    }
}

/// `None` if the text has no letters or digits.
fn usable_slug(text: &str) -> Option<Slug> {
    let usable = text.nfkd().any(|ch| ch.is_ascii_alphanumeric());
    usable.then(|| Slug::parse(&slugify(text, "skill")).ok()).flatten()
}

/// Truncates a title to the allowed length.
pub(crate) fn shortened(title: &str) -> String {
    match title.char_indices().nth(limits::NAME_CHARS) {
        Some((end, _)) => title[..end].trim_end().to_owned(),
        None => title.to_owned(),
    }
}

/// The frontmatter's trigger pattern first, then those of `skill.json`.
fn triggers(front: Option<&Front<'_>>, json: &Json) -> Vec<String> {
    let mut triggers = json.triggers.clone().unwrap_or_default();
    if let Some(first) = front.and_then(|front| front.text(&["trigger_pattern"]))
        && triggers.first().map(String::as_str) != Some(first)
    {
        triggers.insert(0, first.to_owned());
    }
    triggers
}

/// Reports values that differ between both files; the frontmatter takes precedence.
pub(crate) fn report_conflicts(front: &Front<'_>, json: &Json, identity: &Identity, diagnostics: &mut Vec<Diagnostic>) {
    let text = |paths| front.first_text(paths).map(|(_, text)| text);
    let pairs = [
        ("title", identity.title.as_deref(), json.title.as_deref()),
        ("name", front.text(&["name"]), json.name.as_deref()),
        ("description", text(&[&["description"]]), json.description.as_deref()),
        ("version", text(VERSION), json.version.as_deref()),
        ("author", text(AUTHOR), json.author.as_deref()),
    ];
    let mut conflicts: Vec<&str> = Vec::new();
    for (key, front, json) in pairs {
        if let (Some(front), Some(json)) = (front, json)
            && front != json
        {
            conflicts.push(key);
        }
    }
    let tags = front.first_tags(TAGS).map(|(_, tags)| tags);
    if tags.is_some() && json.tags.is_some() && tags != json.tags {
        conflicts.push("tags");
    }
    diagnostics.extend(conflicts.into_iter().map(|key| {
        let message = format!("{key} differs from the frontmatter, which takes precedence");
        Diagnostic::warning("skill-json/overridden", message)
            .hint("remove it from skill.json")
            .in_file(SKILL_JSON)
            .pointer(format!("/{key}"))
    }));
}
