//! Plain, quoted and block scalars: where they end, and their content after unescaping and folding.

use super::{Scanner, ends_line, ends_word};
use crate::strict::Fault;

impl Scanner {
    /// A plain scalar, and whether empty lines follow it.
    pub(super) fn plain(&mut self) -> (String, bool) {
        let mut text = String::new();
        let mut between = String::new();
        let least = self.indent.map_or(0, |column| column + 1);
        while self.char(0) != '#' {
            let mut length = 0;
            while !(ends_word(self.char(length)) || self.char(length) == ':' && ends_word(self.char(length + 1))) {
                length += 1;
            }
            if length == 0 {
                break;
            }
            self.key_allowed = false;
            text.push_str(&between);
            self.take_text(length, &mut text);
            between = self.plain_spaces();
            if between.is_empty() || self.char(0) == '#' || self.at.column < least {
                break;
            }
        }
        (text, between.starts_with('\n'))
    }

    /// Whitespace and line breaks inside a plain scalar, folded. Tabs end it.
    fn plain_spaces(&mut self) -> String {
        let mut blanks = 0;
        while self.char(blanks) == ' ' {
            blanks += 1;
        }
        self.forward(blanks);
        let Some(first) = self.line_break() else { return " ".repeat(blanks) };
        self.key_allowed = true;
        let mut breaks = String::new();
        if self.separates_documents() {
            return String::new();
        }
        loop {
            if self.char(0) == ' ' {
                self.forward(1);
            } else if let Some(found) = self.line_break() {
                breaks.push(found);
                if self.separates_documents() {
                    return String::new();
                }
            } else {
                return folded(first, &breaks);
            }
        }
    }

    pub(super) fn quoted(&mut self, quote: char) -> Result<String, Fault> {
        let mut text = String::new();
        let start = self.at;
        self.forward(1);
        self.quoted_words(quote, &mut text)?;
        while self.char(0) != quote {
            let mut blanks = 0;
            while matches!(self.char(blanks), ' ' | '\t') {
                blanks += 1;
            }
            let mut between = String::new();
            self.take_text(blanks, &mut between);
            if self.char(0) == '\0' {
                return Err(Fault::new(start, "unclosed quote", "close it"));
            }
            match self.line_break() {
                Some(first) => text.push_str(&folded(first, &self.quoted_breaks()?)),
                None => text.push_str(&between),
            }
            self.quoted_words(quote, &mut text)?;
        }
        self.forward(1);
        Ok(text)
    }

    fn quoted_words(&mut self, quote: char, text: &mut String) -> Result<(), Fault> {
        loop {
            let mut length = 0;
            while !ends_word(self.char(length)) && !matches!(self.char(length), '\'' | '"' | '\\') {
                length += 1;
            }
            self.take_text(length, text);
            match (quote, self.char(0)) {
                ('\'', '\'') if self.char(1) == '\'' => {
                    text.push('\'');
                    self.forward(2);
                }
                ('"', '\'') | ('\'', '"' | '\\') => self.take_text(1, text),
                ('"', '\\') => self.escape(text)?,
                _ => return Ok(()),
            }
        }
    }

    fn quoted_breaks(&mut self) -> Result<String, Fault> {
        let mut breaks = String::new();
        loop {
            if self.separates_documents() {
                return self.fault("the document ends inside quotes", "indent the line");
            }
            while matches!(self.char(0), ' ' | '\t') {
                self.forward(1);
            }
            match self.line_break() {
                Some(found) => breaks.push(found),
                None => return Ok(breaks),
            }
        }
    }

    fn escape(&mut self, text: &mut String) -> Result<(), Fault> {
        self.forward(1);
        let ch = self.char(0);
        let plain = match ch {
            '0' => '\0',
            'a' => '\u{7}',
            'b' => '\u{8}',
            't' | '\t' => '\t',
            'n' => '\n',
            'v' => '\u{B}',
            'f' => '\u{C}',
            'r' => '\r',
            'e' => '\u{1B}',
            ' ' | '"' | '/' | '\\' => ch,
            'N' => '\u{85}',
            '_' => '\u{A0}',
            'L' => '\u{2028}',
            'P' => '\u{2029}',
            'x' => return self.code(2, text),
            'u' => return self.code(4, text),
            'U' => return self.code(8, text),
            _ if self.line_break().is_some() => {
                text.push_str(&self.quoted_breaks()?);
                return Ok(());
            }
            _ => return self.fault(format!("invalid escape {ch:?}"), "use two backslashes for a literal backslash"),
        };
        text.push(plain);
        self.forward(1);
        Ok(())
    }

