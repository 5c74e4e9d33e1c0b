use std::collections::HashSet;

use inklings_core::fuzzy::{Fuzzy, FuzzyMatch};
use inklings_core::{Scope, SkillCatalog, SkillNames, SkillPath, Slug, StorageError};

use super::api::{FindParams, NameMatch, NameMatches, RecentFile};

const DEFAULT_LIMIT: usize = 50;
const MAX_LIMIT: usize = 500;
/// Subtracted for an overridden skill, which ranks after the others.
const OVERRIDDEN_PENALTY: f64 = 12.0;
/// Added for the file that was opened last, and less for earlier ones.
const RECENT_BONUS: f64 = 12.0;
/// Added for a skill, which ranks before its files.
const SKILL_BONUS: f64 = 2.0;

/// Borrowed, so that only results are copied.
struct Candidate<'a> {
    scope: Scope,
    skill: &'a SkillNames,
    file: Option<usize>,
    score: f64,
}

/// Fuzzy search in names and paths, best match first.
pub(super) fn find(catalog: &SkillCatalog, params: &FindParams) -> Result<NameMatches, StorageError> {
    let limit = params.limit.unwrap_or(DEFAULT_LIMIT).clamp(1, MAX_LIMIT);
    let mut scopes = Vec::new();
    for scope in [Scope::Workspace, Scope::Account] {
        if let Some(repository) = catalog.repository(scope) {
            scopes.push((scope, repository.names()?));
        }
    }
    let overriding: HashSet<&Slug> =
        scopes.iter().filter(|(scope, _)| *scope == Scope::Workspace).flat_map(|(_, names)| names.iter().map(|one| &one.slug)).collect();
    let mut query = Fuzzy::new(&params.query);
    let mut candidates = Vec::new();
    for (scope, names) in &scopes {
        for skill in names.iter() {
            let overridden = *scope == Scope::Account && overriding.contains(&skill.slug);
            collect(&mut candidates, &mut query, &params.recent, *scope, skill, overridden);
        }
    }
    let more = candidates.len() > limit;
    if more {
        candidates.select_nth_unstable_by(limit - 1, order);
        candidates.truncate(limit);
    }
    candidates.sort_unstable_by(order);
    Ok(NameMatches { found: candidates.iter().map(|one| name_match(one, &mut query)).collect(), more })
}

/// Adds the skill and its files if they match.
fn collect<'a>(
    candidates: &mut Vec<Candidate<'a>>,
    query: &mut Fuzzy,
    recent: &[RecentFile],
    scope: Scope,
    skill: &'a SkillNames,
    overridden: bool,
) {
    if overridden && query.is_empty() {
        return;
    }
    let penalty = if overridden { OVERRIDDEN_PENALTY } else { 0.0 };
    let named = query.score(&[&skill.name]).or_else(|| query.score(&[skill.slug.as_str()]));
    if let Some(score) = named {
        candidates.push(Candidate { scope, skill, file: None, score: score + SKILL_BONUS - penalty });
    }
    for (index, file) in skill.files.iter().enumerate() {
        let position = recent.iter().position(|one| one.skill == skill.id && one.scope == scope && one.path == file.path);
        if query.is_empty() && position.is_none() {
            continue;
        }
        // By path, or by skill and path.
        let path = file.path.as_str();
        let found = query.score(&[path]).or_else(|| query.score(&[skill.slug.as_str(), "/", path]));
        if let Some(score) = found {
            let recency = position.map_or(0.0, |position| recency(position, recent.len()));
            // Without a query all scores are equal, and recent files rank before skills.
            let bonus = if query.is_empty() { SKILL_BONUS } else { 0.0 };
            candidates.push(Candidate { scope, skill, file: Some(index), score: score + bonus + recency - penalty });
        }
    }
}

/// From `RECENT_BONUS` for the first down to just above 0 for the last.
fn recency(position: usize, count: usize) -> f64 {
    let part = |number| f64::from(u32::try_from(number).unwrap_or(u32::MAX));
    RECENT_BONUS * part(count - position) / part(count)
}

fn skill_fit(query: &mut Fuzzy, skill: &SkillNames) -> Option<(String, FuzzyMatch)> {
    [skill.name.as_str(), skill.slug.as_str()].into_iter().find_map(|text| Some((text.to_owned(), query.fit(text)?)))
}

fn file_fit(query: &mut Fuzzy, skill: &SkillNames, path: &SkillPath) -> Option<(String, FuzzyMatch)> {
    [path.to_string(), format!("{}/{path}", skill.slug)].into_iter().find_map(|text| query.fit(&text).map(|fit| (text, fit)))
}

fn order(one: &Candidate<'_>, other: &Candidate<'_>) -> std::cmp::Ordering {
    other
        .score
        .total_cmp(&one.score)
        .then_with(|| one.skill.slug.cmp(&other.skill.slug))
        .then_with(|| (other.scope, one.file).cmp(&(one.scope, other.file)))
}

fn name_match(candidate: &Candidate<'_>, query: &mut Fuzzy) -> NameMatch {
    let Candidate { scope, skill, file, .. } = *candidate;
    let file = file.map(|index| &skill.files[index]);
    let fit = match file {
        Some(file) => file_fit(query, skill, &file.path),
        None => skill_fit(query, skill),
    };
    let (text, fit) = fit.unwrap_or_default();
    let at = in_utf16(&text, fit.at);
    NameMatch {
        id: skill.id,
        scope,
        slug: skill.slug.clone(),
        name: skill.name.clone(),
        path: file.map(|file| file.path.clone()),
        kind: file.and_then(|file| file.kind),
        text,
        at,
    }
}

/// Indices of characters as indices of UTF-16 code units.
fn in_utf16(text: &str, at: Vec<usize>) -> Vec<usize> {
    let mut units: Vec<(usize, usize)> = Vec::new();
    let mut next = 0;
    for letter in text.chars() {
        units.push((next, letter.len_utf16()));
        next += letter.len_utf16();
    }
    at.into_iter().filter_map(|index| units.get(index)).flat_map(|(start, length)| *start..start + length).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn indices_are_in_utf16_code_units() {
        assert_eq!(in_utf16("a🗼b", vec![0, 1, 2]), [0, 1, 2, 3]);
        assert_eq!(in_utf16("ab", vec![7]), [0_usize; 0]);
    }
}
