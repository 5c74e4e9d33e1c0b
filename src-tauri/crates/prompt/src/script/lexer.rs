//! Determines whether a position in Python source is in code, a comment or a string. Follows Python's tokenizer exactly
//! for quotes and leaves the rest to the parser. The safety of inserted values depends on this agreement.

use std::ops::Range;

/// The context of a span.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Zone {
    Code {
        /// Between the braces of an f-string.
        interpolated: bool,
    },
    Comment,
    /// The text of a string.
    Text(Text),
    /// After an unclosed string.
    Broken,
}

/// A position in a string.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Text {
    /// Kind of the string, from its prefix.
    pub(super) kind: Kind,
    /// Offset after the opening quote.
    pub(super) start: usize,
    /// `'` or `"`.
    pub(super) quote: u8,
    /// The text directly before the position.
    pub(super) before: Before,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// No other prefix; `u` changes nothing.
    Plain,
    /// `r`, alone.
    Raw,
    /// `b`, with or without `r`.
    Bytes,
    /// `f` or `t`, with or without `r`.
    Format,
}

/// Text before a position that could absorb what follows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Before {
    Nothing,
    /// An incomplete escape, such as a backslash or `\x4`.
    OpenEscape,
    /// An octal escape that would absorb a further digit.
    Octal,
}

/// An error in quotes or brackets, which Python reports before any other.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Fault {
    /// An unterminated string.
    OpenString {
        range: Range<usize>,
        /// Triple quotes.
        triple: bool,
    },
    Unclosed {
        bracket: char,
        at: usize,
    },
    /// A closing bracket that matches no opening one.
    Unmatched {
        bracket: char,
        at: usize,
        open: Option<char>,
    },
}

#[derive(Debug)]
pub(super) struct LexOutput {
    /// The zone of each span.
    pub(super) zones: Vec<Zone>,
    /// The first error.
    pub(super) fault: Option<Fault>,
}

/// An open f-string, in its text or in code between its braces.
struct Format {
    opening: Range<usize>,
    quote: u8,
    triple: bool,
    raw: bool,
    /// In a format specifier, after the colon.
    spec: bool,
    /// Number of open brackets before the current braces.
    brackets: usize,
    /// Open format specifiers around the current code, one per pair of braces.
    outer: Vec<usize>,
}

struct Lexer<'t> {
    text: &'t [u8],
    at: usize,
    spans: &'t [Range<usize>],
    zones: Vec<Zone>,
    formats: Vec<Format>,
    /// Whether the current position is code; else it is the text of the last of `formats`.
    code: bool,
    brackets: Vec<(u8, usize)>,
    fault: Option<Fault>,
}

/// Finds the zone of each span. Spans must be sorted and must not overlap.
pub(super) fn lex(text: &str, spans: &[Range<usize>]) -> LexOutput {
    let zones = Vec::with_capacity(spans.len());
    let mut lexer =
        Lexer { text: text.as_bytes(), at: 0, spans, zones, formats: Vec::new(), code: true, brackets: Vec::new(), fault: None };
    // Python refuses source with this character.
    if text.contains('\0') {
        lexer.at = text.len();
    }
    while lexer.at < lexer.text.len() {
        let went_on = if lexer.code { lexer.code() } else { lexer.format_text() };
        if went_on.is_none() {
            break;
        }
    }
    if lexer.fault.is_none()
        && let Some(format) = lexer.formats.last()
    {
        lexer.fault = Some(Fault::OpenString { range: format.opening.clone(), triple: format.triple });
    }
    if lexer.fault.is_none()
        && let Some((bracket, at)) = lexer.brackets.last()
    {
        lexer.fault = Some(Fault::Unclosed { bracket: char::from(*bracket), at: *at });
    }
    lexer.zones.resize(spans.len(), Zone::Broken);
    LexOutput { zones: lexer.zones, fault: lexer.fault }
}

/// Whether a byte can be part of an identifier; non-ASCII identifiers are allowed.
pub(super) const fn in_name(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte >= 0x80
}

const fn ends_line(byte: u8) -> bool {
    matches!(byte, b'\n' | b'\r')
}