    fn code(&mut self, digits: usize, text: &mut String) -> Result<(), Fault> {
        self.forward(1);
        let mut code = 0_u32;
        for index in 0..digits {
            match self.char(index).to_digit(16) {
                Some(digit) => code = code.wrapping_mul(16).wrapping_add(digit),
                None => return self.fault(format!("the escape needs {digits} hexadecimal digits"), "fix the escape"),
            }
        }
        // Python strings can contain lone surrogates; only the presence of the character matters here.
        let ch = char::from_u32(code).or_else(|| char::from_u32(code.checked_add(0xE_0000).filter(|_| code < 0x1_0000)?));
        let Some(ch) = ch else { return self.fault(format!("U+{code:X} isn't a character"), "fix the escape") };
        text.push(ch);
        self.forward(digits);
        Ok(())
    }

    /// A block scalar after `|` or `>`, and whether empty lines follow it.
    pub(super) fn block_scalar(&mut self, folds: bool) -> Result<(String, bool), Fault> {
        self.forward(1);
        let (keep, increment) = self.block_header()?;
        let least = self.indent.map_or(0, |column| column + 1);
        let (mut breaks, indent) = if let Some(increment) = increment {
            let indent = least.max(1) + increment - 1;
            (self.block_breaks(indent), indent)
        } else {
            let (breaks, found) = self.block_indentation();
            (breaks, least.max(found))
        };
        let mut text = String::new();
        let mut ended_by = None;
        while self.at.column == indent && self.char(0) != '\0' {
            text.push_str(&breaks);
            let begins_with_word = !matches!(self.char(0), ' ' | '\t');
            let mut length = 0;
            while !ends_line(self.char(length)) {
                length += 1;
            }
            self.take_text(length, &mut text);
            ended_by = self.line_break();
            breaks = self.block_breaks(indent);
            if least == 0 && self.at.column == 0 && self.separates_documents() {
                break;
            }
            if self.at.column != indent || self.char(0) == '\0' {
                break;
            }
            if folds && ended_by == Some('\n') && begins_with_word && !matches!(self.char(0), ' ' | '\t') {
                if breaks.is_empty() {
                    text.push(' ');
                }
            } else {
                text.extend(ended_by);
            }
        }
        if keep != Some(false) {
            text.extend(ended_by);
        }
        if keep == Some(true) {
            text.push_str(&breaks);
            breaks.clear();
        }
        Ok((text, !breaks.is_empty()))
    }

    /// The header of a block scalar: whether trailing line breaks are kept, and the indentation.
    fn block_header(&mut self) -> Result<(Option<bool>, Option<usize>), Fault> {
        let (mut keep, mut increment) = (None, None);
        for _ in 0..2 {
            let ch = self.char(0);
            match ch.to_digit(10) {
                Some(0) if increment.is_none() => return self.fault("invalid indentation indicator 0", "use a number from 1 to 9"),
                Some(digit) if increment.is_none() => increment = usize::try_from(digit).ok(),
                None if keep.is_none() && matches!(ch, '+' | '-') => keep = Some(ch == '+'),
                _ => break,
            }
            self.forward(1);
        }
        let header_ends = self.char(0) == ' ' || ends_line(self.char(0));
        while self.char(0) == ' ' {
            self.forward(1);
        }
        if header_ends && self.char(0) == '#' {
            while !ends_line(self.char(0)) {
                self.forward(1);
            }
        }
        if !header_ends || !ends_line(self.char(0)) {
            return self.fault("unexpected text after '|' or '>'", "start the text on the next line");
        }
        self.line_break();
        Ok((keep, increment))
    }

    fn block_indentation(&mut self) -> (String, usize) {
        let (mut breaks, mut most) = (String::new(), 0);
        loop {
            if self.char(0) == ' ' {
                self.forward(1);
                most = most.max(self.at.column);
            } else if let Some(found) = self.line_break() {
                breaks.push(found);
            } else {
                return (breaks, most);
            }
        }
    }

    fn block_breaks(&mut self, indent: usize) -> String {
        let mut breaks = String::new();
        loop {
            while self.at.column < indent && self.char(0) == ' ' {
                self.forward(1);
            }
            match self.line_break() {
                Some(found) => breaks.push(found),
                None => return breaks,
            }
        }
    }
}

/// A line break in a folded scalar, with the empty lines after it.
fn folded(first: char, more: &str) -> String {
    match (first, more) {
        ('\n', "") => " ".to_owned(),
        ('\n', more) => more.to_owned(),
        (other, more) => format!("{other}{more}"),
    }
}
