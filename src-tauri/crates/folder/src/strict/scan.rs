//! Tokenizes frontmatter as the reference's parser does.
//!
//! Indentation and simple keys work as in all scanners derived from `PyYAML`. What the dialect forbids (flow
//! style, anchors, aliases, tags, directives) is refused at its first character, so no state is needed for it.

mod texts;

use std::collections::VecDeque;

use super::Fault;

/// Maximum length of a simple key in characters.
const KEY_CHARS: usize = 1_024;

/// All fields count from 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Position {
    index: usize,
    pub(super) line: usize,
    pub(super) column: usize,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Token {
    /// The start of a block list with its own indentation.
    List,
    /// The start of a mapping.
    Mapping,
    /// The end of either.
    End,
    /// `-`
    Entry,
    /// Precedes a key.
    Key,
    /// `:`
    Value,
    /// `...`
    DocumentEnd,
    Scalar {
        text: String,
        plain: bool,
    },
    StreamEnd,
}

impl Token {
    /// Description for messages.
    pub(super) const fn name(&self) -> &'static str {
        match self {
            Self::List | Self::Entry => "a list",
            Self::Mapping | Self::Key => "a key",
            Self::End => "a line with less indentation",
            Self::Value => "':'",
            Self::DocumentEnd => "'...'",
            Self::Scalar { .. } => "a string",
            Self::StreamEnd => "the end",
        }
    }
}

/// A possible simple key, confirmed by a following `:`.
struct SimpleKey {
    token: usize,
    /// Whether nothing but a key is valid here.
    required: bool,
    position: Position,
}

/// The last token, as far as it determines how a comment is handled.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Last {
    /// A `:` with its line.
    Value(usize),
    /// A `-`, and whether comments precede it.
    Entry(bool),
    Scalar,
    Other,
}

pub(super) struct Scanner {
    /// Terminated by NUL, which no frontmatter contains.
    chars: Vec<char>,
    at: Position,
    /// Column of the current collection; None at the top level.
    indent: Option<usize>,
    indents: Vec<Option<usize>>,
    key_allowed: bool,
    possible: Option<SimpleKey>,
    tokens: VecDeque<(Token, Position)>,
    consumed: usize,
    done: bool,
    last: Last,
    /// Whether a comment follows the `:` before the next token.
    commented: bool,
    /// Whether comments precede the next token that don't belong to a string before them.
    before: bool,
}

const fn is_break(ch: char) -> bool {
    matches!(ch, '\n' | '\r' | '\u{85}' | '\u{2028}' | '\u{2029}')
}

const fn ends_line(ch: char) -> bool {
    ch == '\0' || is_break(ch)
}

const fn ends_word(ch: char) -> bool {
    matches!(ch, ' ' | '\t') || ends_line(ch)
}

impl Scanner {
    pub(super) fn new(text: &str) -> Result<Self, Fault> {
        let mut scanner = Self {
            chars: Vec::with_capacity(text.len() + 1),
            at: Position::default(),
            indent: None,
            indents: Vec::new(),
            key_allowed: true,
            possible: None,
            tokens: VecDeque::new(),
            consumed: 0,
            done: false,
            last: Last::Other,
            commented: false,
            before: false,
        };
        let mut position = Position::default();
        for ch in text.chars() {
            let printable = matches!(ch, '\t' | '\n' | '\r' | ' '..='~' | '\u{85}' | '\u{A0}'..='\u{FFFD}' | '\u{10000}'..);
            if !printable {
                return Err(Fault::new(position, format!("the character U+{:04X} isn't allowed", u32::from(ch)), "remove it"));
            }
            if ch == '\n' {
                position = Position { line: position.line + 1, ..Position::default() };
            } else {
                position.column += 1;
            }
            scanner.chars.push(ch);
        }
        scanner.chars.push('\0');
        Ok(scanner)
    }

    /// Peeks at the next token.
    pub(super) fn peek(&mut self) -> Result<(&Token, Position), Fault> {
        while self.wants_more()? {
            self.fetch()?;
        }
        // The stream's end is never consumed.
        let (token, position) = self.tokens.front().map_or((&Token::StreamEnd, self.at), |(token, position)| (token, *position));
        Ok((token, position))
    }

    pub(super) fn next_token(&mut self) -> Result<(Token, Position), Fault> {
        self.peek()?;
        self.consumed += 1;
        Ok(self.tokens.pop_front().unwrap_or((Token::StreamEnd, self.at)))
    }

    fn char(&self, ahead: usize) -> char {
        self.chars.get(self.at.index + ahead).copied().unwrap_or('\0')
    }

