//! JSON syntax errors, with position and JSON pointer.

use inklings_core::check::Diagnostic;
use inklings_core::path::SkillPath;
use serde_json::Value;

/// Checks a file's syntax.
pub(crate) fn check(path: &SkillPath, text: &str) -> Vec<Diagnostic> {
    read(path, text).err().into_iter().map(|finding| *finding).collect()
}

pub(crate) fn read(path: &SkillPath, text: &str) -> Result<Value, Box<Diagnostic>> {
    let body = text.strip_prefix('\u{feff}').unwrap_or(text);
    serde_json::from_str(body).map_err(|error| {
        let offset = offset_of(body, error.line(), error.column());
        let message = error.to_string();
        let message = message.split(" at line ").next().unwrap_or(&message);
        let start = offset + text.len() - body.len();
        let end = start + text[start..].chars().next().filter(|ch| *ch != '\n').map_or(0, char::len_utf8);
        let finding = Diagnostic::error("json/syntax", format!("invalid JSON: {message}"));
        Box::new(finding.in_file(path).span(text, start..end).pointer(pointer_at(&body[..offset])).hint(if error.is_eof() {
            UNCLOSED_HINT
        } else {
            hint(body, offset)
        }))
    })
}

/// The byte offset of `serde_json`'s line and column, which counts bytes and is 0 at a line's start.
fn offset_of(text: &str, line: usize, column: usize) -> usize {
    let start: usize = text.split_inclusive('\n').take(line.saturating_sub(1)).map(str::len).sum();
    text.floor_char_boundary((start + column.saturating_sub(1)).min(text.len()))
}

const UNCLOSED_HINT: &str = "add the missing closing brackets or quotes";

fn hint(text: &str, offset: usize) -> &'static str {
    let before = text[..offset].trim_end();
    match text[offset..].chars().next() {
        Some('\'') => "use double quotes",
        Some('/' | '#') => "remove the comment: JSON doesn't support comments",
        Some('}' | ']') if before.ends_with(',') => "remove the trailing comma",
        Some('"') if before.ends_with(['"', '}', ']']) => "add a comma",
        None => UNCLOSED_HINT,
        _ => "fix the syntax",
    }
}

enum Level {
    Object(String),
    Array(usize),
}

/// The JSON pointer of the value at the end of `text`.
fn pointer_at(text: &str) -> String {
    let mut levels: Vec<Level> = Vec::new();
    let mut chars = text.char_indices();
    let mut last_text = String::new();
    while let Some((at, ch)) = chars.next() {
        match ch {
            '"' => {
                let mut end = at + 1;
                while let Some((at, ch)) = chars.next() {
                    end = at;
                    match ch {
                        '\\' => drop(chars.next()),
                        '"' => break,
                        _ => {}
                    }
                }
                let key = text.get(at..=end).and_then(|quoted| serde_json::from_str(quoted).ok());
                last_text = key.unwrap_or_default();
            }
            '{' => levels.push(Level::Object(String::new())),
            '[' => levels.push(Level::Array(0)),
            '}' | ']' => drop(levels.pop()),
            ':' => {
                if let Some(Level::Object(key)) = levels.last_mut() {
                    *key = std::mem::take(&mut last_text);
                }
            }
            ',' => match levels.last_mut() {
                Some(Level::Array(index)) => *index += 1,
                Some(Level::Object(key)) => key.clear(),
                None => {}
            },
            _ => {}
        }
    }
    levels
        .iter()
        .filter_map(|level| match level {
            Level::Object(key) if key.is_empty() => None,
            Level::Object(key) => Some(format!("/{}", key.replace('~', "~0").replace('/', "~1"))),
            Level::Array(index) => Some(format!("/{index}")),
        })
        .collect()
}
