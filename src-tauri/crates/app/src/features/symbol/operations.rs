//! `symbol/*`: what is named at a place of a skill's text, where else it is named, and what could be written there.

use std::collections::BTreeMap;

use inklings_core::name::{fold, lookup_key, output_key};
use inklings_core::{Artifact, ArtifactKind, Skill, SkillPath};
use inklings_lint::schema;
use inklings_prompt::variables::{Variable, describe};
use inklings_prompt::{help, names};
use inklings_rpc::{CallContext, Failure, NoParams, operations};
use inklings_runtime::OutputSpec;
use inklings_symbols::places::Lines;
use inklings_symbols::{Mention, Role, Texts};
use serde_json::Value;

use super::api::{
    ArtifactName, AtParams, FilePlaces, Found, KnownVariable, Named, Names, NamesParams, OutputName, Place, Target, Uses, UsesParams, Word,
    Words,
};
use crate::app::App;
use crate::features::prompt::UnsavedText;
use crate::find::{Finder, Query};

pub use inklings_symbols::Symbol;

/// Places that are told of in one file.
const TOLD: usize = 2_000;

/// Characters of a heading that is shown as a title.
const TITLE: usize = 120;

impl Place {
    pub(crate) fn of(lines: &Lines<'_>, text: &str, range: &std::ops::Range<usize>) -> Self {
        let ((line, column), (end_line, end_column)) = (lines.place(range.start), lines.place(range.end));
        let (before, after) = lines.around(range);
        Self { line, column, end_line, end_column, before, text: text.get(range.clone()).unwrap_or_default().to_owned(), after }
    }
}

impl FilePlaces {
    pub(crate) fn of(skill: &Skill, path: &SkillPath, places: Vec<Place>) -> Self {
        let (head, package) = (&skill.head, &skill.package);
        Self { skill: head.id, scope: head.scope, slug: package.slug.clone(), name: package.name.clone(), path: path.clone(), places }
    }
}

fn at(app: &App, cx: &CallContext, params: AtParams) -> Result<Found, Failure> {
    let skill = app.catalog(cx)?.require(&params.skill, params.scope)?;
    let texts = texts(app, &skill, params.edits);
    let Some(text) = texts.text(&params.path) else { return Ok(Found { named: None }) };
    let lines = Lines::new(text);
    let Some(mention) = texts.at(&params.path, lines.offset(params.line, params.column)) else { return Ok(Found { named: None }) };
    let place = Place::of(&lines, text, &mention.range);
    Teller { app, cx, skill: &skill, texts: &texts }.tell(mention, place, &params.path).map(|named| Found { named: Some(named) })
}

pub(crate) fn texts<'a>(app: &'a App, skill: &'a Skill, edits: Vec<UnsavedText>) -> Texts<'a> {
    Texts::new(&skill.package, &app.prompts, edits.into_iter().map(|edit| (edit.path, edit.text)))
}

/// Says what a mention is about.
struct Teller<'a> {
    app: &'a App,
    cx: &'a CallContext,
    skill: &'a Skill,
    texts: &'a Texts<'a>,
}