    fn forward(&mut self, count: usize) {
        for _ in 0..count {
            let ch = self.char(0);
            self.at.index += 1;
            if ch == '\n' {
                (self.at.line, self.at.column) = (self.at.line + 1, 0);
            } else if ch != '\u{FEFF}' {
                self.at.column += 1;
            }
        }
    }

    fn take_text(&mut self, chars: usize, into: &mut String) {
        into.extend(self.chars.iter().skip(self.at.index).take(chars));
        self.forward(chars);
    }

    fn starts_with(&self, text: &str) -> bool {
        text.chars().enumerate().all(|(ahead, ch)| self.char(ahead) == ch)
    }

    /// Whether `...` or `---` stands alone.
    fn separates_documents(&self) -> bool {
        (self.starts_with("...") || self.starts_with("---")) && ends_word(self.char(3))
    }

    fn fault<T>(&self, message: impl Into<String>, hint: &'static str) -> Result<T, Fault> {
        Err(Fault::new(self.at, message, hint))
    }

    fn wants_more(&mut self) -> Result<bool, Fault> {
        if self.done {
            return Ok(false);
        }
        if self.tokens.is_empty() {
            return Ok(true);
        }
        // The next token may be a key, depending on the token after it.
        self.drop_stale_key()?;
        Ok(self.possible.as_ref().is_some_and(|key| key.token == self.consumed))
    }

    fn fetch(&mut self) -> Result<(), Fault> {
        let comment = self.skip_to_token();
        self.commented = comment.is_some_and(|line| self.last == Last::Value(line));
        self.before = comment.is_some() && self.last != Last::Scalar && !self.commented;
        if self.before && self.last == Last::Entry(true) {
            return self.fault("comments before and after the '-' of this entry", "remove one of them");
        }
        self.drop_stale_key()?;
        self.unwind(Some(self.at.column));
        let (ch, next) = (self.char(0), self.char(1));
        let at_line_start = self.at.column == 0;
        match ch {
            '\0' => self.end_of_stream(),
            '%' if at_line_start => self.fault("the frontmatter has a YAML directive", "remove the line"),
            '.' if at_line_start && self.starts_with("...") && ends_word(self.char(3)) => self.document_end(),
            '[' | '{' | ']' | '}' | ',' => {
                self.fault(format!("{ch:?} starts flow style, which isn't allowed"), "use a block list or mapping, or quote the value")
            }
            '&' | '*' | '!' => self.fault(format!("{ch:?} starts an anchor, an alias or a tag, which aren't allowed"), "quote the value"),
            '-' if ends_word(next) => self.entry(),
            '?' if ends_word(next) => self.complex_key(),
            ':' if ends_word(next) => self.value(),
            '|' | '>' => {
                self.key_allowed = true;
                self.forget_key()?;
                let position = self.at;
                let (text, blank_after) = self.block_scalar(ch == '>')?;
                self.scalar(text, false, blank_after, position)
            }
            '\'' | '"' => {
                self.remember_key()?;
                self.key_allowed = false;
                let position = self.at;
                let text = self.quoted(ch)?;
                self.scalar(text, false, false, position)
            }
            '\t' => self.fault("unexpected tab", "use spaces"),
            '#' | '@' | '`' | '%' => self.fault(format!("a plain string can't start with {ch:?}"), "quote it"),
            _ if is_break(ch) => self.fault("unexpected line break", "remove it"),
            _ => {
                self.remember_key()?;
                self.key_allowed = false;
                let position = self.at;
                let (text, blank_after) = self.plain();
                self.scalar(text, true, blank_after, position)
            }
        }
    }

    /// The reference fails if both the `:` and its string have comments to keep: one after the `:`, and
    /// empty lines after the string.
    fn scalar(&mut self, text: String, plain: bool, blank_after: bool, position: Position) -> Result<(), Fault> {
        if blank_after && self.commented {
            return Err(Fault::new(position, "a comment before this string and an empty line after it", "remove the comment"));
        }
        self.push(Token::Scalar { text, plain }, position);
        Ok(())
    }

    fn push(&mut self, token: Token, position: Position) {
        self.commented = false;
        self.last = match token {
            Token::Value => Last::Value(position.line),
            // Comments before an empty entry are passed on to the next one.
            Token::Entry => Last::Entry(self.before || self.last == Last::Entry(true)),
            Token::Scalar { .. } => Last::Scalar,
            _ => Last::Other,
        };
        self.before = false;
        self.tokens.push_back((token, position));
    }

