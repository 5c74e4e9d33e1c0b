//! Renders templates.

use std::collections::HashMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::OnceLock;

use inklings_core::limits;
use minijinja::machinery::{ast, parse};
use minijinja::syntax::SyntaxConfig;
use minijinja::value::Serde;
use minijinja::{AutoEscape, Environment, UndefinedBehavior, Value};

use crate::error::{Problem, PromptEngineError, SourceSpan};
use crate::metered::{self, Metered};
use crate::output_limit::{self, FilterHooks};
use crate::variables::{self, Variable};
use crate::{expansion, nesting, script, visitor};

/// Maximum steps of one rendering. An endless loop reaches it within a second; a page of text takes some hundreds.
pub const FUEL: u64 = 5_000_000;
/// Maximum length of rendered text in bytes.
pub const OUTPUT_BYTES: usize = 16 * 1024 * 1024;
/// Maximum nesting of blocks, loops and macro calls (a macro call counts several).
pub const MAX_RECURSION: usize = 200;

/// Renders templates. Create one and share it; clones are cheap.
#[derive(Debug)]
pub struct PromptEngine {
    engine: Environment<'static>,
    /// The engine for scripts, created on first use.
    scripts: OnceLock<Environment<'static>>,
    pub(crate) syntax: SyntaxConfig,
}

impl Default for PromptEngine {
    fn default() -> Self {
        Self::new()
    }
}

impl PromptEngine {
    /// With the standard filters. Undefined values are errors, nothing is escaped, and a trailing newline is preserved.
    #[must_use]
    pub fn new() -> Self {
        let mut syntax = SyntaxConfig::builder();
        syntax.keep_trailing_newline(true);
        let syntax = syntax.build().unwrap_or_default();
        Self { engine: environment(&syntax, FilterHooks::PLAIN), scripts: OnceLock::new(), syntax }
    }

    /// Braces in values aren't interpreted. A byte order mark is dropped.
    pub fn render_str(&self, template: &str, context: &HashMap<String, serde_json::Value>) -> Result<String, PromptEngineError> {
        self.render_with(&self.engine, AutoEscape::None, template, context)
    }

