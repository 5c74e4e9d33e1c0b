use inklings_core::name::{fold, lookup_key, output_key};
use inklings_core::{Artifact, ArtifactKind, Skill, SkillPath, StorageError};
use inklings_symbols::lines::Lines;
use inklings_symbols::{Mention, Role, Symbol, Texts};

use super::api::{Location, SymbolAtPosition, SymbolInformation, Target};
use super::service::{SymbolService, texts};
use crate::wire::UnsavedText;

/// Characters of a heading that are shown as a title.
const MAX_TITLE_CHARS: usize = 120;

impl SymbolService<'_> {
    /// The symbol at a position of a file.
    pub(super) fn find_at(
        &self,
        skill: &Skill,
        path: &SkillPath,
        line: usize,
        column: usize,
        edits: Vec<UnsavedText>,
    ) -> Result<SymbolAtPosition, StorageError> {
        let texts = texts(self.prompts, skill, edits);
        let Some(text) = texts.text(path) else { return Ok(SymbolAtPosition { symbol: None }) };
        let lines = Lines::new(text);
        let Some(mention) = texts.at(path, lines.offset(line, column)) else { return Ok(SymbolAtPosition { symbol: None }) };
        let location = Location::new(&lines, text, &mention.range);
        HoverBuilder { service: self, skill, texts: &texts }
            .build(mention, location, path)
            .map(|info| SymbolAtPosition { symbol: Some(info) })
    }
}

struct HoverBuilder<'a> {
    service: &'a SymbolService<'a>,
    skill: &'a Skill,
    texts: &'a Texts<'a>,
}