impl Teller<'_> {
    fn tell(&self, mention: Mention, place: Place, path: &SkillPath) -> Result<Named, Failure> {
        let renames = matches!(mention.symbol, Symbol::Variable { .. } | Symbol::Artifact { .. });
        let mut named = Named {
            symbol: mention.symbol,
            place,
            title: String::new(),
            about: String::new(),
            facts: Vec::new(),
            targets: Vec::new(),
            renames,
        };
        match named.symbol.clone() {
            Symbol::Variable { name } => self.variable(&mut named, name, path),
            Symbol::Artifact { name } => self.artifact(&mut named, name),
            Symbol::Skill { name } => self.other_skill(&mut named, name)?,
            Symbol::File { path } => self.file(&mut named, &path),
            Symbol::Page { name } => self.page(&mut named, name),
            Symbol::Heading { path, anchor } => self.heading(&mut named, &path, &anchor),
        }
        Ok(named)
    }

    fn here(&self, path: &SkillPath, (line, column): (usize, usize)) -> Target {
        Target::Skill { skill: self.skill.head.id, scope: self.skill.head.scope, path: path.clone(), line, column }
    }

    fn variable(&self, named: &mut Named, name: String, path: &SkillPath) {
        if let Some(known) = variables(self.app, self.texts).into_iter().find(|one| one.variable.name == name) {
            named.about = known.variable.description.clone().unwrap_or_default();
            named.facts = known.facts();
        }
        let found = self.texts.everywhere(&named.symbol);
        let places = |role: Role| {
            let of_file = found.iter().flat_map(|(path, mentions)| mentions.iter().map(move |one| (*path, one)));
            let mut places: Vec<_> = of_file
                .filter(|(_, one)| one.role == role)
                .map(|(path, one)| self.here(path, Lines::new(self.texts.text(path).unwrap_or_default()).place(one.range.start)))
                .collect();
            places.dedup();
            places
        };
        named.targets = [Role::Defines, Role::Gives].into_iter().flat_map(&places).collect();
        if named.targets.is_empty() {
            // Nothing declares it: the first use in this file is where it comes in.
            let (first, own): (Vec<_>, Vec<_>) = places(Role::Uses).into_iter().partition(|target| is_in(target, path));
            named.targets = first.into_iter().chain(own).take(1).collect();
        }
        named.title = name;
    }

    fn artifact(&self, named: &mut Named, name: String) {
        let mut all: Vec<&Artifact> = self.texts.package().artifacts.iter().filter(|artifact| artifact.name == name).collect();
        all.sort_by_key(|artifact| (artifact.variant.is_some(), artifact.ordinal));
        for artifact in &all {
            let variant = artifact.variant.as_ref().map(|variant| format!(", for {variant}")).unwrap_or_default();
            named.facts.push(format!("{}, {}{variant}", artifact.path, spoken(artifact.kind)));
        }
        if let Some(first) = all.first().filter(|artifact| !artifact.kind.is_context()) {
            let fields = gives(self.app, first);
            let fields = if fields.is_empty() { String::new() } else { format!(", with {}", fields.join(", ")) };
            named.facts.push(format!("Templates take what it gives as outputs.{}{fields}.", output_key(&name)));
        }
        named.targets = all.iter().map(|artifact| self.here(&artifact.path, (1, 1))).collect();
        named.title = name;
    }

    fn other_skill(&self, named: &mut Named, name: String) -> Result<(), Failure> {
        let Some(skill) = self.app.catalog(self.cx)?.find(&name, None)? else {
            (named.title, named.about) = (name, "No skill here has this name.".to_owned());
            return Ok(());
        };
        let (head, package) = (skill.head, skill.package);
        named.targets.push(Target::Skill { skill: head.id, scope: head.scope, path: package.main_path, line: 1, column: 1 });
        named.facts.push(format!("{}, {}", package.slug, head.scope));
        (named.title, named.about) = (package.name, package.description);
        Ok(())
    }

    fn file(&self, named: &mut Named, path: &SkillPath) {
        path.as_str().clone_into(&mut named.title);
        if self.texts.has(path) {
            named.targets.push(self.here(path, (1, 1)));
            named.facts.extend(self.texts.artifact(path).map(|artifact| format!("{}, {}", artifact.name, spoken(artifact.kind))));
        } else {
            "The skill has no such file.".clone_into(&mut named.about);
        }
    }

    fn page(&self, named: &mut Named, name: String) {
        let pages = self.cx.workspace.as_deref().and_then(|folder| self.app.scopes.pages(folder).ok());
        named.about = match &pages {
            None => "Open a folder to see its pages.".to_owned(),
            Some(_) => "The folder has no such page.".to_owned(),
        };
        let found = pages.and_then(|pages| {
            let by_slug = [name.clone(), lookup_key(&name)].iter().find_map(|slug| pages.page(slug).ok());
            by_slug.or_else(|| {
                let hits = pages.search(&name, 20).ok()?;
                let hit = hits.into_iter().find(|hit| fold(&hit.title) == fold(&name))?;
                pages.page(&hit.slug).ok()
            })
        });
        named.title = name;
        if let Some(page) = found {
            named.facts.push(page.summary.path);
            named.targets.push(Target::Page { slug: page.summary.slug });
            (named.title, named.about) = (page.summary.title, String::new());
        }
    }

    fn heading(&self, named: &mut Named, path: &SkillPath, anchor: &str) {
        named.title = format!("#{anchor}");
        let text = self.texts.text(path).unwrap_or_default();
        let known = self.texts.mentions(path).into_iter().find(|one| one.symbol == named.symbol && one.role == Role::Defines);
        match known {
            Some(one) => {
                named.title = text[one.range.clone()].lines().next().unwrap_or_default().chars().take(TITLE).collect();
                named.targets.push(self.here(path, Lines::new(text).place(one.range.start)));
                named.facts.push(path.to_string());
            }
            None if self.texts.has(path) => named.about = format!("{path} has no such heading."),
            None => "The skill has no such file.".clone_into(&mut named.about),
        }
    }
}

