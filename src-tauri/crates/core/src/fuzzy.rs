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

    /// Whether all words are in the text: what most texts fail, before anything is counted.
    #[must_use]
    pub fn fits(&self, text: &str) -> bool {
        self.words.iter().all(|word| {
            let mut letters = text.chars().map(small);
            word.iter().all(|wanted| letters.any(|letter| letter == *wanted))
        })
    }

    /// How well the text fits; none when a word isn't in it.
    #[must_use]
    pub fn fit(&self, text: &str) -> Option<Fit> {
        if self.words.is_empty() {
            return Some(Fit::default());
        }
        let text = lower(text);
        let mut fit = Fit::default();
        for word in &self.words {
            let one = word_fit(word, &text)?;
            fit.score += one.score / count(self.words.len());
            fit.at.extend(one.at);
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

/// The word as a whole is worth most, then runs of its characters and beginnings of words.
fn word_fit(word: &[char], text: &[char]) -> Option<Fit> {
    let length = count(text.len().min(100));
    if let Some(whole) = text.windows(word.len()).position(|part| part == word) {
        let score = 200.0 + if whole == 0 { 60.0 } else { 0.0 } + if begins_word(text, whole) { 40.0 } else { 0.0 } - length / 4.0;
        return Some(Fit { score, at: (whole..whole + word.len()).collect() });
    }
    let (mut at, mut score, mut from): (Vec<usize>, f64, usize) = (Vec::new(), 0.0, 0);
    for letter in word {
        let found = from + text[from..].iter().position(|one| one == letter)?;
        if at.last().is_some_and(|before| before + 1 == found) {
            score += 12.0;
        } else if begins_word(text, found) {
            score += 10.0;
        } else {
            score -= count((found - from).min(8));
        }
        at.push(found);
        from = found + 1;
    }
    Some(Fit { score: score - length / 8.0, at })
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
        assert!(Fuzzy::new("check prompts").fits("prompts/check.j2"));
        assert!(Fuzzy::new("check prompts").fit("prompts/check.j2").is_some());
        assert!(!Fuzzy::new("check music").fits("prompts/check.j2"));
        assert_eq!(Fuzzy::new("check music").fit("prompts/check.j2"), None);
    }
}