    /// The engine that renders scripts.
    pub(crate) fn scripts(&self) -> &Environment<'static> {
        self.scripts.get_or_init(|| {
            let mut engine = environment(&self.syntax, script::FILTER_HOOKS);
            script::adapt(&mut engine);
            engine
        })
    }

    pub(crate) fn render_with(
        &self,
        engine: &Environment<'static>,
        escape: AutoEscape,
        template: &str,
        context: &HashMap<String, serde_json::Value>,
    ) -> Result<String, PromptEngineError> {
        let (body, skipped) = self.readable(template)?;
        let failed = |error: minijinja::Error| PromptEngineError::from_engine(&error, template, skipped);
        unharmed(|| {
            let compiled = Metered::compile(body, &self.bounded(template, body, skipped)?);
            output_limit::start();
            let mut text = String::with_capacity(body.len());
            let rendered = compiled.render(engine, escape, Value::from(Serde(context)), &mut text);
            if text.len() > OUTPUT_BYTES {
                return Err(PromptEngineError::whole(Problem::OutputTooLong(OUTPUT_BYTES)));
            }
            rendered.map(|()| text).map_err(failed)
        })
    }

    /// Errors that don't depend on values: syntax and unknown names. A syntax error is the
    /// only error of its template; otherwise all unknown names are reported.
    #[must_use]
    pub fn check(&self, template: &str) -> Vec<PromptEngineError> {
        self.inspect(template, |body, skipped, tree| {
            visitor::mentions(body, tree)
                .into_iter()
                .map(|(problem, range)| PromptEngineError::at(problem, template, range.start + skipped..range.end + skipped))
                .collect()
        })
        .unwrap_or_else(|error| vec![error])
    }

    /// Variables of a template, in order of first use.
    pub fn variables(&self, template: &str) -> Result<Vec<Variable>, PromptEngineError> {
        self.inspect(template, |_, _, tree| variables::of(tree))
    }

    /// Occurrences of a template's variables, in order, without local names such as those of a loop.
    pub fn uses(&self, template: &str) -> Result<Vec<(String, SourceSpan)>, PromptEngineError> {
        self.inspect(template, |body, skipped, tree| {
            let mut uses = visitor::walk(body, tree).uses;
            uses.sort_by_key(|(_, range)| range.start);
            uses.into_iter()
                .map(|(name, range)| (name.to_owned(), SourceSpan::of(template, range.start + skipped..range.end + skipped)))
                .collect()
        })
    }

    /// Renames the variable `from` to `to`; `None` if that would change the meaning, e.g. because a loop defines `to`.
    pub fn renamed(&self, template: &str, from: &str, to: &str) -> Result<Option<String>, PromptEngineError> {
        let count = |uses: &[(String, SourceSpan)], name: &str| uses.iter().filter(|(used, _)| used == name).count();
        let uses = self.uses(template)?;
        let mut text = template.to_owned();
        for (_, span) in uses.iter().rev().filter(|(name, _)| name == from) {
            text.replace_range(span.range.clone(), to);
        }
        let after = self.uses(&text)?;
        let same = count(&after, from) == 0 && count(&after, to) == count(&uses, from) + count(&uses, to) && after.len() == uses.len();
        Ok(same.then_some(text))
    }

    /// Whether `name` can be the name of a variable.
    #[must_use]
    pub fn is_name(&self, text: &str) -> bool {
        let plain = text.chars().enumerate().all(|(at, ch)| ch == '_' || ch.is_ascii_alphabetic() || (at > 0 && ch.is_ascii_digit()));
        // Built-in names and invalid templates don't need values.
        plain && !text.is_empty() && self.uses(&format!("{{{{ {text} }}}}")).is_ok_and(|uses| uses.len() == 1)
    }

    /// The required variables of a template that are missing in `params`.
    pub fn missing(&self, template: &str, params: &HashMap<String, serde_json::Value>) -> Result<Vec<Variable>, PromptEngineError> {
        let mut missing = self.variables(template)?;
        missing.retain(|variable| !variable.optional && !params.contains_key(&variable.name));
        Ok(missing)
    }

    fn inspect<T>(&self, template: &str, then: impl FnOnce(&str, usize, &ast::Stmt<'_>) -> T) -> Result<T, PromptEngineError> {
        let (body, skipped) = self.readable(template)?;
        // Compiled as well as parsed: only the compiler detects some errors, such as a `break` outside a loop.
        let failed = |error: minijinja::Error| PromptEngineError::from_engine(&error, template, skipped);
        unharmed(|| {
            let tree = self.bounded(template, body, skipped)?;
            self.engine.template_from_str(body).map_err(failed)?;
            Ok(then(body, skipped, &tree))
        })
    }

    /// Parses a template. Refused if a value in it could contain itself.
    fn bounded<'t>(&self, template: &str, body: &'t str, skipped: usize) -> Result<ast::Stmt<'t>, PromptEngineError> {
        let tree =
            parse(body, "<string>", self.syntax.clone()).map_err(|error| PromptEngineError::from_engine(&error, template, skipped))?;
        match expansion::limits(&tree) {
            Ok(()) => Ok(tree),
            Err((message, range)) => {
                Err(PromptEngineError::at(Problem::Grows(message), template, range.start + skipped..range.end + skipped))
            }
        }
    }

    /// The template without its byte order mark, and the length of that mark. Refused if it isn't safe to compile.
    pub(crate) fn readable<'t>(&self, template: &'t str) -> Result<(&'t str, usize), PromptEngineError> {
        if template.len() > limits::ARTIFACT_BYTES {
            let problem = Problem::TemplateTooLong { found: template.len(), limit: limits::ARTIFACT_BYTES };
            return Err(PromptEngineError::whole(problem));
        }
        let body = template.strip_prefix('\u{feff}').unwrap_or(template);
        let skipped = template.len() - body.len();
        match nesting::too_deep(body, &self.syntax) {
            Some(range) => Err(PromptEngineError::at(Problem::TooDeep, template, range.start + skipped..range.end + skipped)),
            None => Ok((body, skipped)),
        }
    }
}

fn environment(syntax: &SyntaxConfig, hooks: FilterHooks) -> Environment<'static> {
    let mut engine = Environment::new();
    engine.set_undefined_behavior(UndefinedBehavior::Strict);
    engine.set_auto_escape_callback(|_| AutoEscape::None);
    engine.set_fuel(Some((1 + metered::MAX_ADDED_INSTRUCTIONS) * FUEL));
    engine.set_recursion_limit(MAX_RECURSION);
    output_limit::bound(&mut engine, hooks);
    engine.set_syntax(syntax.clone());
    engine
}

/// Runs the engine on an untrusted template: a panic of the engine becomes an error of the template.
fn unharmed<T>(run: impl FnOnce() -> Result<T, PromptEngineError>) -> Result<T, PromptEngineError> {
    catch_unwind(AssertUnwindSafe(run)).unwrap_or_else(|_| Err(PromptEngineError::whole(Problem::EngineFault)))
}
