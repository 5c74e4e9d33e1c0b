//! Finding a name by some of its characters, as palettes do. `ui/src/lib/domain/fuzzy.ts` ranks the window's own lists in the same way.

/// A query that can be held against many texts.
#[derive(Debug, Clone)]
pub struct Fuzzy {
    words: Vec<Vec<char>>,
}

/// How well a text fits.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Fit {
    /// More is better. An empty query fits everything alike.
    pub score: f64,
    /// Which characters of the text were meant, in no order.
    pub at: Vec<usize>,
}

impl Fuzzy {
    /// Each word is looked for by itself, in any order.
    #[must_use]
    pub fn new(query: &str) -> Self {
        Self { words: query.split_whitespace().map(lower).collect() }
    }

    /// Whether there is nothing to look for.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.words.is_empty()
    }

    /// How well a text fits that is made of parts, without saying where; none when a word isn't in it. The buffer is used again from
    /// text to text, so that thousands can be ranked while someone types.
    #[must_use]
    pub fn score(&self, parts: &[&str], buffer: &mut Vec<char>) -> Option<f64> {
        buffer.clear();
        for part in parts {
            buffer.extend(part.chars().map(small));
        }
        let mut score = 0.0;
        for word in &self.words {
            score += word_fit(word, buffer, |_| ())? / count(self.words.len());
        }
        Some(score)
    }

    /// How well the text fits, and where; none when a word isn't in it.
    #[must_use]
    pub fn fit(&self, text: &str) -> Option<Fit> {
        let text = lower(text);
        let mut fit = Fit::default();
        for word in &self.words {
            fit.score += word_fit(word, &text, |at| fit.at.push(at))? / count(self.words.len());
        }
        Some(fit)
    }
}

/// One character for one, so that places stay places.
fn small(letter: char) -> char {
    if letter.is_ascii() { letter.to_ascii_lowercase() } else { letter.to_lowercase().next().unwrap_or(letter) }
}

fn lower(text: &str) -> Vec<char> {
    text.chars().map(small).collect()
}

#[expect(clippy::cast_precision_loss, reason = "lengths of names")]
fn count(number: usize) -> f64 {
    number as f64
}

fn begins_word(text: &[char], at: usize) -> bool {
    at == 0 || text[at - 1].is_whitespace() || matches!(text[at - 1], '/' | '-' | '_' | '.' | ':')
}

/// The word as a whole is worth most, then runs of its characters and beginnings of words. `at` is told which characters were meant.
fn word_fit(word: &[char], text: &[char], mut at: impl FnMut(usize)) -> Option<f64> {
    let length = count(text.len().min(100));
    if let Some(whole) = text.windows(word.len()).position(|part| part == word) {
        (whole..whole + word.len()).for_each(at);
        return Some(200.0 + if whole == 0 { 60.0 } else { 0.0 } + if begins_word(text, whole) { 40.0 } else { 0.0 } - length / 4.0);
    }
    let (mut score, mut from, mut before) = (0.0, 0, None);
    for letter in word {
        let found = from + text[from..].iter().position(|one| one == letter)?;
        if before.is_some_and(|before: usize| before + 1 == found) {
            score += 12.0;
        } else if begins_word(text, found) {
            score += 10.0;
        } else {
            score -= count((found - from).min(8));
        }
        at(found);
        before = Some(found);
        from = found + 1;
    }
    Some(score - length / 8.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn score(query: &str, text: &str) -> f64 {
        Fuzzy::new(query).fit(text).map_or(f64::MIN, |fit| fit.score)
    }

    #[test]
    fn characters_are_found_in_order() {
        let fit = Fuzzy::new("ckpr").fit("prompts/check-prompt.j2").unwrap();
        assert_eq!(fit.at, [8, 12, 14, 15]);
        assert_eq!(Fuzzy::new("rpkc").fit("prompts/check-prompt.j2"), None);
        assert_eq!(Fuzzy::new("ÜBER").fit("über/İx.md").unwrap().at, [0, 1, 2, 3]);
        assert_eq!(Fuzzy::new(" ").fit("anything"), Some(Fit::default()));
    }

    #[test]
    fn a_whole_word_comes_before_a_beginning_and_that_before_single_letters() {
        assert!(score("check", "check.j2") > score("check", "prompts/check.j2"));
        assert!(score("check", "prompts/check.j2") > score("check", "prompts/recheck.j2"));
        assert!(score("check", "prompts/recheck.j2") > score("check", "c/h/e/c/k"));
        assert!(score("pc", "prompts/check.j2") > score("pc", "supercool"));
    }

    #[test]
    fn words_are_found_in_any_order() {
        assert!(Fuzzy::new("check prompts").fit("prompts/check.j2").is_some());
        assert_eq!(Fuzzy::new("check music").fit("prompts/check.j2"), None);
    }

    #[test]
    fn a_score_is_that_of_the_fit_whatever_parts_the_text_has() {
        let mut buffer = Vec::new();
        for query in ["ckpr", "check prompts", "music", ""] {
            let query = Fuzzy::new(query);
            let score = query.score(&["prompts", "/", "check-prompt.j2"], &mut buffer);
            assert_eq!(score, query.fit("prompts/check-prompt.j2").map(|fit| fit.score));
        }
    }
}
