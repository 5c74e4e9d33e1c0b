use std::collections::HashSet;

use inklings_core::fuzzy::{Fit, Fuzzy};
use inklings_core::{Scope, SkillCatalog, SkillNames, SkillPath, Slug, StorageError};

use super::api::{FindParams, FoundName, FoundNames, RecentFile};

const DEFAULT_LIMIT: usize = 50;
const MAX_LIMIT: usize = 500;
/// A skill that another one stands in front of comes after the others.
const HIDDEN: f64 = 12.0;
/// Of what was opened lately, the last one is worth this much more.
const RECENT: f64 = 12.0;
/// A skill comes before its files.
const SKILL: f64 = 2.0;

/// A candidate, before anything of it is copied.
struct Candidate<'a> {
    scope: Scope,
    skill: &'a SkillNames,
    file: Option<usize>,
    score: f64,
}

/// Skills and files by some characters of their names, the best first.
pub(super) fn find(catalog: &SkillCatalog, params: &FindParams) -> Result<FoundNames, StorageError> {
    let limit = params.limit.unwrap_or(DEFAULT_LIMIT).clamp(1, MAX_LIMIT);
    let mut scopes = Vec::new();
    for scope in [Scope::Workspace, Scope::Account] {
        if let Some(repository) = catalog.repository(scope) {
            scopes.push((scope, repository.names()?));
        }
    }
    let in_front: HashSet<&Slug> =
        scopes.iter().filter(|(scope, _)| *scope == Scope::Workspace).flat_map(|(_, names)| names.iter().map(|one| &one.slug)).collect();
    let mut query = Fuzzy::new(&params.query);
    let mut candidates = Vec::new();
    for (scope, names) in &scopes {
        for skill in names.iter() {
            let hidden = *scope == Scope::Account && in_front.contains(&skill.slug);
            collect(&mut candidates, &mut query, &params.recent, (*scope, skill, hidden));
        }
    }
    let more = candidates.len() > limit;
    if more {
        candidates.select_nth_unstable_by(limit - 1, order);
        candidates.truncate(limit);
    }
    candidates.sort_unstable_by(order);
    Ok(FoundNames { found: candidates.iter().map(|one| found(one, &mut query)).collect(), more })
}

/// The skill and its files, as far as they fit.
fn collect<'a>(
    candidates: &mut Vec<Candidate<'a>>,
    query: &mut Fuzzy,
    recent: &[RecentFile],
    (scope, skill, hidden): (Scope, &'a SkillNames, bool),
) {
    if hidden && query.is_empty() {
        return;
    }
    let less = if hidden { HIDDEN } else { 0.0 };
    let named = query.score(&[&skill.name]).or_else(|| query.score(&[skill.slug.as_str()]));
    if let Some(score) = named {
        candidates.push(Candidate { scope, skill, file: None, score: score + SKILL - less });
    }
    for (index, file) in skill.files.iter().enumerate() {
        let place = recent.iter().position(|one| one.skill == skill.id && one.scope == scope && one.path == file.path);
        if query.is_empty() && place.is_none() {
            continue;
        }
        // By its path, else by that together with its skill.
        let path = file.path.as_str();
        let found = query.score(&[path]).or_else(|| query.score(&[skill.slug.as_str(), "/", path]));
        if let Some(score) = found {
            let lately = place.map_or(0.0, |place| recency(place, recent.len()));
            // Without a query everything fits alike: what was opened lately comes before all skills.
            let first = if query.is_empty() { SKILL } else { 0.0 };
            candidates.push(Candidate { scope, skill, file: Some(index), score: score + first + lately - less });
        }
    }
}

/// From `RECENT` for the first down to just above 0 for the last.
fn recency(place: usize, count: usize) -> f64 {
    let part = |number| f64::from(u32::try_from(number).unwrap_or(u32::MAX));
    RECENT * part(count - place) / part(count)
}

fn skill_fit(query: &mut Fuzzy, skill: &SkillNames) -> Option<(String, Fit)> {
    [skill.name.as_str(), skill.slug.as_str()].into_iter().find_map(|text| Some((text.to_owned(), query.fit(text)?)))
}

fn file_fit(query: &mut Fuzzy, skill: &SkillNames, path: &SkillPath) -> Option<(String, Fit)> {
    [path.to_string(), format!("{}/{path}", skill.slug)].into_iter().find_map(|text| query.fit(&text).map(|fit| (text, fit)))
}

fn order(one: &Candidate<'_>, other: &Candidate<'_>) -> std::cmp::Ordering {
    other
        .score
        .total_cmp(&one.score)
        .then_with(|| one.skill.slug.cmp(&other.skill.slug))
        .then_with(|| (other.scope, one.file).cmp(&(one.scope, other.file)))
}

fn found(candidate: &Candidate<'_>, query: &mut Fuzzy) -> FoundName {
    let Candidate { scope, skill, file, .. } = *candidate;
    let file = file.map(|index| &skill.files[index]);
    let fit = match file {
        Some(file) => file_fit(query, skill, &file.path),
        None => skill_fit(query, skill),
    };
    let (text, fit) = fit.unwrap_or_default();
    let at = in_utf16(&text, fit.at);
    FoundName {
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

/// Places of characters as the window counts them.
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
    fn places_are_counted_as_the_window_counts() {
        assert_eq!(in_utf16("a🗼b", vec![0, 1, 2]), [0, 1, 2, 3]);
        assert_eq!(in_utf16("ab", vec![7]), [0_usize; 0]);
    }
}
