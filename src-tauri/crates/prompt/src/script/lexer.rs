//! Where a place in a Python text is: in code, in a comment or in which string. Reads exactly what Python's tokenizer reads
//! about quotes, and nothing else; the rest is the parser's. That the two agree is what the safety of values rests on.

use std::ops::Range;

/// What surrounds a span of the text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Zone {
    Code {
        /// Between the braces of an f-string.
        interpolated: bool,
    },
    Comment,
    /// The text of a string.
    Text(Text),
    /// Behind a string that is never closed: Python reads nothing here.
    Broken,
}

/// A place in a string's text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Text {
    /// What its prefix says.
    pub(super) kind: Kind,
    /// The byte behind the opening quote.
    pub(super) start: usize,
    /// `'` or `"`.
    pub(super) quote: u8,
    /// What is written right before the place.
    pub(super) before: Before,
}

/// The kind of a string.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// None of the others; `u` changes nothing.
    Plain,
    /// `r`, alone.
    Raw,
    /// `b`, with or without `r`.
    Bytes,
    /// `f` or `t`, with or without `r`.
    Format,
}

/// Text before a place that could run into it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Before {
    /// Nothing of the kind.
    Nothing,
    /// An escape that isn't complete, such as a backslash or `\x4`.
    OpenEscape,
    /// An octal escape that a further digit would belong to.
    Octal,
}

/// A fault in quotes or brackets, which Python reports whatever else there is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Fault {
    /// A string without an end.
    OpenString {
        /// Its prefix and quotes.
        range: Range<usize>,
        /// With three quotes.
        triple: bool,
    },
    /// A bracket that is never closed.
    Unclosed { bracket: char, at: usize },
    /// A closing bracket without an opening one, or one of another kind.
    Unmatched { bracket: char, at: usize, open: Option<char> },
}

/// What was found in a text.
#[derive(Debug)]
pub(super) struct Lexed {
    /// The zone of each span.
    pub(super) zones: Vec<Zone>,
    /// The first fault.
    pub(super) fault: Option<Fault>,
}

/// An f-string that is open; its text is read, or code between its braces.
struct Format {
    opening: Range<usize>,
    quote: u8,
    triple: bool,
    raw: bool,
    /// In a format specifier, behind the colon.
    spec: bool,
    /// Brackets that were open when the current braces were.
    brackets: usize,
    /// Format specifiers that are open around the current code: each belongs to one pair of braces.
    outer: Vec<usize>,
}

struct Lexer<'t> {
    text: &'t [u8],
    at: usize,
    spans: &'t [Range<usize>],
    zones: Vec<Zone>,
    formats: Vec<Format>,
    /// Whether code is read; else the text of the last of `formats`.
    code: bool,
    brackets: Vec<(u8, usize)>,
    fault: Option<Fault>,
}

/// Finds the zone of each span; spans are in order and don't touch each other's bytes.
pub(super) fn lex(text: &str, spans: &[Range<usize>]) -> Lexed {
    let zones = Vec::with_capacity(spans.len());
    let mut lexer =
        Lexer { text: text.as_bytes(), at: 0, spans, zones, formats: Vec::new(), code: true, brackets: Vec::new(), fault: None };
    // Python reads nothing at all of a text with such a character.
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
    Lexed { zones: lexer.zones, fault: lexer.fault }
}

/// Whether a byte can be part of a name; Python's names reach beyond ASCII.
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

    /// Notes the span that begins here and goes behind it.
    fn take(&mut self, zone: Zone) {
        if let Some(span) = self.spans.get(self.zones.len()) {
            self.at = span.end.max(self.at + 1);
            self.zones.push(zone);
        }
    }

    /// One step in code. None: nothing behind this is read.
    fn code(&mut self) -> Option<()> {
        let zone = Zone::Code { interpolated: !self.formats.is_empty() };
        if self.at_span() {
            self.take(zone);
            self.name();
            return Some(());
        }
        let byte = self.peek(0)?;
        match byte {
            b'#' => {
                while self.peek(0).is_some_and(|byte| !ends_line(byte)) {
                    if self.at_span() { self.take(Zone::Comment) } else { self.at += 1 }
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

    /// Goes behind a name or a number, and not over a span.
    fn name(&mut self) {
        while self.peek(0).is_some_and(in_name) && !self.at_span() {
            self.at += 1;
        }
    }

    /// Whether code is read that stands directly between the braces of an f-string.
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

    /// What the prefix from `start` to here says; none when it is no prefix of a string.
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
                self.take(Zone::Text(text));
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

    /// Whether a span begins within some bytes ahead.
    fn span_within(&self, from: usize, to: usize) -> bool {
        self.spans.get(self.zones.len()).is_some_and(|span| (self.at + from..self.at + to).contains(&span.start))
    }

    /// Reads an escape; a span that it runs into is noted as such.
    fn escape(&mut self, raw: bool, text: Text) {
        self.at += 1;
        if self.at_span() {
            return self.take(Zone::Text(Text { before: Before::OpenEscape, ..text }));
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
            b'N' => return self.named(text),
            _ => return,
        };
        for _ in 0..wanted {
            if self.at_span() {
                return self.take(Zone::Text(Text { before: Before::OpenEscape, ..text }));
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
                return self.take(Zone::Text(Text { before: Before::Octal, ..text }));
            }
            if !self.peek(0).is_some_and(|byte| matches!(byte, b'0'..=b'7')) {
                return;
            }
            self.at += 1;
        }
    }

    fn named(&mut self, text: Text) {
        let opened = self.peek(0) == Some(b'{') && !self.at_span();
        if opened {
            self.at += 1;
        }
        while let Some(byte) = self.peek(0) {
            if self.at_span() {
                return self.take(Zone::Text(Text { before: Before::OpenEscape, ..text }));
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
            self.take(Zone::Text(Text { kind: Kind::Format, start, quote, before: Before::Nothing }));
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

    /// A backslash doesn't keep a brace from opening code; the name in `\N{…}` is no code.
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
