//! Values derived from the body of a `SKILL.md`: its first paragraph and its numbered steps.

use inklings_core::limits;
use inklings_core::skill::SkillStep;

/// The first paragraph of prose on one line, truncated at a word if it is too long for a
/// description. None without prose.
#[must_use]
pub(crate) fn first_paragraph(body: &str) -> Option<String> {
    let mut words: Vec<&str> = Vec::new();
    for line in prose_lines(body) {
        let line = line.trim();
        let prose = !line.is_empty() && !line.starts_with(['#', '|', '<', '>']) && !is_rule(line);
        if prose {
            words.extend(line.split_whitespace());
        } else if !words.is_empty() {
            break;
        }
    }
    let mut paragraph = String::new();
    let mut chars = 0;
    for word in words {
        chars += word.chars().count() + 1;
        if chars > limits::DESCRIPTION_CHARS {
            break;
        }
        if !paragraph.is_empty() {
            paragraph.push(' ');
        }
        paragraph.push_str(word);
    }
    paragraph.chars().any(char::is_alphanumeric).then_some(paragraph)
}

/// The lines outside fenced code blocks; a fence counts as an empty line.
fn prose_lines(body: &str) -> impl Iterator<Item = &str> {
    let mut fence: Option<&str> = None;
    body.trim_start_matches('\u{FEFF}').lines().map(move |line| {
        let mark = ["```", "~~~"].into_iter().find(|mark| line.trim_start().starts_with(mark));
        match (fence, mark) {
            (None, Some(mark)) => fence = Some(mark),
            (Some(open), Some(mark)) if open == mark => fence = None,
            (None, None) => return line,
            _ => {}
        }
        ""
    })
}

fn is_rule(line: &str) -> bool {
    line.len() > 2 && line.chars().all(|ch| matches!(ch, '-' | '*' | '_' | '=' | ' '))
}

/// The numbered list under a `## Steps` heading; empty without one.
#[must_use]
pub(crate) fn steps(body: &str) -> Vec<SkillStep> {
    let mut steps: Vec<SkillStep> = Vec::new();
    if !body.contains("teps") && !body.contains("TEPS") {
        return steps;
    }
    let mut inside = false;
    for line in prose_lines(body) {
        if let Some(heading) = heading(line) {
            if inside {
                break;
            }
            inside = heading.trim_end_matches([':', '#', ' ']).eq_ignore_ascii_case("steps");
        } else if inside {
            match (numbered(line), steps.last_mut()) {
                (Some(item), _) => steps.push(step(steps.len() + 1, item)),
                (None, Some(last)) if line.starts_with([' ', '\t']) && !line.trim().is_empty() => {
                    if !last.description.is_empty() {
                        last.description.push('\n');
                    }
                    last.description.push_str(line.trim());
                }
                _ => {}
            }
        }
    }
    steps
}

/// The text of a heading of level 2 or deeper.
fn heading(line: &str) -> Option<&str> {
    let text = line.trim_start_matches('#');
    let level = line.len() - text.len();
    ((2..=6).contains(&level) && text.starts_with(' ')).then(|| text.trim())
}

/// The text of an unindented list item `1. …` or `1) …`.
fn numbered(line: &str) -> Option<&str> {
    let rest = line.trim_start_matches(|ch: char| ch.is_ascii_digit());
    let digits = line.len() - rest.len();
    if !(1..=9).contains(&digits) {
        return None;
    }
    rest.strip_prefix(['.', ')'])?.strip_prefix([' ', '\t']).map(str::trim)
}

fn step(number: usize, item: &str) -> SkillStep {
    let (action, rest) = match item.strip_prefix("**").and_then(|rest| rest.split_once("**")) {
        Some((action, rest)) => (action, rest),
        None => (item, ""),
    };
    let description = rest.trim_start_matches([' ', ':', '-', '–', '—', '.']).trim();
    SkillStep {
        step: u32::try_from(number).unwrap_or(u32::MAX),
        action: action.trim().trim_end_matches(':').to_owned(),
        description: description.to_owned(),
        tool: tool(if description.is_empty() { action } else { description }),
        params: None,
    }
}

/// The tool in `use tool_name`: an identifier with an underscore after use, using or with.
fn tool(text: &str) -> Option<String> {
    let mut words = text.split_whitespace();
    while let Some(word) = words.next() {
        if matches!(word.to_ascii_lowercase().as_str(), "use" | "using" | "with") {
            let name = words.clone().next()?.trim_matches(|ch: char| !ch.is_ascii_alphanumeric());
            let snake = name.chars().all(|ch| ch.is_ascii_alphanumeric() || ch == '_');
            if snake && name.contains('_') {
                return Some(name.to_owned());
            }
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_are_read_from_the_list_under_their_heading() {
        let body = "# My Skill\n1. not this\n## Steps\n\n1. **Step one** — use tool_name\n   and more\n2. Verify with `another_tool`.\n## Notes\n3. nor this\n";
        let steps = steps(body);
        assert_eq!(steps.len(), 2);
        assert_eq!((steps[0].step, steps[0].action.as_str()), (1, "Step one"));
        assert_eq!(steps[0].description, "use tool_name\nand more");
        assert_eq!(steps[0].tool.as_deref(), Some("tool_name"));
        assert_eq!((steps[1].action.as_str(), steps[1].tool.as_deref()), ("Verify with `another_tool`.", Some("another_tool")));
        assert!(super::steps("## Steps\n```\n1. code\n```\n").is_empty());
        assert!(super::steps("## Next Steps\n1. x\n").is_empty());
    }

    #[test]
    fn the_first_paragraph_is_running_text() {
        let body = "# Title\n\n```\ncode\n```\n---\nDoes one\nthing.\n\nMore.\n";
        assert_eq!(first_paragraph(body).as_deref(), Some("Does one thing."));
        assert_eq!(first_paragraph("# Only a title\n"), None);
        assert_eq!(first_paragraph("...\n"), None);
        assert_eq!(first_paragraph(&"word ".repeat(500)).unwrap().len(), 1024 / 5 * 5 - 1);
    }
}