fn is_in(target: &Target, file: &SkillPath) -> bool {
    matches!(target, Target::Skill { path, .. } if path == file)
}

const fn spoken(kind: ArtifactKind) -> &'static str {
    match kind {
        ArtifactKind::Description => "a description",
        ArtifactKind::PromptTemplate => "a prompt",
        ArtifactKind::CodeTemplate => "a script",
        ArtifactKind::DspyModule => "a DSPy program",
        ArtifactKind::Approach => "an approach",
        ArtifactKind::Example => "an example",
    }
}

/// What an artifact gives to those after it, by name.
fn gives(app: &App, artifact: &Artifact) -> Vec<String> {
    match app.runner.dispatcher.handler(artifact.kind).map(|handler| handler.outputs(artifact)) {
        Ok(OutputSpec::Names(names)) => names,
        _ => Vec::new(),
    }
}

fn uses(app: &App, cx: &CallContext, params: UsesParams) -> Result<Uses, Failure> {
    let skill = app.catalog(cx)?.require(&params.skill, params.scope)?;
    let texts = texts(app, &skill, params.edits);
    let mut found = find_uses(&skill, &texts, &params.symbol, |_| true)?;
    if let Symbol::Skill { .. } | Symbol::Page { .. } = &params.symbol {
        found.uses = beyond(app, cx, &skill, &texts, &params.symbol)?;
    }
    Ok(found)
}

/// Where one skill names something in a role that is `sure`; its other places are mentions.
pub(crate) fn find_uses(skill: &Skill, texts: &Texts<'_>, symbol: &Symbol, sure: fn(Role) -> bool) -> Result<Uses, Failure> {
    let mut found = texts.everywhere(symbol);
    for (_, mentions) in &mut found {
        mentions.retain(|one| sure(one.role));
    }
    found.retain(|(_, mentions)| !mentions.is_empty());
    let placed = |(path, mentions): &(&SkillPath, Vec<Mention>)| FilePlaces::of(skill, path, placed(texts, path, mentions));
    Ok(Uses { uses: found.iter().map(placed).collect(), mentions: find_mentions(skill, texts, symbol, sure)? })
}

fn placed(texts: &Texts<'_>, path: &SkillPath, mentions: &[Mention]) -> Vec<Place> {
    let text = texts.text(path).unwrap_or_default();
    let lines = Lines::new(text);
    mentions.iter().take(TOLD).map(|one| Place::of(&lines, text, &one.range)).collect()
}

/// The words that a symbol is written with, where they don't name it for sure. Prose says many words: it is asked for an artifact's
/// name only.
fn find_mentions(skill: &Skill, texts: &Texts<'_>, symbol: &Symbol, sure: fn(Role) -> bool) -> Result<Vec<FilePlaces>, Failure> {
    let wanted = match symbol {
        Symbol::Variable { name } => vec![name.clone()],
        Symbol::Artifact { name } => {
            let mut names = vec![name.clone(), output_key(name)];
            names.dedup();
            names
        }
        _ => return Ok(Vec::new()),
    };
    let is_variable = matches!(symbol, Symbol::Variable { .. });
    let mut all = Vec::new();
    for (path, text) in texts.files() {
        let prose = match texts.artifact(path).map(|artifact| artifact.kind) {
            Some(ArtifactKind::Description | ArtifactKind::Approach | ArtifactKind::PromptTemplate) => true,
            Some(_) => false,
            None => matches!(path.extension().as_str(), "md" | "markdown" | "txt"),
        };
        if is_variable && prose {
            continue;
        }
        let lines = Lines::new(text);
        let known = texts.mentions(path).into_iter().filter(|one| one.symbol == *symbol && sure(one.role));
        let known: Vec<_> = known.map(|one| lines.place(one.range.start)).collect();
        let mut places = Vec::new();
        for word in &wanted {
            let finder = Finder::new(&Query { text: word.clone(), regex: false, case: true, word: true })?;
            let found = finder.find(text, None, TOLD).0.into_iter().filter(|one| !known.contains(&(one.line, one.column)));
            places.extend(found.map(|one| Place {
                line: one.line,
                column: one.column,
                end_line: one.end_line,
                end_column: one.end_column,
                before: one.before,
                text: one.text,
                after: one.after,
            }));
        }
        places.sort_by_key(|place| (place.line, place.column));
        if !places.is_empty() {
            all.push(FilePlaces::of(skill, path, places));
        }
    }
    Ok(all)
}

