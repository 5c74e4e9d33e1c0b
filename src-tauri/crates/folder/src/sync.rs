//! Updates the texts of a package to match its values. Texts that agree stay unchanged; else single
//! values are edited in place; else the text is rewritten, which is reported.

use inklings_core::check::Diagnostic;
use inklings_core::frontmatter::{self, Split};
use inklings_core::name::Slug;
use inklings_core::path::SKILL_JSON;
use inklings_core::skill::{Package, Sources};
use inklings_core::variant::normalize_variant;

use crate::front::{AUTHOR, Front, TAGS, VERSION};
use crate::front_edit::{self, FrontEdit, NotPatchable};
use crate::json::{self, Json};
use crate::json_edit;
use crate::lines::newline_of;
use crate::rules;
use crate::values::{CATEGORY_DEFAULT, Identity, VERSION_DEFAULT, Values, shortened};

/// From the least to the most invasive.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum RewriteStrategy {
    /// Edit spans and keep styles.
    Patch,
    /// Edit spans and quote new values.
    Quote,
    /// Rewrite, with unknown keys.
    Rewrite,
    /// Rewrite without unknown keys.
    Bare,
}

/// Brings the sources of a package in sync with its values. Errors mean that no folder can represent it.
pub(crate) fn sync_sources(package: &mut Package) -> Vec<Diagnostic> {
    normalize(package);
    if agree(package, &package.sources) {
        return rules::package(package);
    }
    for strategy in [RewriteStrategy::Patch, RewriteStrategy::Quote, RewriteStrategy::Rewrite, RewriteStrategy::Bare] {
        let sources = Texts::read(package).written(package, strategy);
        if agree(package, &sources) {
            let is_new_text = matches!(strategy, RewriteStrategy::Rewrite | RewriteStrategy::Bare);
            let rewritten = is_new_text.then(|| rewritten(package, &sources)).flatten();
            package.sources = sources;
            let mut findings = rules::package(package);
            findings.extend(rewritten);
            return findings;
        }
    }
    let mut findings = rules::package(package);
    // Otherwise they say why already.
    if !findings.iter().any(Diagnostic::is_error) {
        let message = format!("{} and {SKILL_JSON} can't represent these values", package.main_path);
        findings.push(Diagnostic::error("sources/unsettled", message).hint("remove control characters and deeply nested metadata"));
    }
    findings
}

/// Whether the texts already state the values. Normalizes the values to the form in which they are read.
pub(crate) fn is_in_sync(package: &mut Package) -> bool {
    normalize(package);
    agree(package, &package.sources)
}

/// Like `sync_sources`, with the slug as the frontmatter's name.
pub(crate) fn normalized(package: &Package) -> Package {
    let mut package = package.clone();
    let slug = package.slug.as_str();
    let texts = Texts::read(&package);
    let Some(front) = &texts.front else { return package };
    let mut edit = FrontEdit::new(front, false);
    if front.text(&["name"]) != Some(slug) && edit.set_text(&["name"], slug).is_ok() {
        package.sources.frontmatter = Some(edit.text().into());
        sync_sources(&mut package);
    }
    package
}

/// A standalone `SKILL.md`: the frontmatter has the slug as the name, or with `titled` as a separate key
/// next to the title, and the description.
pub(crate) fn standalone(package: &Package, titled: bool) -> String {
    let texts = Texts::read(package);
    let newline = texts.front.as_ref().map_or("\n", |front| newline_of(front.before));
    let canonical = front_edit::canonical(package, texts.front.as_ref(), newline);
    let anew = || {
        let split = frontmatter::split(&canonical, frontmatter::SKILL).ok()?;
        let front = Front::read(&canonical, &split, &package.main_path, &mut Vec::new()).ok()??;
        alone(&front, package, titled)
    };
    let text = texts.front.as_ref().and_then(|front| alone(front, package, titled)).or_else(anew).unwrap_or_else(|| canonical.clone());
    text + package.main().map_or("", |main| &main.content)
}

/// `None` if it doesn't read back as the same values.
fn alone(front: &Front<'_>, package: &Package, titled: bool) -> Option<String> {
    let slug = package.slug.as_str();
    let name = if titled { package.name.as_str() } else { slug };
    let mut edit = FrontEdit::new(front, false);
    edit.close_line();
    let mut wanted = vec![("name", name), ("description", package.description.as_str())];
    if titled || front.slug().is_some() {
        wanted.push(("slug", slug));
    }
    for (key, text) in &wanted {
        if front.text(&[*key]) != Some(*text) {
            edit.set_text(&[*key], text).ok()?;
        }
    }
    let text = edit.text();
    let split = frontmatter::split(&text, frontmatter::SKILL).ok()?;
    let back = Front::read(&text, &split, &package.main_path, &mut Vec::new()).ok()??;
    wanted.iter().all(|(key, wanted)| back.text(&[*key]) == Some(*wanted)).then_some(text)
}

