//! `check/*`: the validator, for what is typed and for what is stored.

use std::sync::Arc;

use inklings_core::{ArtifactKind, Diagnostic, Scope, SkillPath};
use inklings_lint::Context;
use inklings_runtime::script::compile;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::app::App;
use crate::context::{CallContext, Permission};
use crate::error::Failure;
use crate::operation::{Blocking, Effect, Entry, Operation};
use crate::ops::run::blocking;
use crate::wire::SkillRef;

/// A text to check in its place.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CheckFileParams {
    /// Id, slug or title.
    pub skill: String,
    /// Scope to look in; the merged winner without one.
    #[serde(default)]
    pub scope: Option<Scope>,
    /// The file, which need not exist yet.
    pub path: SkillPath,
    /// Its text.
    pub text: String,
}

/// What was found.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct Findings {
    /// By place.
    pub diagnostics: Vec<Diagnostic>,
}

/// `check/file`
pub struct CheckFile;

impl Operation for CheckFile {
    const NAME: &'static str = "check/file";
    const NEEDS: Permission = Permission::Read;
    const EFFECT: Effect = Effect::Reads;
    type Params = CheckFileParams;
    type Output = Findings;

    async fn call(app: Arc<App>, cx: CallContext, params: CheckFileParams) -> Result<Findings, Failure> {
        let CheckFileParams { skill, scope, path, text } = params;
        let (at, of) = (path.clone(), text.clone());
        let checked = blocking(&app, move |app| {
            let skill = app.catalog(&cx)?.require(&skill, scope)?;
            let context = Context { package: &skill.package, projection: app.folder.as_ref() };
            let script = skill.package.artifacts.iter().any(|one| one.path == at && one.kind == ArtifactKind::CodeTemplate);
            Ok((inklings_lint::check_file(&context, &at, &of), script))
        });
        let (mut diagnostics, script) = checked.await?;
        // Python's own word costs a run of the sandbox; where something is wrong already there is enough to do.
        if script && !diagnostics.iter().any(Diagnostic::is_error) {
            diagnostics.extend(compile(app.sandbox.as_ref(), &app.prompts, &path, &text).await);
        }
        Ok(Findings { diagnostics })
    }
}

/// `check/skill`
pub struct CheckSkill;

impl Blocking for CheckSkill {
    const NAME: &'static str = "check/skill";
    const NEEDS: Permission = Permission::Read;
    const EFFECT: Effect = Effect::Reads;
    type Params = SkillRef;
    type Output = Findings;

    fn run(app: &App, cx: &CallContext, params: SkillRef) -> Result<Findings, Failure> {
        let skill = app.catalog(cx)?.require(&params.skill, params.scope)?;
        Ok(Findings { diagnostics: inklings_lint::check_skill(&skill.package, app.folder.as_ref()) })
    }
}

/// The guide's page of rules, as markdown.
#[must_use]
pub fn rules_page() -> String {
    inklings_lint::page()
}

pub(crate) const TABLE: &[Entry] = &[Entry::of::<CheckFile>(), Entry::of::<CheckSkill>()];
