//! Placeholders for values, until their positions in the script are known.
//!
//! A placeholder is a valid Python name with 122 random bits per rendering, so that no value and no template can
//! contain one. Its first letter isn't a hexadecimal digit, so it can't complete an escape before it.

use std::ops::Range;

use minijinja::{Error, Value};
use uuid::Uuid;

use super::literal;
use crate::output_limit;

pub(super) struct PlaceholderValue {
    /// The value as a template prints it.
    pub(super) text: String,
    /// None for a string, whose literal is built from the text. An error explains why there is no literal.
    pub(super) literal: Option<Result<String, String>>,
}

/// The placeholders of one rendering.
pub(super) struct Placeholders {
    prefix: String,
    values: Vec<PlaceholderValue>,
}

/// A placeholder in a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Placeholder {
    /// The index of a value.
    Value(usize),
    /// The following text comes from this line of the template.
    Line(u32),
}

impl Placeholders {
    pub(super) fn new() -> Self {
        Self { prefix: format!("z{}", Uuid::new_v4().simple()), values: Vec::new() }
    }

    /// The same placeholders for rendering the same template with the same values again.
    pub(super) fn again(&self) -> Self {
        Self { prefix: self.prefix.clone(), values: Vec::new() }
    }

    pub(super) fn len(&self) -> usize {
        self.values.len()
    }

    pub(super) fn get(&self, index: usize) -> Option<&PlaceholderValue> {
        self.values.get(index)
    }

    /// Issues a placeholder for a value. Placeholders in captured text are expanded first.
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

    /// Marks text from a line of the template.
    pub(super) fn line(&self, line: u32) -> String {
        format!("{}l{line}z", self.prefix)
    }

    /// A text with its placeholders expanded. None if it has none. The expanded length is charged to the
    /// rendering, since a placeholder may be much shorter than its text.
    pub(super) fn expand(&self, text: &str) -> Result<Option<String>, Error> {
        let found = self.find(text);
        if found.is_empty() {
            return Ok(None);
        }
        let of = |placeholder: &Placeholder| match placeholder {
            Placeholder::Value(index) => self.values.get(*index).map_or("", |value| value.text.as_str()),
            Placeholder::Line(_) => "",
        };
        output_limit::charge("print", found.iter().fold(text.len(), |sum, (_, placeholder)| sum.saturating_add(of(placeholder).len())))?;
        let mut expanded = String::with_capacity(text.len());
        let mut done = 0;
        for (range, placeholder) in found {
            expanded.push_str(&text[done..range.start]);
            expanded.push_str(of(&placeholder));
            done = range.end;
        }
        expanded.push_str(&text[done..]);
        Ok(Some(expanded))
    }

    /// The placeholders in a text, in order.
    pub(super) fn find(&self, text: &str) -> Vec<(Range<usize>, Placeholder)> {
        let mut found = Vec::new();
        let mut from = 0;
        while let Some(at) = text[from..].find(&self.prefix).map(|at| from + at) {
            from = at + self.prefix.len();
            let rest = &text[from..];
            let Some((inner, _)) = rest.split_once('z') else { continue };
            let placeholder = match (inner.strip_prefix('v').map(str::parse), inner.strip_prefix('l').map(str::parse)) {
                (Some(Ok(number)), _) if number < self.values.len() => Placeholder::Value(number),
                (_, Some(Ok(number))) => Placeholder::Line(number),
                _ => continue,
            };
            from += inner.len() + 1;
            found.push((at..from, placeholder));
        }
        found
    }

    /// Whether a text contains an incomplete placeholder.
    pub(super) fn torn(&self, text: &str) -> bool {
        text.matches(&self.prefix).count() != self.find(text).len()
    }
}
