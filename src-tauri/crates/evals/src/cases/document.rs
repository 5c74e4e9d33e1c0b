//! A JSON or YAML text as a value, with the place of each part.

use inklings_core::Diagnostic;
use inklings_folder::JsonText;
use inklings_folder::json_text::{options, without_bom};
use inklings_folder::yaml::Node;
use jsonc_parser::CollectOptions;
use jsonc_parser::cst::CstRootNode;
use serde_json::Value;

use super::yaml;

pub(super) struct Document<'a> {
    pub(super) path: &'a str,
    pub(super) text: &'a str,
    pub(super) value: Value,
    /// None for JSON.
    pub(super) yaml: Option<Node>,
}

pub(super) fn is_yaml(path: &str) -> bool {
    !path.to_ascii_lowercase().ends_with(".json")
}

impl<'a> Document<'a> {
    pub(super) fn parse(path: &'a str, text: &'a str) -> Result<Self, Box<Diagnostic>> {
        let (body, bom_len) = without_bom(text);
        let syntax = |message: String, range: std::ops::Range<usize>| {
            let range = range.start + bom_len..range.end + bom_len;
            let finding = Diagnostic::error("eval/syntax", message).pointer("").hint("fix the syntax; until then its cases are skipped");
            Box::new(finding.in_file(path).span(text, range))
        };
        if is_yaml(path) {
            let node = inklings_folder::yaml::parse(body)
                .map_err(|error| syntax(format!("invalid YAML: {}", error.message), error.offset..error.offset))?
                .ok_or_else(|| syntax("the file is empty".to_owned(), 0..0))?;
            let value = yaml::value(&node, body).map_err(|at| syntax("aliases of lists and objects aren't supported".to_owned(), at))?;
            return Ok(Self { path, text, value, yaml: Some(node) });
        }
        let parsed = jsonc_parser::parse_to_ast(body, &CollectOptions::default(), &options());
        parsed.map_err(|error| syntax(format!("invalid JSON: {}", error.kind()), error.range().start..error.range().end))?;
        let root = CstRootNode::parse(body, &options()).ok().and_then(|root| root.to_serde_value());
        let value = root.ok_or_else(|| syntax("the file is empty".to_owned(), 0..0))?;
        Ok(Self { path, text, value, yaml: None })
    }

    /// Adds file, line and column to a diagnostic with a pointer.
    pub(super) fn locate(&self, finding: Diagnostic) -> Diagnostic {
        let Some(root) = &self.yaml else { return JsonText::new(self.text).locate(self.path, finding) };
        let (_, bom_len) = without_bom(self.text);
        let span = yaml::span(root, finding.pointer.as_deref().unwrap_or_default());
        finding.in_file(self.path).span(self.text, span.start + bom_len..span.end + bom_len)
    }
}
