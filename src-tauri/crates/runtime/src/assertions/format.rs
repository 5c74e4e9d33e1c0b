//! Formats of an output. A format that any prose fulfils could not fail, so each wants what prose doesn't have.

use jiff::civil::{Date, DateTime};
use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};
use serde_json::Value;

use super::Found;
use super::reading::Reading;
use super::words::quote;

/// What `format` says.
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
    pub(super) fn named(name: &str) -> Option<Self> {
        [Self::Json, Self::Yaml, Self::Markdown, Self::Csv, Self::Date, Self::Uri].into_iter().find(|format| {
            let written = format.name().rsplit(' ').next().unwrap_or_default();
            written.eq_ignore_ascii_case(name)
        })
    }

    /// Its name in a sentence; the last word is the one that assertions use.
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

/// Whether the output is of a format. One code fence around all of it is no part of it.
pub(super) fn check(format: Format, reading: &Reading<'_>) -> Found {
    let fault = match format {
        Format::Json => match reading.formatted() {
            Some(_) => None,
            None => Some(reading.whole().err().unwrap_or("there is none").to_owned()),
        },
        Format::Yaml => match yaml(reading.body()) {
            Err(TooLarge) => return Found::Unknown("the output has more YAML than is read here".to_owned()),
            Ok(fault) => fault,
        },
        Format::Markdown => markdown(reading.text()),
        Format::Csv => csv(reading.body()),
        Format::Date => date(reading.body().trim()),
        Format::Uri => uri(reading.body().trim()),
    };
    let name = format.name();
    match fault {
        None => Found::Plain(true, format!("the output is {name}")),
        Some(fault) => Found::Plain(false, format!("the output is not {name}: {fault}")),
    }
}

/// The parser's own limits were reached.
struct TooLarge;

/// A mapping or a list: a line of prose is YAML too, a single text.
fn yaml(text: &str) -> Result<Option<String>, TooLarge> {
    match serde_saphyr::from_multiple::<Value>(text) {
        Ok(documents) if !documents.is_empty() && documents.iter().all(|document| document.is_object() || document.is_array()) => Ok(None),
        Ok(_) => Ok(Some("it is neither a mapping nor a list".to_owned())),
        Err(error) => match error.without_snippet() {
            serde_saphyr::Error::Budget { .. } => Err(TooLarge),
            error => Ok(Some(error.to_string().lines().next().unwrap_or_default().to_owned())),
        },
    }
}

/// A text with some mark of Markdown: a heading, a list, a link, emphasis, a table.
fn markdown(text: &str) -> Option<String> {
    let plain = |event: &Event<'_>| {
        matches!(event, Event::Text(_) | Event::SoftBreak | Event::HardBreak | Event::Start(Tag::Paragraph) | Event::End(TagEnd::Paragraph))
    };
    let html = |event: &Event<'_>| matches!(event, Event::Html(_) | Event::Start(Tag::HtmlBlock) | Event::End(TagEnd::HtmlBlock));
    let marked = Parser::new_ext(text, Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH | Options::ENABLE_TASKLISTS)
        .any(|event| !plain(&event) && !html(&event));
    (!marked).then(|| "it has no heading, list, link or other mark".to_owned())
}

/// Rows of the same width, two or more of each: a sentence with a comma is one row.
fn csv(text: &str) -> Option<String> {
    // In CSV quotation marks come in pairs; the reader would take an open one to the end of the text as a value.
    if !text.bytes().filter(|byte| *byte == b'"').count().is_multiple_of(2) {
        return Some("a quotation mark is not closed".to_owned());
    }
    let mut reader = csv::ReaderBuilder::new().has_headers(false).from_reader(text.trim().as_bytes());
    let mut record = csv::StringRecord::new();
    let mut rows = 0_u64;
    loop {
        match reader.read_record(&mut record) {
            Ok(true) if record.len() < 2 => return Some("it has one column only".to_owned()),
            Ok(true) => rows += 1,
            Ok(false) if rows < 2 => return Some("it has no row below the first".to_owned()),
            Ok(false) => return None,
            Err(error) => return Some(error.to_string()),
        }
    }
}

/// A date, or a date with a time, as ISO 8601 and RFC 2822 write them.
fn date(text: &str) -> Option<String> {
    let text = unquoted(text);
    let fine = text.parse::<Date>().is_ok()
        || text.parse::<DateTime>().is_ok()
        || text.parse::<jiff::Timestamp>().is_ok()
        || text.parse::<jiff::Zoned>().is_ok()
        || jiff::fmt::rfc2822::parse(text).is_ok();
    (!fine).then(|| quote(text))
}

/// A URI with a scheme.
fn uri(text: &str) -> Option<String> {
    let text = unquoted(text);
    let error = fluent_uri::Uri::parse(text).err()?;
    Some(format!("{}: {error}", quote(text)))
}

/// A JSON text is a text.
fn unquoted(text: &str) -> &str {
    text.strip_prefix('"').and_then(|text| text.strip_suffix('"')).unwrap_or(text)
}