impl HoverBuilder<'_> {
    fn build(&self, mention: Mention, location: Location, path: &SkillPath) -> Result<SymbolInformation, StorageError> {
        let renames = matches!(mention.symbol, Symbol::Variable { .. } | Symbol::Artifact { .. });
        let mut info = SymbolInformation {
            symbol: mention.symbol,
            location,
            title: String::new(),
            about: String::new(),
            facts: Vec::new(),
            targets: Vec::new(),
            renames,
        };
        match info.symbol.clone() {
            Symbol::Variable { name } => self.variable(&mut info, name, path),
            Symbol::Artifact { name } => self.artifact(&mut info, name),
            Symbol::Skill { name } => self.other_skill(&mut info, name)?,
            Symbol::File { path } => self.file(&mut info, &path),
            Symbol::Page { name } => self.page(&mut info, name),
            Symbol::Heading { path, anchor } => self.heading(&mut info, &path, &anchor),
        }
        Ok(info)
    }

    /// The first line of one of the skill's files.
    fn file_target(&self, path: &SkillPath) -> Target {
        self.target(path, 1, 1)
    }

    fn target_at(&self, path: &SkillPath, offset: usize) -> Target {
        let (line, column) = Lines::new(self.texts.text(path).unwrap_or_default()).position(offset);
        self.target(path, line, column)
    }

    fn target(&self, path: &SkillPath, line: usize, column: usize) -> Target {
        Target::Skill { skill: self.skill.head.id, scope: self.skill.head.scope, path: path.clone(), line, column }
    }

    fn variable(&self, info: &mut SymbolInformation, name: String, path: &SkillPath) {
        if let Some(known) = self.service.variables(self.texts).into_iter().find(|one| one.variable.name == name) {
            info.about = known.variable.description.clone().unwrap_or_default();
            info.facts = known.facts();
        }
        let found = self.texts.everywhere(&info.symbol);
        let in_role = |role: Role| {
            let of_file = found.iter().flat_map(|(path, mentions)| mentions.iter().map(move |one| (*path, one)));
            let mut targets: Vec<_> =
                of_file.filter(|(_, one)| one.role == role).map(|(path, one)| self.target_at(path, one.range.start)).collect();
            targets.dedup();
            targets
        };
        info.targets = [Role::Defines, Role::Gives].into_iter().flat_map(&in_role).collect();
        if info.targets.is_empty() {
            // Nothing declares it, so its first use stands in for a definition, in this file if it is used here.
            let (first, own): (Vec<_>, Vec<_>) = in_role(Role::Uses).into_iter().partition(|target| is_in(target, path));
            info.targets = first.into_iter().chain(own).take(1).collect();
        }
        info.title = name;
    }

    fn artifact(&self, info: &mut SymbolInformation, name: String) {
        let mut all: Vec<&Artifact> = self.texts.package().artifacts.iter().filter(|artifact| artifact.name == name).collect();
        all.sort_by_key(|artifact| (artifact.variant.is_some(), artifact.ordinal));
        for artifact in &all {
            let variant = artifact.variant.as_ref().map(|variant| format!(", for {variant}")).unwrap_or_default();
            info.facts.push(format!("{}, {}{variant}", artifact.path, kind_label(artifact.kind)));
        }
        if let Some(first) = all.first().filter(|artifact| !artifact.kind.is_context()) {
            let fields = self.service.output_names(first);
            let fields = if fields.is_empty() { String::new() } else { format!(", with {}", fields.join(", ")) };
            info.facts.push(format!("Available in templates as outputs.{}{fields}.", output_key(&name)));
        }
        info.targets = all.iter().map(|artifact| self.file_target(&artifact.path)).collect();
        info.title = name;
    }

    fn other_skill(&self, info: &mut SymbolInformation, name: String) -> Result<(), StorageError> {
        let Some(skill) = self.service.catalog.find(&name, None)? else {
            (info.title, info.about) = (name, "Skill not found.".to_owned());
            return Ok(());
        };
        let (head, package) = (skill.head, skill.package);
        info.targets.push(Target::Skill { skill: head.id, scope: head.scope, path: package.main_path, line: 1, column: 1 });
        info.facts.push(format!("{}, {}", package.slug, head.scope));
        (info.title, info.about) = (package.name, package.description);
        Ok(())
    }

    fn file(&self, info: &mut SymbolInformation, path: &SkillPath) {
        path.as_str().clone_into(&mut info.title);
        if self.texts.has(path) {
            info.targets.push(self.file_target(path));
            info.facts.extend(self.texts.artifact(path).map(|artifact| format!("{}, {}", artifact.name, kind_label(artifact.kind))));
        } else {
            "File not found in the skill.".clone_into(&mut info.about);
        }
    }

    fn page(&self, info: &mut SymbolInformation, name: String) {
        let pages = self.service.workspace.and_then(|folder| self.service.workspaces.pages(folder).ok());
        info.about = match &pages {
            None => "Open a folder to see its pages.".to_owned(),
            Some(_) => "Page not found in the workspace.".to_owned(),
        };
        let found = pages.and_then(|pages| {
            let by_slug = [name.clone(), lookup_key(&name)].iter().find_map(|slug| pages.page(slug).ok());
            by_slug.or_else(|| {
                let hits = pages.search(&name, 20).ok()?;
                let hit = hits.into_iter().find(|hit| fold(&hit.title) == fold(&name))?;
                pages.page(&hit.slug).ok()
            })
        });
        info.title = name;
        if let Some(page) = found {
            info.facts.push(page.summary.path);
            info.targets.push(Target::Page { slug: page.summary.slug });
            (info.title, info.about) = (page.summary.title, String::new());
        }
    }

    fn heading(&self, info: &mut SymbolInformation, path: &SkillPath, anchor: &str) {
        info.title = format!("#{anchor}");
        let text = self.texts.text(path).unwrap_or_default();
        let known = self.texts.mentions(path).into_iter().find(|one| one.symbol == info.symbol && one.role == Role::Defines);
        match known {
            Some(one) => {
                info.title = text[one.range.clone()].lines().next().unwrap_or_default().chars().take(MAX_TITLE_CHARS).collect();
                info.targets.push(self.target_at(path, one.range.start));
                info.facts.push(path.to_string());
            }
            None if self.texts.has(path) => info.about = format!("Heading not found in {path}."),
            None => "File not found in the skill.".clone_into(&mut info.about),
        }
    }
}

fn is_in(target: &Target, file: &SkillPath) -> bool {
    matches!(target, Target::Skill { path, .. } if path == file)
}

const fn kind_label(kind: ArtifactKind) -> &'static str {
    match kind {
        ArtifactKind::Description => "a description",
        ArtifactKind::PromptTemplate => "a prompt",
        ArtifactKind::CodeTemplate => "a script",
        ArtifactKind::DspyModule => "a DSPy program",
        ArtifactKind::Approach => "an approach",
        ArtifactKind::Example => "an example",
    }
}
