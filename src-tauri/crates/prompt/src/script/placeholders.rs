//! Marks: what stands in a script for a value until it is known where the value goes.
//!
//! A mark is a name that Python could have, made of 122 random bits for each rendering, so that no value and no template can
//! contain one. Its first letter is no hexadecimal digit: it completes no escape that is written before it.

use std::ops::Range;

use minijinja::{Error, Value};
use uuid::Uuid;

use super::literal;
use crate::output_limit;

/// What a mark stands for.
pub(super) struct PlaceholderValue {
    /// The value as a template prints it.
    pub(super) text: String,
    /// Its literal; none for a text, whose literal is made of the text. An error says why there is none.
    pub(super) literal: Option<Result<String, String>>,
}

/// The marks of one rendering.
pub(super) struct Placeholders {
    prefix: String,
    values: Vec<PlaceholderValue>,
}

/// A mark in a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Placeholder {
    /// Of the value with this number.
    Value(usize),
    /// Says that what follows comes from this line of the template.
    Line(u32),
}

impl Placeholders {
    pub(super) fn new() -> Self {
        Self { prefix: format!("z{}", Uuid::new_v4().simple()), values: Vec::new() }
    }

    /// Marks for rendering the same template with the same values again.
    pub(super) fn again(&self) -> Self {
        Self { prefix: self.prefix.clone(), values: Vec::new() }
    }

    pub(super) fn len(&self) -> usize {
        self.values.len()
    }

    pub(super) fn get(&self, index: usize) -> Option<&PlaceholderValue> {
        self.values.get(index)
    }

    /// Makes a mark for a value. A text may hold marks itself, when it was made of captured text: they become their text.
    pub(super) fn issue(&mut self, value: &Value) -> Result<String, Error> {
        let plain = match value.as_str() {
            Some(text) => text.to_owned(),
            None if value.is_undefined() => String::new(),
            None => value.to_string(),
        };
        let literal = if value.as_str().is_some() { None } else { Some(literal::of(value, self)) };
        let text = self.expand(&plain)?.unwrap_or(plain);
        output_limit::charge(
            "print",
            text.len().saturating_add(literal.as_ref().map_or(0, |_| text.len())).saturating_add(output_limit::OBJECT_BYTES),
        )?;
        self.values.push(PlaceholderValue { text, literal });
        Ok(format!("{}v{}z", self.prefix, self.values.len() - 1))
    }

    /// What says that text comes from a line of the template.
    pub(super) fn line(&self, line: u32) -> String {
        format!("{}l{line}z", self.prefix)
    }

    /// A text with its marks replaced by the text of their values; none when it has no marks. What it takes is booked on the
    /// rendering: a mark is short, and its text needn't be.
    pub(super) fn expand(&self, text: &str) -> Result<Option<String>, Error> {
        let found = self.find(text);
        if found.is_empty() {
            return Ok(None);
        }
        let of = |mark: &Placeholder| match mark {
            Placeholder::Value(index) => self.values.get(*index).map_or("", |marked| marked.text.as_str()),
            Placeholder::Line(_) => "",
        };
        output_limit::charge("print", found.iter().fold(text.len(), |sum, (_, mark)| sum.saturating_add(of(mark).len())))?;
        let mut expanded = String::with_capacity(text.len());
        let mut done = 0;
        for (range, mark) in found {
            expanded.push_str(&text[done..range.start]);
            expanded.push_str(of(&mark));
            done = range.end;
        }
        expanded.push_str(&text[done..]);
        Ok(Some(expanded))
    }

    /// The marks in a text, in order.
    pub(super) fn find(&self, text: &str) -> Vec<(Range<usize>, Placeholder)> {
        let mut found = Vec::new();
        let mut from = 0;
        while let Some(at) = text[from..].find(&self.prefix).map(|at| from + at) {
            from = at + self.prefix.len();
            let rest = &text[from..];
            let Some((inner, _)) = rest.split_once('z') else { continue };
            let mark = match (inner.strip_prefix('v').map(str::parse), inner.strip_prefix('l').map(str::parse)) {
                (Some(Ok(number)), _) if number < self.values.len() => Placeholder::Value(number),
                (_, Some(Ok(number))) => Placeholder::Line(number),
                _ => continue,
            };
            from += inner.len() + 1;
            found.push((at..from, mark));
        }
        found
    }

    /// Whether a text has a piece of a mark that isn't whole.
    pub(super) fn torn(&self, text: &str) -> bool {
        text.matches(&self.prefix).count() != self.find(text).len()
    }
}
