//! Writes YAML scalars in the style of the value that they replace if it can represent the text, else in double quotes.

use std::fmt::Write;

use crate::yaml::Style;

/// `text` unquoted if every YAML reader reads it as this string, else in double quotes.
#[must_use]
pub(crate) fn canonical(text: &str, flow: bool) -> String {
    if is_plain(text, flow) { text.to_owned() } else { double(text) }
}

/// `text` on one line, in the style of the scalar that it replaces, or a similar one.
#[must_use]
pub(crate) fn inline(text: &str, style: Style, flow: bool) -> String {
    match style {
        Style::Single if !text.is_empty() && text.chars().all(is_printable) => {
            format!("'{}'", text.replace('\'', "''"))
        }
        Style::Single | Style::Double => double(text),
        Style::Plain | Style::Literal | Style::Folded | Style::Alias => canonical(text, flow),
    }
}

/// The lines of a block scalar without the first one's indentation. `None` if a block can't
/// represent `text`.
#[must_use]
pub(crate) fn block(text: &str, style: Style, indent: &str, newline: &str) -> Option<String> {
    let holds = |ch: char| is_printable(ch) || ch == '\n';
    if text.is_empty() || text.starts_with('\n') || indent.is_empty() || !text.chars().all(holds) {
        return None;
    }
    let folded = style == Style::Folded;
    if text.split('\n').any(|line| line.starts_with([' ', '\t']) || line.ends_with([' ', '\t'])) {
        return None;
    }
    let mut out = String::with_capacity(text.len() + 16);
    let mut first = true;
    let mut lines = text.split('\n').peekable();
    while let Some(line) = lines.next() {
        if !line.is_empty() {
            if !first {
                out.push_str(indent);
            }
            out.push_str(line);
        }
        first = false;
        let Some(next) = lines.peek() else { break };
        out.push_str(newline);
        // In a folded block, one line end is a space, so n line ends need n + 1.
        if folded && !next.is_empty() {
            out.push_str(newline);
        }
    }
    Some(out)
}

/// `text` in double quotes, on one line.
#[must_use]
pub(crate) fn double(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    out.push('"');
    for ch in text.chars() {
        match ch {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            _ if is_printable(ch) => out.push(ch),
            _ => push_escape(&mut out, ch),
        }
    }
    out.push('"');
    out
}

fn push_escape(out: &mut String, ch: char) {
    let code = u32::from(ch);
    // Writing to a string can't fail.
    let _ = if code > 0xFFFF { write!(out, "\\U{code:08X}") } else { write!(out, "\\u{code:04X}") };
}

/// A character that needs no escape in a YAML scalar on one line.
fn is_printable(ch: char) -> bool {
    !ch.is_control() && !matches!(ch, '\u{2028}' | '\u{2029}' | '\u{FEFF}' | '\u{FFFE}' | '\u{FFFF}')
}

/// Whether YAML 1.1 and 1.2 readers read unquoted `text` as this string.
fn is_plain(text: &str, flow: bool) -> bool {
    let edges = text.chars().next().is_some_and(|ch| ch.is_alphanumeric() || ch == '(')
        && !text.ends_with([' ', ':'])
        && !text.contains(": ")
        && !text.contains(" #");
    edges && text.chars().all(is_printable) && !(flow && text.contains([',', '[', ']', '{', '}'])) && !looks_typed(text)
}

/// Numbers, dates, booleans and nulls of YAML 1.1, which some readers don't read as strings.
fn looks_typed(text: &str) -> bool {
    const TYPED_SCALARS: [&str; 10] = ["y", "n", "yes", "no", "on", "off", "true", "false", "null", "nan"];
    let lower = text.to_ascii_lowercase();
    let number = |ch: char| ch.is_ascii_hexdigit() || matches!(ch, '.' | '_' | '+' | '-' | ':' | 'x' | 'o' | 't' | 'z' | ' ');
    let dots = lower.matches('.').count();
    TYPED_SCALARS.contains(&lower.as_str()) || (lower.starts_with(|ch: char| ch.is_ascii_digit()) && lower.chars().all(number) && dots < 2)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::yaml;

    fn read_back(yaml: &str) -> Option<String> {
        yaml::parse(yaml).ok()??.get("k")?.text().map(str::to_owned)
    }

    #[test]
    fn quotes_only_when_needed() {
        for (text, written) in [
            ("Check facts, then report.", "Check facts, then report."),
            ("Use when: always", "\"Use when: always\""),
            ("1.0", "\"1.0\""),
            ("1.0.0", "1.0.0"),
            ("2026-01-01", "\"2026-01-01\""),
            ("yes", "\"yes\""),
            ("- x", "\"- x\""),
            ("a\nb\u{2028}", "\"a\\nb\\u2028\""),
            ("", "\"\""),
        ] {
            assert_eq!(canonical(text, false), written);
        }
        assert_eq!(canonical("a, b", true), "\"a, b\"");
        assert_eq!(inline("it's", Style::Single, false), "'it''s'");
    }

    #[test]
    fn folded_blocks_keep_line_ends() {
        let lines = block("a\nb\n\nc", Style::Folded, "  ", "\n").unwrap();
        assert_eq!(lines, "a\n\n  b\n\n\n  c");
        assert_eq!(read_back(&format!("k: >-\n  {lines}\n")).as_deref(), Some("a\nb\n\nc"));
        assert_eq!(block(" x", Style::Literal, "  ", "\n"), None);
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(512))]
        #[test]
        fn any_text_reads_back_in_any_style(text in "[\\PC\n\t#:'\"-]{1,24}|\\PC{0,8}|.{0,8}") {
            for style in [Style::Plain, Style::Single, Style::Double] {
                let yaml = format!("k: {} # c\n", inline(&text, style, false));
                prop_assert_eq!(read_back(&yaml), Some(text.clone()), "{}", yaml);
                let yaml = format!("k: x\na: {{k: {}, b: c}}\n", inline(&text, style, true));
                let root = yaml::parse(&yaml).unwrap().unwrap();
                prop_assert_eq!(root.get("a").unwrap().get("k").unwrap().text(), Some(text.as_str()), "{}", yaml);
            }
        }

        #[test]
        fn blocks_read_back(text in "[a-c :#\n-]{1,16}") {
            for (style, header) in [(Style::Literal, "|-"), (Style::Folded, ">-")] {
                if let Some(lines) = block(text.trim_end(), style, "  ", "\n") {
                    let yaml = format!("k: {header}\n  {lines}\nz: 1\n");
                    prop_assert_eq!(read_back(&yaml).unwrap(), text.trim_end(), "{}", yaml);
                }
            }
        }
    }
}