/// Where all skills name another skill or a page, in whatever spelling; this one as it is now.
fn beyond(app: &App, cx: &CallContext, skill: &Skill, texts: &Texts<'_>, symbol: &Symbol) -> Result<Vec<FilePlaces>, Failure> {
    let catalog = app.catalog(cx)?;
    let target = match symbol {
        Symbol::Skill { name } => catalog.find(name, None)?,
        _ => None,
    };
    let key = |name: &str| match &target {
        Some(skill) if lookup_key(name) == skill.package.slug.as_str() || fold(name) == fold(&skill.package.name) => {
            skill.package.slug.to_string()
        }
        _ => lookup_key(name),
    };
    let wanted = match symbol {
        Symbol::Skill { name } | Symbol::Page { name } => key(name),
        _ => return Ok(Vec::new()),
    };
    let is_it = |other: &Symbol| match (symbol, other) {
        (Symbol::Skill { .. }, Symbol::Skill { name }) | (Symbol::Page { .. }, Symbol::Page { name }) => key(name) == wanted,
        _ => false,
    };
    let of_skill = |skill: &Skill, texts: &Texts<'_>| -> Vec<FilePlaces> {
        let files =
            texts.files().map(|(path, _)| (path, texts.mentions(path).into_iter().filter(|one| is_it(&one.symbol)).collect::<Vec<_>>()));
        let files = files.filter(|(_, mentions)| !mentions.is_empty());
        files.map(|(path, mentions)| FilePlaces::of(skill, path, placed(texts, path, &mentions))).collect()
    };
    let mut found = of_skill(skill, texts);
    for summary in catalog.list_both()? {
        if (summary.id, summary.scope) == (skill.head.id, skill.head.scope) {
            continue;
        }
        // It may have gone since it was listed.
        let Some(other) = catalog.holder(summary.id, summary.scope)?.get_skill(summary.id)? else { continue };
        found.extend(of_skill(&other, &self::texts(app, &other, Vec::new())));
    }
    Ok(found)
}

impl KnownVariable {
    fn facts(&self) -> Vec<String> {
        let Variable { shape, fields, default, .. } = &self.variable;
        let of = if fields.is_empty() { String::new() } else { format!(" with {}", fields.join(", ")) };
        let mut facts = match shape {
            inklings_prompt::Shape::Text => Vec::new(),
            inklings_prompt::Shape::List => vec![format!("A list{}.", of.replace(" with ", " of objects with "))],
            inklings_prompt::Shape::Object => vec![format!("An object{of}.")],
        };
        let lists = [("Asked for by", &self.asked_by), ("Given by", &self.given_by)];
        facts.extend(
            lists.into_iter().filter(|(_, names)| !names.is_empty()).map(|(words, names)| format!("{words} {}.", names.join(", "))),
        );
        facts.extend(default.as_ref().map(|value| format!("Without it: {value}.")));
        facts
    }
}

fn names(app: &App, cx: &CallContext, params: NamesParams) -> Result<Names, Failure> {
    let skill = app.catalog(cx)?.require(&params.skill, params.scope)?;
    let texts = texts(app, &skill, params.edits);
    let mut artifacts: Vec<ArtifactName> = Vec::new();
    let mut outputs = Vec::new();
    for one in &skill.package.artifacts {
        if artifacts.iter().any(|known| known.name == one.name && known.kind == one.kind) {
            continue;
        }
        artifacts.push(ArtifactName { name: one.name.clone(), kind: one.kind, path: one.path.clone() });
        if !one.kind.is_context() {
            outputs.push(OutputName { key: output_key(&one.name), artifact: one.name.clone(), kind: one.kind, fields: gives(app, one) });
        }
    }
    let mut anchors: BTreeMap<SkillPath, Vec<String>> = BTreeMap::new();
    for (path, _) in texts.files() {
        for one in texts.mentions(path) {
            if let (Symbol::Heading { path, anchor }, Role::Defines) = (one.symbol, one.role) {
                anchors.entry(path).or_default().push(anchor);
            }
        }
    }
    let files = skill.package.tree().into_keys().collect();
    Ok(Names { revision: skill.head.revision, variables: variables(app, &texts), outputs, artifacts, files, anchors })
}

