//! Formats of an output. Each requires something that plain prose doesn't have, since the check could never fail otherwise.

use jiff::civil::{Date, DateTime};
use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};
use serde_json::Value;

use super::CheckResult;
use super::parsed_output::ParsedOutput;
use super::text::quote;

/// The values of `format`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Format {
    Json,
    Yaml,
    Markdown,
    Csv,
    Date,
    Uri,
}

impl Format {
    pub(super) fn from_name(name: &str) -> Option<Self> {
        [Self::Json, Self::Yaml, Self::Markdown, Self::Csv, Self::Date, Self::Uri].into_iter().find(|format| {
            let written = format.name().rsplit(' ').next().unwrap_or_default();
            written.eq_ignore_ascii_case(name)
        })
    }

    /// The name in a sentence; its last word is the value of `format`.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Json => "JSON",
            Self::Yaml => "YAML",
            Self::Markdown => "Markdown",
            Self::Csv => "CSV",
            Self::Date => "a date",
            Self::Uri => "a URI",
        }
    }
}

/// Checks the format of the output. A code fence around all of it is ignored.
pub(super) fn check(format: Format, parsed: &ParsedOutput<'_>) -> CheckResult {
    let fault = match format {
        Format::Json => match parsed.formatted() {
            Some(_) => None,
            None => Some(parsed.whole().err().unwrap_or("not found").to_owned()),
        },
        Format::Yaml => match yaml(parsed.body()) {
            Err(TooLarge) => return CheckResult::Unknown("the output has too much YAML to parse".to_owned()),
            Ok(fault) => fault,
        },
        Format::Markdown => markdown(parsed.text()),
        Format::Csv => csv(parsed.body()),
        Format::Date => date(parsed.body().trim()),
        Format::Uri => uri(parsed.body().trim()),
    };
    let name = format.name();
    match fault {
        None => CheckResult::Plain(true, format!("the output is {name}")),
        Some(fault) => CheckResult::Plain(false, format!("the output isn't {name}: {fault}")),
    }
}

/// The parser reached its limits.
struct TooLarge;

/// A mapping or a list. Prose is YAML, too: a single string.
fn yaml(text: &str) -> Result<Option<String>, TooLarge> {
    match serde_saphyr::from_multiple::<Value>(text) {
        Ok(documents) if !documents.is_empty() && documents.iter().all(|document| document.is_object() || document.is_array()) => Ok(None),
        Ok(_) => Ok(Some("neither a mapping nor a list".to_owned())),
        Err(error) => match error.without_snippet() {
            serde_saphyr::Error::Budget { .. } => Err(TooLarge),
            error => Ok(Some(error.to_string().lines().next().unwrap_or_default().to_owned())),
        },
    }
}

/// Text with at least one Markdown element: a heading, list, link, emphasis or table.
fn markdown(text: &str) -> Option<String> {
    let plain = |event: &Event<'_>| {
        matches!(event, Event::Text(_) | Event::SoftBreak | Event::HardBreak | Event::Start(Tag::Paragraph) | Event::End(TagEnd::Paragraph))
    };
    let html = |event: &Event<'_>| matches!(event, Event::Html(_) | Event::Start(Tag::HtmlBlock) | Event::End(TagEnd::HtmlBlock));
    let marked = Parser::new_ext(text, Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH | Options::ENABLE_TASKLISTS)
        .any(|event| !plain(&event) && !html(&event));
    (!marked).then(|| "no heading, list, link or other Markdown element".to_owned())
}

/// At least two rows and two columns of the same width. A sentence with a comma is one row.
fn csv(text: &str) -> Option<String> {
    // The reader would read from an unclosed quotation mark to the end of the text as one value.
    if !text.bytes().filter(|byte| *byte == b'"').count().is_multiple_of(2) {
        return Some("unclosed quotation mark".to_owned());
    }
    let mut reader = csv::ReaderBuilder::new().has_headers(false).from_reader(text.trim().as_bytes());
    let mut record = csv::StringRecord::new();
    let mut rows = 0_u64;
    loop {
        match reader.read_record(&mut record) {
            Ok(true) if record.len() < 2 => return Some("only one column".to_owned()),
            Ok(true) => rows += 1,
            Ok(false) if rows < 2 => return Some("only one row".to_owned()),
            Ok(false) => return None,
            Err(error) => return Some(error.to_string()),
        }
    }
}

/// A date with or without time, in ISO 8601 or RFC 2822.
fn date(text: &str) -> Option<String> {
    let text = unquoted(text);
    let fine = text.parse::<Date>().is_ok()
        || text.parse::<DateTime>().is_ok()
        || text.parse::<jiff::Timestamp>().is_ok()
        || text.parse::<jiff::Zoned>().is_ok()
        || jiff::fmt::rfc2822::parse(text).is_ok();
    (!fine).then(|| quote(text))
}

fn uri(text: &str) -> Option<String> {
    let text = unquoted(text);
    let error = fluent_uri::Uri::parse(text).err()?;
    Some(format!("{}: {error}", quote(text)))
}

/// Without the quotation marks of a JSON string.
fn unquoted(text: &str) -> &str {
    text.strip_prefix('"').and_then(|text| text.strip_suffix('"')).unwrap_or(text)
}