fn rewritten(package: &Package, sources: &Sources) -> Option<Diagnostic> {
    let old = &package.sources;
    let lost = |old: &Option<_>, new: &Option<_>| old.as_deref().is_some_and(|old: &str| !old.is_empty()) && old != new;
    let front = lost(&old.frontmatter, &sources.frontmatter);
    (front || lost(&old.skill_json, &sources.skill_json)).then(|| {
        let file = if front { package.main_path.as_str() } else { SKILL_JSON };
        Diagnostic::info("sources/rewritten", format!("{file} was rewritten because it couldn't be edited in place"))
            .hint("check whether comments were lost")
            .in_file(file)
    })
}

/// Normalizes values to the form in which they are read back.
fn normalize(package: &mut Package) {
    let trim = |text: &mut String| {
        if text.trim().len() != text.len() {
            *text = text.trim().to_owned();
        }
    };
    for text in [&mut package.name, &mut package.description, &mut package.version, &mut package.category] {
        trim(text);
    }
    if package.name.is_empty() {
        package.name = package.slug.humanised();
    }
    if package.version.is_empty() {
        VERSION_DEFAULT.clone_into(&mut package.version);
    }
    if package.category.is_empty() {
        CATEGORY_DEFAULT.clone_into(&mut package.category);
    }
    package.author = package.author.take().map(|author| author.trim().to_owned()).filter(|author| !author.is_empty());
    package.tags = json::trimmed(std::mem::take(&mut package.tags));
    package.relations = json::distinct(std::mem::take(&mut package.relations));
    for artifact in &mut package.artifacts {
        artifact.variant = normalize_variant(artifact.variant.as_deref());
    }
    // An empty body isn't an artifact.
    package.artifacts.retain(|artifact| artifact.path != package.main_path || !artifact.content.is_empty());
    package.artifacts.sort_by(|a, b| (a.ordinal, &a.path).cmp(&(b.ordinal, &b.path)));
    package.files.sort_by(|a, b| a.path.cmp(&b.path));
}

/// Whether the texts read back as the values.
fn agree(package: &Package, sources: &Sources) -> bool {
    let main = package.main();
    let body = main.map_or("", |artifact| &artifact.content);
    let mut diagnostics = Vec::new();
    let text = sources.frontmatter.as_deref();
    if text.is_none() && main.is_some() {
        return false;
    }
    let text = text.unwrap_or_default();
    let Some(split) = split_of(text, body) else { return false };
    let Ok(front) = Front::read(text, &split, &package.main_path, &mut diagnostics) else { return false };
    let json = sources.skill_json.as_deref().map(|text| json::read(text, &mut diagnostics)).transpose();
    let Ok(json) = json else { return false };
    let json = json.unwrap_or_default();
    let values = Values::of(front.as_ref(), &json, body, package.slug.as_str());
    values.says(package) && json_edit::declares(&json.entries, package)
}

/// The parts of `text` if the file is `text` followed by `body`.
fn split_of(text: &str, body: &str) -> Option<Split> {
    if text.is_empty() {
        return frontmatter::split(body, frontmatter::SKILL).ok().filter(|split| split.yaml.is_none());
    }
    let split = frontmatter::split(text, frontmatter::SKILL).ok()?;
    let whole = split.yaml.is_some() && split.body == text.len();
    (whole && (body.is_empty() || text.ends_with('\n'))).then_some(split)
}

/// The current sources of a package, as far as they are valid.
struct Texts<'a> {
    front: Option<Front<'a>>,
    json: Option<Json>,
    sources: &'a Sources,
}

impl<'a> Texts<'a> {
    fn read(package: &'a Package) -> Self {
        let sources = &package.sources;
        let mut diagnostics = Vec::new();
        let text = sources.frontmatter.as_deref().unwrap_or_default();
        let split = frontmatter::split(text, frontmatter::SKILL).ok().filter(|split| split.body == text.len());
        let front = split.and_then(|split| Front::read(text, &split, &package.main_path, &mut diagnostics).ok()?);
        let json = sources.skill_json.as_deref().and_then(|text| json::read(text, &mut diagnostics).ok());
        Self { front, json, sources }
    }

    fn written(&self, package: &Package, strategy: RewriteStrategy) -> Sources {
        let frontmatter = self.frontmatter(package, strategy);
        let mut diagnostics = Vec::new();
        let text = frontmatter.as_deref().unwrap_or_default();
        let split = frontmatter::split(text, frontmatter::SKILL).ok();
        let front = split.and_then(|split| Front::read(text, &split, &package.main_path, &mut diagnostics).ok()?);
        let source = self.sources.skill_json.as_deref();
        let skill_json = match (&self.json, source) {
            (Some(json), _) if matches!(strategy, RewriteStrategy::Patch | RewriteStrategy::Quote) => {
                json_edit::patched(package, front.as_ref(), source, json)
            }
            (None, None) => json_edit::patched(package, front.as_ref(), None, &Json::default()),
            _ => json_edit::canonical(package, front.as_ref(), source),
        };
        Sources { skill_json: skill_json.map(Into::into), frontmatter: frontmatter.map(Into::into) }
    }

