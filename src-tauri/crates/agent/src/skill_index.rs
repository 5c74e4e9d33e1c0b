//! The list of skills in a system prompt. It never cuts a description: what doesn't fit is left out, and said to be.

use inklings_prompt::tokens;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Maximum size of the list in tokens.
pub const DEFAULT_BUDGET: usize = 2_000;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum IndexFormat {
    /// A line for each skill: slug, description and tags.
    #[default]
    List,
    /// A line with title, slug, description and tags, and below it what the manifest says about when the skill is used, what it needs and
    /// how its results are reviewed.
    Detailed,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IndexEntry {
    pub slug: String,
    pub title: String,
    pub description: String,
    pub tags: Vec<String>,
    /// Indented lines below the entry, as of [`inklings_core::manifest::prompt_line`].
    pub manifest: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct SkillIndex {
    pub text: String,
    /// Size of the text in tokens.
    pub tokens: usize,
    /// Slugs of the skills that didn't fit the budget.
    pub left_out: Vec<String>,
}

/// Lists the skills, most important first, until the budget is used up. The order of those that fit is kept.
#[must_use]
pub fn skill_index(entries: &[IndexEntry], format: IndexFormat, budget: usize) -> SkillIndex {
    let mut text = String::from("## Available Skills\n");
    let mut used = tokens::count(&text);
    let rest_size = tokens::count(&rest(entries.len()));
    let mut fitting = 0;
    // The entries that fit together with the line about the rest, and where they end.
    let (mut listed, mut end) = (0, text.len());
    for entry in entries {
        // Once one is left out, so are those below it: a lower rank must not win because it is shorter. Their tokens aren't counted.
        let line = line(entry, format);
        used += tokens::count(&line);
        if used > budget {
            break;
        }
        text.push_str(&line);
        fitting += 1;
        if used + rest_size <= budget {
            (listed, end) = (fitting, text.len());
        }
    }
    if fitting == entries.len() {
        listed = fitting;
    } else {
        text.truncate(end);
        text.push_str(&rest(entries.len() - listed));
    }
    let left_out = entries[listed..].iter().map(|entry| entry.slug.clone()).collect();
    SkillIndex { tokens: tokens::count(&text), text, left_out }
}

/// Says that skills are left out. A smaller number has no more tokens.
fn rest(left_out: usize) -> String {
    format!("({left_out} more skills aren't listed; list_skills returns all of them.)\n")
}

fn line(entry: &IndexEntry, format: IndexFormat) -> String {
    // A line break in a description could look like another entry.
    let plain = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    let tags = if entry.tags.is_empty() { String::new() } else { format!(" [{}]", plain(&entry.tags.join(", "))) };
    match format {
        IndexFormat::List => format!("- {}: {}{tags}\n", entry.slug, plain(&entry.description)),
        IndexFormat::Detailed => {
            let manifest = entry.manifest.as_deref().map(|lines| format!("{lines}\n")).unwrap_or_default();
            format!("- **{}** (`{}`) -- {}{tags}\n{manifest}", plain(&entry.title), entry.slug, plain(&entry.description))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entries(count: usize) -> Vec<IndexEntry> {
        let entry = |n| IndexEntry {
            slug: format!("skill-{n}"),
            title: format!("Skill {n}"),
            description: format!("Writes report {n}.\n- fake: entry"),
            tags: vec!["reports".to_owned()],
            manifest: Some("  - when to use: report\n  - review: supervised".to_owned()),
        };
        (0..count).map(entry).collect()
    }

    #[test]
    fn whole_entries_are_left_out_by_rank_and_it_is_said() {
        let all = skill_index(&entries(3), IndexFormat::List, DEFAULT_BUDGET);
        assert_eq!(all.text.lines().count(), 4, "{}", all.text);
        assert_eq!(all.text.lines().nth(1), Some("- skill-0: Writes report 0. - fake: entry [reports]"));
        let some = skill_index(&entries(500), IndexFormat::List, 200);
        let listed = some.text.lines().filter(|line| line.starts_with("- ")).count();
        assert_eq!(listed + some.left_out.len(), 500);
        assert_eq!(some.left_out[0], format!("skill-{listed}"));
        assert!(some.text.contains(&format!("({} more skills", some.left_out.len())), "{}", some.text);
        assert!(some.tokens <= 200, "{}", some.tokens);
        let exact = skill_index(&entries(3), IndexFormat::List, all.tokens);
        assert_eq!((exact.text, exact.left_out.len()), (all.text, 0), "without a rest no place is kept for it");
    }

    #[test]
    fn the_default_budget_includes_the_line_about_the_rest() {
        for words in 1..=30 {
            let mut entries = entries(500);
            for entry in &mut entries {
                entry.description = "word ".repeat(words);
            }
            let index = skill_index(&entries, IndexFormat::List, DEFAULT_BUDGET);
            let listed = entries.len() - index.left_out.len();
            assert_eq!(index.text.lines().next_back(), Some(rest(index.left_out.len()).trim_end()));
            assert_eq!(index.tokens, tokens::count(&index.text));
            assert!(index.tokens <= 2_000, "{words}: {}", index.tokens);
            let next = tokens::count(&line(&entries[listed], IndexFormat::List));
            assert!(index.tokens + next >= 2_000, "{words}: another entry fits");
        }
    }

    #[test]
    fn a_detailed_entry_has_its_manifest_below_it() {
        let mut entries = entries(2);
        entries[0].manifest = None;
        let expected = "## Available Skills\n\
            - **Skill 0** (`skill-0`) -- Writes report 0. - fake: entry [reports]\n\
            - **Skill 1** (`skill-1`) -- Writes report 1. - fake: entry [reports]\n  \
            - when to use: report\n  - review: supervised\n";
        let index = skill_index(&entries, IndexFormat::Detailed, DEFAULT_BUDGET);
        assert_eq!((index.text.as_str(), index.left_out.len()), (expected, 0));
        // An entry is listed with its manifest or not at all.
        let short = skill_index(&entries, IndexFormat::Detailed, index.tokens - 1);
        assert_eq!((short.left_out, short.text.contains("when to use")), (vec!["skill-1".to_owned()], false));
    }
}
