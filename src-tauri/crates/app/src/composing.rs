//! Composing proposals: in a chat, by the user's edits, and from a prompt.
//!
//! The tool `propose_skill` changes no skill, so it needs no permission: it stores a proposal with whole files, which a later call of the same chat
//! for the same skill revises. Files at default paths of artifacts are declared in `skill.json` for the model, which knows no IDs. The
//! validator of imports checks the result, and Python's compiler the scripts; findings that the present files also have don't count. Problems
//! are returned to the model three times per answer, then the user gets the proposal with them. The user's edits are stored in the proposal, and
//! the next request of the chat mentions them. Accepting takes all files or some, checks them again, and refuses if the files that the
//! proposal is based on have changed.

use std::sync::Arc;

use inklings_rpc::{CallContext, Failure};

use crate::app::App;
use crate::editing::SkillEditor;
use crate::features::proposal::composer::{Composer, Verdict};
use crate::features::proposal::{CheckedFiles, Composition, ProposalError};

pub(crate) struct Composed {
    pub(crate) composition: Composition,
    pub(crate) checked: CheckedFiles,
    pub(crate) verdict: Verdict,
}

impl App {
    pub(crate) fn composer<'a>(&'a self, editor: &'a SkillEditor<'a>, cx: &CallContext) -> Composer<'a> {
        Composer { proposals: self.proposals.as_ref(), editor, redactor: &self.redactor, answer: cx.answer }
    }
}

/// Makes a composition, checks and stores it.
pub(crate) async fn compose(
    app: &Arc<App>,
    cx: &CallContext,
    make: impl FnOnce(&App, &Composer<'_>) -> Result<Composition, ProposalError> + Send + 'static,
) -> Result<Composed, Failure> {
    let context = cx.clone();
    let begin = move |app: &App| {
        let editor = app.editor(&context)?;
        let composition = make(app, &app.composer(&editor, &context))?;
        let checked = composition.check(&app.folder)?;
        Ok((composition, checked))
    };
    let (mut composition, mut checked) = app.blocking(begin).await?;
    checked.compile(app.sandbox.as_ref(), &app.prompts).await;
    let context = cx.clone();
    let store = move |app: &App| {
        let editor = app.editor(&context)?;
        let verdict = app.composer(&editor, &context).store(&mut composition, &checked)?;
        Ok(Composed { composition, checked, verdict })
    };
    app.blocking(store).await
}
