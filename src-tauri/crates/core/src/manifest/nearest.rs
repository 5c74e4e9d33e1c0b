//! "Did you mean": the known word nearest to a misspelt one.

/// Longer words aren't compared: the cost grows with the square of the length.
const MAX_LENGTH: usize = 64;

/// The known word nearest to `word`, if one is near enough to be meant: case and the separators `-`, `_` and space don't
/// count, and at most a third of the letters may differ (inserted, deleted, replaced or swapped with a neighbour).
pub fn nearest<'a>(word: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let wanted = plain(word);
    let length = wanted.chars().count();
    if length == 0 || length > MAX_LENGTH {
        return None;
    }
    let allowed = (length / 3).clamp(1, 3);
    known
        .into_iter()
        .map(|candidate| (strsim::osa_distance(&wanted, &plain(candidate)), candidate))
        .filter(|(distance, _)| *distance <= allowed)
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, candidate)| candidate)
}

fn plain(word: &str) -> String {
    word.chars().filter(|ch| !matches!(ch, '-' | '_' | ' ')).flat_map(char::to_lowercase).collect()
}

#[cfg(test)]
mod tests {
    use super::nearest;

    #[test]
    fn finds_what_was_meant_and_nothing_far_off() {
        let known = ["requiredTools", "requiredToolGroups", "forbiddenTools", "evals"];
        for (word, meant) in [
            ("required_tools", Some("requiredTools")),
            ("requiredTool", Some("requiredTools")),
            ("forbidenTools", Some("forbiddenTools")),
            ("evlas", Some("evals")),
            ("eval", Some("evals")),
            ("colour", None),
            ("", None),
        ] {
            assert_eq!(nearest(word, known), meant, "{word}");
        }
    }
}
