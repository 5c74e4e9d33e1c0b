//! Composing proposals: in a chat, by the user's edits, and from a prompt.

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
