//! Why a value can't stand in a place, and what to write instead: the same words while editing and in a run.

/// A place that no value can be put in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Misplaced {
    /// In the text of an f-string or a t-string.
    #[error("a value can't stand in an f-string: braces in it would be read as code")]
    Format,
    /// In a raw string.
    #[error("a value can't stand in a raw string: quotes in it can't be escaped there")]
    Raw,
    /// In bytes.
    #[error("a value can't stand in a bytes literal: bytes are no text")]
    Bytes,
    /// In a comment.
    #[error("a value can't stand in a comment: a line break in it would end the comment")]
    Comment,
    /// Beside letters or digits.
    #[error("a value can't be part of a name or a number")]
    Glued,
    /// Behind an incomplete escape.
    #[error("a value can't complete the escape before it")]
    Escape,
    /// Where a name belongs: of a variable, a function, an attribute, a module.
    #[error("a value can't stand where a name or a piece of code belongs")]
    Name,
    /// Before an argument list.
    #[error("a value can't be called")]
    Called,
    /// In an annotation.
    #[error("a value can't stand in a type annotation")]
    Annotation,
    /// In a pattern of `match`.
    #[error("a value can't stand in a pattern")]
    Pattern,
    /// Where the script is no Python that could be read.
    #[error("a value can't be put in here: the script isn't valid Python around it")]
    Unsure,
}

impl Misplaced {
    /// What to write instead.
    #[must_use]
    pub const fn hint(self) -> &'static str {
        match self {
            Self::Format => "give it a name on a line of its own, `name = {{ … }}`, and write `{name}` in the f-string",
            Self::Raw => "leave out the r before the quote, or write `r'…' + {{ … }}`",
            Self::Bytes => "write `{{ … }}.encode()`",
            Self::Comment => "remove it, or leave the whole comment out with {# … #}",
            Self::Glued => "put it between blanks, or build the text with `+`; a name can't be made of a value",
            Self::Escape => "write `\\\\` for a backslash",
            Self::Name => "values stand in expressions or in quotes; to choose between names use a dict, or {% if %} around the code",
            Self::Called => "choose the function with a dict or with {% if %}",
            Self::Annotation => "leave it out of the annotation",
            Self::Pattern => "write `case x if x == {{ … }}:`",
            Self::Unsure => "correct the script before it, and close its quotes and brackets",
        }
    }

    /// Whether this can be told from the text alone, whatever else is wrong with the script.
    pub(crate) const fn is_certain(self) -> bool {
        matches!(self, Self::Format | Self::Raw | Self::Bytes | Self::Comment | Self::Escape)
    }
}