    fn frontmatter(&self, package: &Package, strategy: RewriteStrategy) -> Option<String> {
        let newline = match (&self.front, package.main()) {
            (Some(front), _) => newline_of(front.before),
            (None, Some(main)) => newline_of(&main.content),
            (None, None) => "\n",
        };
        let bare = || Some(front_edit::canonical(package, None, newline));
        let anew = || {
            // `metadata` is preserved and may contain a version, an author or tags.
            let text = front_edit::canonical(package, self.front.as_ref(), newline);
            let split = frontmatter::split(&text, frontmatter::SKILL).ok()?;
            let front = Front::read(&text, &split, &package.main_path, &mut Vec::new()).ok()??;
            self.edited(&front, package, true).ok().or_else(bare)
        };
        match &self.front {
            _ if strategy == RewriteStrategy::Bare => bare(),
            _ if strategy == RewriteStrategy::Rewrite => anew(),
            Some(front) => self.edited(front, package, strategy == RewriteStrategy::Quote).ok().or_else(anew),
            None if self.needs_none(package) => self.sources.frontmatter.as_deref().map(str::to_owned),
            None => anew(),
        }
    }

    /// Whether a skill can stay without frontmatter.
    fn needs_none(&self, package: &Package) -> bool {
        let body = package.main().map_or("", |artifact| &artifact.content);
        let none = Json::default();
        let json = self.json.as_ref().unwrap_or(&none);
        let values = Values::of(None, json, body, package.slug.as_str());
        let absent = match self.sources.frontmatter.as_deref() {
            Some("") => frontmatter::split(body, frontmatter::SKILL).is_ok_and(|split| split.yaml.is_none()),
            Some(_) => false,
            None => body.is_empty(),
        };
        absent && values.slug == package.slug && values.description == package.description
    }

    fn edited(&self, front: &Front<'_>, package: &Package, quoted: bool) -> Result<String, NotPatchable> {
        let mut edit = FrontEdit::new(front, quoted);
        let none = Json::default();
        let json = self.json.as_ref().unwrap_or(&none);
        let body = package.main().map_or("", |artifact| &artifact.content);
        let says = Values::of(Some(front), json, body, package.slug.as_str());
        if !body.is_empty() {
            edit.close_line();
        }
        identify(&mut edit, front, json, package)?;
        if says.description != package.description {
            edit.set_text(&["description"], &package.description)?;
        }
        if let Some((path, version)) = front.first_text(VERSION)
            && version != package.version
        {
            edit.set_text(path, &package.version)?;
        }
        match (front.first_text(AUTHOR), &package.author) {
            (Some((path, written)), Some(author)) if written != author => edit.set_text(path, author)?,
            (Some(_), None) => {
                for path in AUTHOR.iter().filter(|path| front.text(path).is_some()) {
                    edit.remove(path)?;
                }
            }
            _ => {}
        }
        if let Some((path, tags)) = front.first_tags(TAGS)
            && tags != package.tags
        {
            edit.set_tags(path, &package.tags)?;
        }
        trigger(&mut edit, front, package)?;
        let text = edit.text();
        let unchanged = front.repaired && text == front.whole();
        Ok(self.sources.frontmatter.as_deref().filter(|_| unchanged).map_or(text, str::to_owned))
    }
}

/// Keeps the name as written as long as it gives slug and title.
fn identify(edit: &mut FrontEdit, front: &Front<'_>, json: &Json, package: &Package) -> Result<(), NotPatchable> {
    let identity = Identity::of(Some(front), json, package.slug.as_str());
    let titled = identity.title.is_none() || identity.title.as_ref() == Some(&package.name);
    if identity.slug == package.slug && titled {
        return Ok(());
    }
    if front.slug().is_some() {
        edit.set_text(&["slug"], package.slug.as_str())?;
        return edit.set_text(&["name"], &package.name);
    }
    // A title as the name is kept if the new title gives the slug.
    let is_title = Slug::parse(&package.name).is_err() && shortened(&package.name) == package.name;
    let keeps = identity.title.is_some() && is_title && Slug::of_name(&package.name) == package.slug;
    edit.set_text(&["name"], if keeps { &package.name } else { package.slug.as_str() })
}

/// The frontmatter's trigger pattern is the first trigger; if it can't hold it, `skill.json` does.
fn trigger(edit: &mut FrontEdit, front: &Front<'_>, package: &Package) -> Result<(), NotPatchable> {
    let Some(written) = front.text(&["trigger_pattern"]) else { return Ok(()) };
    match package.triggers.first().filter(|first| !first.is_empty() && first.trim() == first.as_str()) {
        Some(first) if first == written => Ok(()),
        Some(first) => edit.set_text(&["trigger_pattern"], first),
        None => edit.remove(&["trigger_pattern"]),
    }
}
