//! All rules with their ids, for the guide and the Problems list.
//!
//! Each crate that reports diagnostics has a table, sorted by id; a line in [`TABLES`] adds it. A test searches
//! the sources and fails on an id without a row.

mod imports;
mod page;
mod skills;

use std::sync::LazyLock;

use inklings_core::Rule;

pub use page::page;

/// The tables.
const TABLES: &[&[Rule]] =
    &[inklings_core::rule::RULES, inklings_evals::RULES, inklings_folder::RULES, inklings_prompt::RULES, skills::RULES, imports::RULES];

/// All rules, sorted by id.
#[must_use]
pub fn rules() -> &'static [Rule] {
    static RULES: LazyLock<Vec<Rule>> = LazyLock::new(|| {
        let mut rules = TABLES.concat();
        rules.sort_by_key(|rule| rule.id);
        rules
    });
    &RULES
}

#[must_use]
pub fn rule(id: &str) -> Option<&'static Rule> {
    let rules = rules();
    rules.binary_search_by(|rule| rule.id.cmp(id)).ok().and_then(|at| rules.get(at))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_unique_and_tables_in_order() {
        for table in TABLES {
            assert!(table.windows(2).all(|pair| pair[0].id < pair[1].id), "{:?}", table.first());
        }
        for pair in rules().windows(2) {
            assert!(pair[0].id < pair[1].id, "{} is there twice", pair[0].id);
        }
        assert_eq!(rule("folder/spelling").map(|rule| rule.fix), Some(true));
        assert_eq!(rule("nothing/here"), None);
    }

    #[test]
    fn words_are_as_words_should_be() {
        for rule in rules() {
            let plain = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'-');
            assert!(rule.id.split('/').count() == 2 && rule.id.split('/').all(plain), "{}", rule.id);
            assert!(!rule.summary.is_empty() && !rule.summary.ends_with('.'), "{}", rule.id);
            assert!(rule.advice.ends_with('.') && rule.advice.starts_with(char::is_uppercase), "{}", rule.id);
            assert!(!rule.summary.contains('\'') && !rule.advice.contains("n't"), "{}: the page has ’", rule.id);
        }
    }
}