    /// Skips whitespace, line breaks and comments; after an empty line also tabs, as the reference does. Returns the line of the
    /// first comment that the reference keeps, where empty lines count as comments.
    fn skip_to_token(&mut self) -> Option<usize> {
        let mut comment = None;
        if self.at.index == 0 && self.char(0) == '\u{FEFF}' {
            self.forward(1);
        }
        loop {
            while self.char(0) == ' ' {
                self.forward(1);
            }
            if self.char(0) == '#' {
                comment.get_or_insert(self.at.line);
                while !ends_line(self.char(0)) {
                    self.forward(1);
                }
                while self.line_break().is_some() {}
                self.key_allowed = true;
            } else if self.line_break().is_some() {
                self.key_allowed = true;
                if self.char(0) == '\n' {
                    comment.get_or_insert(self.at.line);
                    while self.line_break().is_some() || matches!(self.char(0), ' ' | '\t') {
                        if matches!(self.char(0), ' ' | '\t') {
                            self.forward(1);
                        }
                    }
                }
            } else {
                return comment;
            }
        }
    }

    /// Skips a line break and returns its normalized form.
    fn line_break(&mut self) -> Option<char> {
        let ch = self.char(0);
        if !is_break(ch) {
            return None;
        }
        self.forward(1);
        Some(if matches!(ch, '\u{2028}' | '\u{2029}') { ch } else { '\n' })
    }

    fn drop_stale_key(&mut self) -> Result<(), Fault> {
        let stale =
            self.possible.as_ref().is_some_and(|key| key.position.line != self.at.line || self.at.index - key.position.index > KEY_CHARS);
        if stale { self.forget_key() } else { Ok(()) }
    }

    fn forget_key(&mut self) -> Result<(), Fault> {
        match self.possible.take() {
            Some(key) if key.required => Err(Fault::new(key.position, "missing ':' after the key", "use 'key: value' on one line")),
            _ => Ok(()),
        }
    }

    fn remember_key(&mut self) -> Result<(), Fault> {
        if self.key_allowed {
            self.forget_key()?;
            let required = self.indent == Some(self.at.column);
            self.possible = Some(SimpleKey { token: self.consumed + self.tokens.len(), required, position: self.at });
        }
        Ok(())
    }

    /// Closes the collections that are indented more than a column; None closes all.
    fn unwind(&mut self, column: Option<usize>) {
        while self.indent > column {
            self.indent = self.indents.pop().flatten();
            self.push(Token::End, self.at);
        }
    }

    /// Returns whether a collection starts at the column.
    fn indent_to(&mut self, column: usize) -> bool {
        let deeper = self.indent < Some(column);
        if deeper {
            self.indents.push(self.indent);
            self.indent = Some(column);
        }
        deeper
    }

    fn end_of_stream(&mut self) -> Result<(), Fault> {
        self.unwind(None);
        self.forget_key()?;
        self.push(Token::StreamEnd, self.at);
        self.done = true;
        Ok(())
    }

    fn document_end(&mut self) -> Result<(), Fault> {
        self.unwind(None);
        self.forget_key()?;
        self.key_allowed = false;
        self.push(Token::DocumentEnd, self.at);
        self.forward(3);
        Ok(())
    }

    fn entry(&mut self) -> Result<(), Fault> {
        if !self.key_allowed {
            return self.fault("a list can't start here", "start it on its own line, or quote the value");
        }
        if self.indent_to(self.at.column) {
            self.push(Token::List, self.at);
        }
        self.key_allowed = true;
        self.forget_key()?;
        self.push(Token::Entry, self.at);
        self.forward(1);
        Ok(())
    }

    fn complex_key(&mut self) -> Result<(), Fault> {
        if !self.key_allowed {
            return self.fault("a key can't start here", "quote the value");
        }
        if self.indent_to(self.at.column) {
            self.push(Token::Mapping, self.at);
        }
        self.key_allowed = true;
        self.forget_key()?;
        self.push(Token::Key, self.at);
        self.forward(1);
        Ok(())
    }

    fn value(&mut self) -> Result<(), Fault> {
        if let Some(key) = self.possible.take() {
            let index = key.token - self.consumed;
            self.tokens.insert(index, (Token::Key, key.position));
            if self.indent_to(key.position.column) {
                self.tokens.insert(index, (Token::Mapping, key.position));
            }
            self.key_allowed = false;
        } else {
            if !self.key_allowed {
                return self.fault("the value contains ': '", "quote it");
            }
            if self.indent_to(self.at.column) {
                self.push(Token::Mapping, self.at);
            }
            self.key_allowed = true;
        }
        self.push(Token::Value, self.at);
        self.forward(1);
        Ok(())
    }
}
