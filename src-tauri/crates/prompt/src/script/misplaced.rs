//! Explains why a value can't be inserted at a position, with the same messages while editing and in a run.

/// Why a value can't be inserted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Misplaced {
    /// In the text of an f-string or t-string.
    #[error("values aren't allowed in an f-string: braces in a value would be read as code")]
    Format,
    /// In a raw string.
    #[error("values aren't allowed in a raw string: quotes in a value can't be escaped")]
    Raw,
    /// In a bytes literal.
    #[error("values aren't allowed in a bytes literal")]
    Bytes,
    #[error("values aren't allowed in a comment: a line break in a value would end it")]
    Comment,
    /// Next to letters or digits.
    #[error("values can't be part of a name or a number")]
    Glued,
    /// After an incomplete escape.
    #[error("values can't follow a backslash")]
    Escape,
    /// In place of an identifier: of a variable, function, attribute or module.
    #[error("values aren't allowed in place of a name or code")]
    Name,
    /// Before an argument list.
    #[error("values can't be called")]
    Called,
    #[error("values aren't allowed in a type annotation")]
    Annotation,
    /// In a `match` pattern.
    #[error("values aren't allowed in a pattern")]
    Pattern,
    #[error("can't insert a value here: the surrounding script isn't valid Python")]
    Unsure,
}

impl Misplaced {
    #[must_use]
    pub const fn hint(self) -> &'static str {
        match self {
            Self::Format => "assign it to a variable, `name = {{ … }}`, and use `{name}` in the f-string",
            Self::Raw => "remove the r prefix, or use `r'…' + {{ … }}`",
            Self::Bytes => "use `{{ … }}.encode()`",
            Self::Comment => "remove it, or use a template comment {# … #}",
            Self::Glued => "separate it with spaces, or build the string with `+`",
            Self::Escape => "use `\\\\` for a backslash",
            Self::Name => "use values in expressions or quotes; to choose between names, use a dict or {% if %}",
            Self::Called => "choose the function with a dict or {% if %}",
            Self::Annotation => "remove it from the annotation",
            Self::Pattern => "use `case x if x == {{ … }}:`",
            Self::Unsure => "fix the preceding code, and close its quotes and brackets",
        }
    }

    /// Whether this is certain even if the script has other syntax errors.
    pub(crate) const fn is_certain(self) -> bool {
        matches!(self, Self::Format | Self::Raw | Self::Bytes | Self::Comment | Self::Escape)
    }
}
