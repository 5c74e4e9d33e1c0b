use inklings_core::name::{fold, lookup_key, output_key};
use inklings_core::{ArtifactKind, Skill, StorageError};
use inklings_symbols::lines::Lines;
use inklings_symbols::{Role, Symbol, Texts};

use super::api::{FileLocations, Location, Uses};
use super::error::SymbolError;
use super::service::{MAX_LOCATIONS, SymbolService, locations_of, texts};
use crate::find::{Finder, Query, QueryError};
use crate::wire::UnsavedText;

impl SymbolService<'_> {
    pub(super) fn uses(&self, skill: &Skill, symbol: &Symbol, edits: Vec<UnsavedText>) -> Result<Uses, SymbolError> {
        let texts = texts(self.prompts, skill, edits);
        let mut found = find_uses(skill, &texts, symbol, |_| true)?;
        if let Symbol::Skill { .. } | Symbol::Page { .. } = symbol {
            found.uses = uses_in_all_skills(self, skill, &texts, symbol)?;
        }
        Ok(found)
    }
}

/// Where one skill names a symbol in a role for which `is_certain` holds; its other occurrences are mentions.
pub(super) fn find_uses(skill: &Skill, texts: &Texts<'_>, symbol: &Symbol, is_certain: fn(Role) -> bool) -> Result<Uses, QueryError> {
    let mut found = texts.everywhere(symbol);
    for (_, mentions) in &mut found {
        mentions.retain(|one| is_certain(one.role));
    }
    found.retain(|(_, mentions)| !mentions.is_empty());
    let uses = found.iter().map(|(path, mentions)| FileLocations::new(skill, path, locations_of(texts, path, mentions))).collect();
    Ok(Uses { uses, mentions: find_mentions(skill, texts, symbol, is_certain)? })
}

/// Where the symbol's name appears without naming it for certain. Prose is searched for names of artifacts only: a variable's name is
/// often an ordinary word.
fn find_mentions(
    skill: &Skill,
    texts: &Texts<'_>,
    symbol: &Symbol,
    is_certain: fn(Role) -> bool,
) -> Result<Vec<FileLocations>, QueryError> {
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
        let known = texts.mentions(path).into_iter().filter(|one| one.symbol == *symbol && is_certain(one.role));
        let known: Vec<_> = known.map(|one| lines.position(one.range.start)).collect();
        let mut locations = Vec::new();
        for word in &wanted {
            let finder = Finder::new(&Query { text: word.clone(), regex: false, case: true, word: true })?;
            let found = finder.find(text, None, MAX_LOCATIONS).0.into_iter().filter(|one| !known.contains(&(one.line, one.column)));
            locations.extend(found.map(Location::from));
        }
        locations.sort_by_key(|one| (one.line, one.column));
        if !locations.is_empty() {
            all.push(FileLocations::new(skill, path, locations));
        }
    }
    Ok(all)
}

/// Where all skills name another skill or a page, in whatever spelling; `skill` with its unsaved `texts`.
fn uses_in_all_skills(
    service: &SymbolService<'_>,
    skill: &Skill,
    texts: &Texts<'_>,
    symbol: &Symbol,
) -> Result<Vec<FileLocations>, StorageError> {
    let target = match symbol {
        Symbol::Skill { name } => service.catalog.find(name, None)?,
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
    let is_named = |other: &Symbol| match (symbol, other) {
        (Symbol::Skill { .. }, Symbol::Skill { name }) | (Symbol::Page { .. }, Symbol::Page { name }) => key(name) == wanted,
        _ => false,
    };
    let of_skill = |skill: &Skill, texts: &Texts<'_>| -> Vec<FileLocations> {
        let files =
            texts.files().map(|(path, _)| (path, texts.mentions(path).into_iter().filter(|one| is_named(&one.symbol)).collect::<Vec<_>>()));
        let files = files.filter(|(_, mentions)| !mentions.is_empty());
        files.map(|(path, mentions)| FileLocations::new(skill, path, locations_of(texts, path, &mentions))).collect()
    };
    let mut found = of_skill(skill, texts);
    for summary in service.catalog.list_both()? {
        if (summary.id, summary.scope) == (skill.head.id, skill.head.scope) {
            continue;
        }
        // It may have been deleted since it was listed.
        let Some(other) = service.catalog.holder(summary.id, summary.scope)?.get_skill(summary.id)? else { continue };
        found.extend(of_skill(&other, &super::service::texts(service.prompts, &other, Vec::new())));
    }
    Ok(found)
}
