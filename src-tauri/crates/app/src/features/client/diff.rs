//! What changes in a file, with as little around it as possible.

use similar::TextDiff;

/// Lines of a file in one line are too long to read, and have all its secrets.
const MAX_LINE_CHARS: usize = 400;
/// Characters around a change in such a line.
const MARGIN: usize = 40;

/// A unified diff without file names and with one line of context. Of long lines, only the part that changes.
pub(super) fn diff(before: &str, after: &str) -> String {
    if before == after {
        return String::new();
    }
    let is_long = [before, after].iter().any(|text| text.lines().any(|line| line.chars().count() > MAX_LINE_CHARS));
    if is_long {
        return long(before, after);
    }
    TextDiff::from_lines(before, after).unified_diff().context_radius(1).missing_newline_hint(false).to_string()
}

fn long(before: &str, after: &str) -> String {
    let [old, new]: [Vec<char>; 2] = [before, after].map(|text| text.trim_end().chars().collect());
    let start = old.iter().zip(&new).take_while(|(a, b)| a == b).count();
    let rest = old.len().min(new.len()) - start;
    let same_end = old.iter().rev().zip(new.iter().rev()).take(rest).take_while(|(a, b)| a == b).count();
    let part = |text: &[char]| {
        let (from, to) = (start.saturating_sub(MARGIN), (text.len() - same_end + MARGIN).min(text.len()));
        let ellipsis = |cut: bool| if cut { "…" } else { "" };
        let shown: String = text.get(from..to).unwrap_or_default().iter().take(MAX_LINE_CHARS + 2 * MARGIN).collect();
        format!("{}{}{}", ellipsis(from > 0), shown.replace(['\n', '\r'], " "), ellipsis(to < text.len()))
    };
    format!("-{}\n+{}\n", part(&old), part(&new))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_change_has_one_line_around_it() {
        let before = "{\n  \"token\": \"secret\",\n  \"b\": {\n    \"c\": 1\n  },\n  \"d\": 2\n}\n";
        let after = before.replace("    \"c\": 1\n", "    \"c\": 1,\n    \"e\": 2\n");
        assert_eq!(diff(before, &after), "@@ -3,3 +3,4 @@\n   \"b\": {\n-    \"c\": 1\n+    \"c\": 1,\n+    \"e\": 2\n   },\n");
        assert_eq!(diff(before, before), "");
    }

    #[test]
    fn of_a_long_line_only_the_change_is_shown() {
        let secrets = "secret ".repeat(100);
        let (before, after) = (
            format!("{{\"a\":\"{secrets}\",\"b\":{{}},\"c\":\"{secrets}\"}}"),
            format!("{{\"a\":\"{secrets}\",\"b\":{{\"new\":1}},\"c\":\"{secrets}\"}}"),
        );
        let shown = diff(&before, &after);
        assert!(shown.starts_with("-…") && shown.contains("\"b\":{\"new\":1},\"c\"") && shown.len() < 300, "{shown}");
    }
}
