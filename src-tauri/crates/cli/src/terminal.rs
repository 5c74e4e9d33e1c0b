//! Makes text safe to print to a terminal.
//!
//! Skills, pages and answers of models are untrusted, and escape sequences in them could
//! set the clipboard, rename the window or hide a line. Control characters are therefore shown, not sent.

use std::borrow::Cow;
use std::fmt::Write as _;

/// Whether a terminal interprets the character, including line ends and tabs, which [`visible`] keeps.
fn is_control(ch: char) -> bool {
    // The last two groups reorder the text around them (bidirectional embeddings, overrides and isolates).
    ch.is_control() || matches!(ch, '\u{202A}'..='\u{202E}' | '\u{2066}'..='\u{2069}')
}

/// Replaces control characters: `^[` for ESC like `cat -v`, `<U+009B>` beyond ASCII. Line ends and tabs
/// are kept; CR LF becomes LF.
pub(crate) fn visible(text: &str) -> Cow<'_, str> {
    let plain = |ch: char| matches!(ch, '\n' | '\t') || !is_control(ch);
    if text.chars().all(plain) {
        return Cow::Borrowed(text);
    }
    let mut shown = String::with_capacity(text.len() + 16);
    let mut rest = text.chars().peekable();
    while let Some(ch) = rest.next() {
        match ch {
            '\r' if rest.peek() == Some(&'\n') => {}
            ch if plain(ch) => shown.push(ch),
            '\0'..='\x1f' => shown.extend(['^', char::from(ch as u8 + b'@')]),
            '\x7f' => shown.push_str("^?"),
            ch => drop(write!(shown, "<U+{:04X}>", u32::from(ch))),
        }
    }
    Cow::Owned(shown)
}

/// Escapes control characters in JSON, which itself escapes only those of ASCII.
pub(crate) fn visible_json(json: &str) -> String {
    let mut shown = String::with_capacity(json.len());
    for ch in json.chars() {
        if ch != '\n' && is_control(ch) {
            // All of them are below U+10000, so they need no surrogate pair.
            let _ = write!(shown, "\\u{:04x}", u32::from(ch));
        } else {
            shown.push(ch);
        }
    }
    shown
}

/// Whether the terminal supports colors and redrawing a line, that is, unless `TERM=dumb`.
pub(crate) fn is_capable() -> bool {
    std::env::var_os("TERM").is_none_or(|term| term != "dumb")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn controls_are_shown_and_everything_else_stays() {
        let harmless = "Plain text\twith tabs\nand lines, ünïcödé, 日本語, עברית \u{200F}, 👩\u{200D}💻";
        assert!(matches!(visible(harmless), Cow::Borrowed(text) if text == harmless));
        assert_eq!(visible("\u{1b}]52;c;aGk=\u{7}"), "^[]52;c;aGk=^G");
        assert_eq!(visible("a\r\nb\rc\u{8}\u{7f}\0"), "a\nb^Mc^H^?^@");
        assert_eq!(visible("\u{9b}31m\u{202E}txt.exe\u{2069}"), "<U+009B>31m<U+202E>txt.exe<U+2069>");
    }

    #[test]
    fn json_stays_the_same_value() {
        let value = serde_json::json!({ "name": "\u{1b}[31m\u{9b}0m\u{202E}\u{7f}\n" });
        let shown = visible_json(&serde_json::to_string_pretty(&value).unwrap());
        assert!(!shown.contains(|ch| ch != '\n' && is_control(ch)), "{shown:?}");
        assert_eq!(serde_json::from_str::<serde_json::Value>(&shown).unwrap(), value);
    }
}