impl Lexer<'_> {
    fn peek(&self, ahead: usize) -> Option<u8> {
        self.text.get(self.at + ahead).copied()
    }

    /// Whether the next span begins here.
    fn at_span(&self) -> bool {
        self.spans.get(self.zones.len()).is_some_and(|span| span.start == self.at)
    }

    /// Records the span that begins here and skips it.
    fn push(&mut self, zone: Zone) {
        if let Some(span) = self.spans.get(self.zones.len()) {
            self.at = span.end.max(self.at + 1);
            self.zones.push(zone);
        }
    }

    /// One step in code. None if the rest isn't read.
    fn code(&mut self) -> Option<()> {
        let zone = Zone::Code { interpolated: !self.formats.is_empty() };
        if self.at_span() {
            self.push(zone);
            self.name();
            return Some(());
        }
        let byte = self.peek(0)?;
        match byte {
            b'#' => {
                while self.peek(0).is_some_and(|byte| !ends_line(byte)) {
                    if self.at_span() { self.push(Zone::Comment) } else { self.at += 1 }
                }
            }
            b'\'' | b'"' => return self.string(self.at),
            b'(' | b'[' | b'{' => {
                self.brackets.push((byte, self.at));
                self.at += 1;
            }
            b')' | b']' | b'}' => self.closing(byte),
            b':' if self.in_braces() => {
                self.at += 1;
                if let Some(format) = self.formats.last_mut() {
                    format.spec = true;
                }
                self.code = false;
            }
            byte if byte.is_ascii_digit() => self.name(),
            byte if in_name(byte) => {
                let start = self.at;
                self.name();
                if matches!(self.peek(0), Some(b'\'' | b'"')) && !self.at_span() && self.kind(start).is_some() {
                    return self.string(start);
                }
            }
            _ => self.at += 1,
        }
        Some(())
    }

    /// Skips an identifier or a number, but not a span.
    fn name(&mut self) {
        while self.peek(0).is_some_and(in_name) && !self.at_span() {
            self.at += 1;
        }
    }

    /// Whether the current code is directly between the braces of an f-string.
    fn in_braces(&self) -> bool {
        self.formats.last().is_some_and(|format| format.brackets == self.brackets.len())
    }

    fn closing(&mut self, byte: u8) {
        if byte == b'}' && self.in_braces() {
            self.code = false;
            self.at += 1;
            if let Some(format) = self.formats.last_mut()
                && let Some(brackets) = format.outer.pop()
            {
                format.spec = true;
                format.brackets = brackets;
            }
            return;
        }
        let floor = self.formats.last().map_or(0, |format| format.brackets);
        let open = if self.brackets.len() > floor { self.brackets.last().copied() } else { None };
        let wanted = match byte {
            b')' => b'(',
            b']' => b'[',
            _ => b'{',
        };
        match open {
            Some((open, _)) if open == wanted => drop(self.brackets.pop()),
            open => {
                let open = open.map(|(open, _)| char::from(open));
                self.fault.get_or_insert(Fault::Unmatched { bracket: char::from(byte), at: self.at, open });
            }
        }
        self.at += 1;
    }

    /// The string kind of the prefix from `start` to here. None if it isn't a prefix.
    fn kind(&self, start: usize) -> Option<(Kind, bool)> {
        let prefix = self.text.get(start..self.at)?.to_ascii_lowercase();
        match prefix.as_slice() {
            b"" | b"u" => Some((Kind::Plain, false)),
            b"r" => Some((Kind::Raw, true)),
            b"b" => Some((Kind::Bytes, false)),
            b"br" | b"rb" => Some((Kind::Bytes, true)),
            b"f" | b"t" => Some((Kind::Format, false)),
            b"fr" | b"rf" | b"tr" | b"rt" => Some((Kind::Format, true)),
            _ => None,
        }
    }

    /// Reads a string whose prefix begins at `prefix` and whose quote is here.
    fn string(&mut self, prefix: usize) -> Option<()> {
        let (kind, raw) = self.kind(prefix)?;
        let quote = self.peek(0)?;
        let triple = self.peek(1) == Some(quote) && self.peek(2) == Some(quote) && !self.span_within(1, 3);
        self.at += if triple { 3 } else { 1 };
        let opening = prefix..self.at;
        if kind == Kind::Format {
            self.formats.push(Format { opening, quote, triple, raw, spec: false, brackets: self.brackets.len(), outer: Vec::new() });
            self.code = false;
            return Some(());
        }
        let text = Text { kind, start: self.at, quote, before: Before::Nothing };
        loop {
            if self.at_span() {
                self.push(Zone::Text(text));
                continue;
            }
            match self.peek(0) {
                Some(byte) if byte == quote && self.closes(quote, triple) => {
                    self.at += if triple { 3 } else { 1 };
                    return Some(());
                }
                Some(byte) if !triple && ends_line(byte) => return self.open_string(opening, triple),
                Some(b'\\') => self.escape(raw, text),
                Some(_) => self.at += 1,
                None => return self.open_string(opening, triple),
            }
        }
    }

    fn open_string(&mut self, range: Range<usize>, triple: bool) -> Option<()> {
        self.fault.get_or_insert(Fault::OpenString { range, triple });
        None
    }

    fn closes(&self, quote: u8, triple: bool) -> bool {
        !triple || (self.peek(1) == Some(quote) && self.peek(2) == Some(quote))
    }

    /// Whether a span begins within the next bytes.
    fn span_within(&self, from: usize, to: usize) -> bool {
        self.spans.get(self.zones.len()).is_some_and(|span| (self.at + from..self.at + to).contains(&span.start))
    }

    /// Reads an escape; a span that interrupts it is recorded as such.
    fn escape(&mut self, raw: bool, text: Text) {
        self.at += 1;
        if self.at_span() {
            return self.push(Zone::Text(Text { before: Before::OpenEscape, ..text }));
        }
        let Some(byte) = self.peek(0) else { return };
        self.at += 1;
        let wanted = match byte {
            b'\r' if self.peek(0) == Some(b'\n') => {
                self.at += 1;
                return;
            }
            _ if raw => return,
            b'x' => 2,
            b'u' => 4,
            b'U' => 8,
            b'0'..=b'7' => return self.octal(text),
            b'N' => return self.named_escape(text),
            _ => return,
        };
        for _ in 0..wanted {
            if self.at_span() {
                return self.push(Zone::Text(Text { before: Before::OpenEscape, ..text }));
            }
            if !self.peek(0).is_some_and(|byte| byte.is_ascii_hexdigit()) {
                return;
            }
            self.at += 1;
        }
    }

    fn octal(&mut self, text: Text) {
        for _ in 0..2 {
            if self.at_span() {
                return self.push(Zone::Text(Text { before: Before::Octal, ..text }));
            }
            if !self.peek(0).is_some_and(|byte| matches!(byte, b'0'..=b'7')) {
                return;
            }
            self.at += 1;
        }
    }

    fn named_escape(&mut self, text: Text) {
        let opened = self.peek(0) == Some(b'{') && !self.at_span();
        if opened {
            self.at += 1;
        }
        while let Some(byte) = self.peek(0) {
            if self.at_span() {
                return self.push(Zone::Text(Text { before: Before::OpenEscape, ..text }));
            }
            if !opened || byte == text.quote || ends_line(byte) {
                return;
            }
            self.at += 1;
            if byte == b'}' {
                return;
            }
        }
    }

    /// One step in the text of an f-string.
    fn format_text(&mut self) -> Option<()> {
        let format = self.formats.last()?;
        let (quote, triple, raw, spec) = (format.quote, format.triple, format.raw, format.spec);
        let start = format.opening.end;
        if self.at_span() {
            self.push(Zone::Text(Text { kind: Kind::Format, start, quote, before: Before::Nothing }));
            return Some(());
        }
        let byte = self.peek(0)?;
        let doubled = self.peek(1) == Some(byte) && !self.span_within(1, 2);
        match byte {
            b'{' if doubled && !spec => self.at += 2,
            b'{' => {
                self.at += 1;
                let brackets = self.brackets.len();
                let format = self.formats.last_mut()?;
                if format.spec {
                    format.outer.push(format.brackets);
                }
                format.spec = false;
                format.brackets = brackets;
                self.code = true;
            }
            b'}' if spec => {
                self.at += 1;
                let format = self.formats.last_mut()?;
                format.spec = match format.outer.pop() {
                    Some(brackets) => {
                        format.brackets = brackets;
                        true
                    }
                    None => false,
                };
            }
            b'}' if doubled => self.at += 2,
            b'\\' => self.format_escape(raw),
            byte if byte == quote && self.closes(quote, triple) => {
                self.at += if triple { 3 } else { 1 };
                let format = self.formats.pop()?;
                self.brackets.truncate(format.brackets);
                self.code = true;
            }
            byte if !triple && ends_line(byte) => {
                let opening = self.formats.last()?.opening.clone();
                return self.open_string(opening, triple);
            }
            _ => self.at += 1,
        }
        Some(())
    }

    /// A backslash doesn't escape a brace; the name in `\N{…}` isn't code.
    fn format_escape(&mut self, raw: bool) {
        self.at += 1;
        if self.at_span() || matches!(self.peek(0), Some(b'{' | b'}') | None) {
            return;
        }
        let named = !raw && self.peek(0) == Some(b'N') && self.peek(1) == Some(b'{') && !self.span_within(1, 2);
        self.at += 1;
        if named {
            while self.peek(0).is_some_and(|byte| byte != b'}' && !ends_line(byte)) && !self.at_span() {
                self.at += 1;
            }
            if self.peek(0) == Some(b'}') && !self.at_span() {
                self.at += 1;
            }
        }
    }
}

#[cfg(test)]
mod tests;