/// Every value that the templates of a skill ask for, that `skill.json` declares or that an artifact gives, by name. While a text
/// can't be read it asks for what its stored version does.
fn variables(app: &App, texts: &Texts<'_>) -> Vec<KnownVariable> {
    let mut known: BTreeMap<String, KnownVariable> = BTreeMap::new();
    for artifact in &texts.package().artifacts {
        let mut asked = asked(app, texts, artifact);
        if let Some(schema) = artifact.metadata.get("params") {
            describe(&mut asked, schema);
        }
        for variable in asked {
            let one = known.entry(variable.name.clone()).or_insert_with(|| with(variable.clone()));
            one.variable.description = one.variable.description.take().or(variable.description);
            one.variable.default = one.variable.default.take().or(variable.default);
            if one.variable.fields.is_empty() {
                (one.variable.shape, one.variable.fields) = (variable.shape, variable.fields);
            }
            one.declared |= declares(artifact, &one.variable.name);
            push_new(&mut one.asked_by, &artifact.name);
        }
        for name in gives(app, artifact) {
            let one = known.entry(name.clone()).or_insert_with(|| with(plain(name)));
            push_new(&mut one.given_by, &artifact.name);
        }
    }
    known.into_values().collect()
}

fn asked(app: &App, texts: &Texts<'_>, artifact: &Artifact) -> Vec<Variable> {
    if !matches!(artifact.kind, ArtifactKind::PromptTemplate | ArtifactKind::CodeTemplate) {
        return Vec::new();
    }
    let now = texts.text(&artifact.path).filter(|_| artifact.path != texts.package().main_path).unwrap_or(&artifact.content);
    let mut asked = app.prompts.variables(now).or_else(|_| app.prompts.variables(&artifact.content)).unwrap_or_default();
    asked.retain(|variable| variable.name != "outputs");
    let declared = artifact.metadata.get("params").and_then(|schema| schema.get("properties")).and_then(Value::as_object);
    for name in declared.into_iter().flat_map(|properties| properties.keys()) {
        if asked.iter().all(|variable| variable.name != *name) {
            asked.push(plain(name.clone()));
        }
    }
    asked
}

/// Whether an artifact's `params` schema has a variable.
pub(crate) fn declares(artifact: &Artifact, name: &str) -> bool {
    let properties = artifact.metadata.get("params").and_then(|schema| schema.get("properties")).and_then(Value::as_object);
    properties.is_some_and(|properties| properties.contains_key(name))
}

fn plain(name: String) -> Variable {
    Variable { name, shape: inklings_prompt::Shape::Text, fields: Vec::new(), optional: false, description: None, default: None }
}

fn with(variable: Variable) -> KnownVariable {
    KnownVariable { variable, asked_by: Vec::new(), given_by: Vec::new(), declared: false }
}

fn push_new(list: &mut Vec<String>, name: &str) {
    if list.iter().all(|known| known != name) {
        list.push(name.to_owned());
    }
}

fn words(_: &App, _: &CallContext, _: NoParams) -> Result<Words, Failure> {
    let words = |names: &[&str], about: fn(&str) -> &'static str| {
        names.iter().map(|name| Word { name: (*name).to_owned(), about: about(name).to_owned() }).collect::<Vec<_>>()
    };
    let keys: Vec<&str> = inklings_folder::front::STANDARD_KEYS.into_iter().chain(inklings_folder::front::OUR_KEYS).collect();
    Ok(Words {
        filters: words(names::FILTERS, help::filter),
        tests: words(names::TESTS, help::test),
        functions: words(names::FUNCTIONS, help::function),
        frontmatter: words(&keys, inklings_folder::front::about),
        skill_json: schema::skill_json(),
        dspy_module: schema::dspy_module(),
    })
}

operations! { App;
    At = "symbol/at", Read, blocking at(AtParams) -> Found;
    ListUses = "symbol/uses", Read, blocking uses(UsesParams) -> Uses;
    ListNames = "symbol/names", Read, blocking names(NamesParams) -> Names;
    ListWords = "symbol/words", Read, blocking words(NoParams) -> Words;
}
