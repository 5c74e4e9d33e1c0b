//! Fuzzy matching of names, as in quick open. Scores are those of nucleo-matcher (Helix), with one more rule: text that
//! contains a word of the query contiguously ranks before text that only contains its letters.

use nucleo_matcher::pattern::{Atom, AtomKind, CaseMatching, Normalization};
use nucleo_matcher::{Config, Matcher, Utf32Str};

/// Added to the score of a word that the text contains contiguously. More than scattered letters can gain by word starts.
const CONTIGUOUS_BONUS: u32 = 200;

/// A query with reusable buffers, so that thousands of texts can be ranked on each key press.
pub struct Fuzzy {
    words: Vec<Word>,
    matcher: Matcher,
    text: String,
    chars: Vec<char>,
}

struct Word {
    contiguous: Atom,
    scattered: Atom,
}

#[derive(Debug, Clone, PartialEq, Default)]
pub struct FuzzyMatch {
    /// Higher is better. An empty query gives every text 0.
    pub score: f64,
    /// The matched characters, as indices of `char`s, unsorted.
    pub at: Vec<usize>,
}

impl Fuzzy {
    /// The words of the query match in any order.
    #[must_use]
    pub fn new(query: &str) -> Self {
        let mut config = Config::DEFAULT.match_paths();
        config.prefer_prefix = true;
        let words = query.split_whitespace().map(Word::new).collect();
        Self { words, matcher: Matcher::new(config), text: String::new(), chars: Vec::new() }
    }

    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.words.is_empty()
    }

    /// The score of a text in parts; `None` if a word doesn't match.
    pub fn score(&mut self, parts: &[&str]) -> Option<f64> {
        self.text.clear();
        self.text.extend(parts.iter().copied());
        let text = Utf32Str::new(&self.text, &mut self.chars);
        let mut score = 0;
        for word in &self.words {
            score += word.score(text, &mut self.matcher)?;
        }
        Some(mean(score, self.words.len()))
    }

    /// The score and the matched positions of a text; `None` if a word doesn't match.
    pub fn fit(&mut self, text: &str) -> Option<FuzzyMatch> {
        let text = Utf32Str::new(text, &mut self.chars);
        let (mut score, mut at) = (0, Vec::new());
        for word in &self.words {
            score += word.indices(text, &mut self.matcher, &mut at)?;
        }
        Some(FuzzyMatch { score: mean(score, self.words.len()), at: at.into_iter().map(|index| index as usize).collect() })
    }
}

impl Word {
    fn new(word: &str) -> Self {
        let atom = |kind| Atom::new(word, CaseMatching::Ignore, Normalization::Smart, kind, false);
        Self { contiguous: atom(AtomKind::Substring), scattered: atom(AtomKind::Fuzzy) }
    }

    fn score(&self, text: Utf32Str<'_>, matcher: &mut Matcher) -> Option<u32> {
        let contiguous = self.contiguous.score(text, matcher).map(|score| u32::from(score) + CONTIGUOUS_BONUS);
        contiguous.or_else(|| self.scattered.score(text, matcher).map(u32::from))
    }

    fn indices(&self, text: Utf32Str<'_>, matcher: &mut Matcher, at: &mut Vec<u32>) -> Option<u32> {
        let contiguous = self.contiguous.indices(text, matcher, at).map(|score| u32::from(score) + CONTIGUOUS_BONUS);
        contiguous.or_else(|| self.scattered.indices(text, matcher, at).map(u32::from))
    }
}

/// The mean over the words, so that the bonuses of callers have the same weight for longer queries.
fn mean(score: u32, words: usize) -> f64 {
    f64::from(score) / f64::from(u32::try_from(words.max(1)).unwrap_or(u32::MAX))
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
        assert_eq!(Fuzzy::new(" ").fit("anything"), Some(FuzzyMatch::default()));
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
        for query in ["ckpr", "check prompts", "music", ""] {
            let mut query = Fuzzy::new(query);
            let score = query.score(&["prompts", "/", "check-prompt.j2"]);
            assert_eq!(score, query.fit("prompts/check-prompt.j2").map(|fit| fit.score));
        }
    }
}
