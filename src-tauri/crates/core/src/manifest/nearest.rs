//! "Did you mean": the known word nearest to a misspelt one.

/// The known word nearest to `word`, if one is near enough to be meant: case and the separators `-`, `_` and blank don't
/// count, and at most a third of the word may differ (letters added, left out, replaced or swapped).
pub fn nearest<'a>(word: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let wanted = plain(word);
    if wanted.is_empty() || wanted.len() > 64 {
        return None;
    }
    let allowed = (wanted.len() / 3).clamp(1, 3);
    known
        .into_iter()
        .map(|candidate| (distance(&wanted, &plain(candidate)), candidate))
        .filter(|(distance, _)| *distance <= allowed)
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, candidate)| candidate)
}

fn plain(word: &str) -> Vec<char> {
    word.chars().filter(|ch| !matches!(ch, '-' | '_' | ' ')).flat_map(char::to_lowercase).collect()
}

/// Edits between two words, a swap of neighbours being one (optimal string alignment).
fn distance(a: &[char], b: &[char]) -> usize {
    let mut before: Vec<usize> = Vec::new();
    let mut last: Vec<usize> = (0..=b.len()).collect();
    for (i, left) in a.iter().enumerate() {
        let mut row = vec![i + 1];
        for (j, right) in b.iter().enumerate() {
            let replaced = last[j] + usize::from(left != right);
            let mut best = replaced.min(last[j + 1] + 1).min(row[j] + 1);
            if i > 0 && j > 0 && *left == b[j - 1] && a[i - 1] == *right {
                best = best.min(before[j - 1] + 1);
            }
            row.push(best);
        }
        before = std::mem::replace(&mut last, row);
    }
    last.last().copied().unwrap_or(a.len())
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
