//! Composing proposals: in a chat, by the user's edits, and from a prompt.
//!
//! The tool `propose_skill` changes no skill, so it needs no permission: it stores a proposal with whole files, which a later call of the same chat
//! for the same skill revises. Files at default paths of artifacts are declared in `skill.json` for the model, which knows no IDs. The
//! validator of imports checks the result, and Python's compiler the scripts; findings that the present files also have don't count. Problems
//! are returned to the model three times per answer, then the user gets the proposal with them. The user's edits are stored in the proposal, and
//! the next request of the chat mentions them. An edit that was stored while another one is checked is kept: the later one is made again.
//! Accepting takes all files or some, checks them again, and refuses if the proposal or the files that it is based on have changed.

use std::sync::Arc;

use inklings_core::proposal::ProposalKind;
use inklings_core::reliability::Judgement;
use inklings_rpc::{CallContext, Failure};

use crate::app::App;
use crate::editing::SkillEditor;
use crate::features::proposal::composer::{Composer, Verdict};
use crate::features::proposal::{AcceptParams, AcceptedProposal, CheckedFiles, Composition, ProposalError, ProposalService};

/// Attempts to store an edit while others are stored in between.
const MAX_ATTEMPTS: usize = 10;

pub(crate) struct Composed {
    pub(crate) composition: Composition,
    pub(crate) checked: CheckedFiles,
    pub(crate) verdict: Verdict,
}

impl App {
    pub(crate) fn composer<'a>(&'a self, editor: &'a SkillEditor<'a>, cx: &CallContext) -> Composer<'a> {
        Composer { proposals: self.proposals.as_ref(), editor, redactor: &self.redactor, answer: cx.answer }
    }

    pub(crate) fn proposal_service<'a>(&'a self, cx: &'a CallContext, workspace: &'a str) -> ProposalService<'a> {
        let without_account = cx.role.is_limited_to_workspace();
        ProposalService { proposals: self.proposals.as_ref(), workspace, without_account, actor: &cx.actor }
    }
}

/// Makes a composition, checks and stores it. `make` is called again if another edit of it was stored meanwhile.
pub(crate) async fn compose(
    app: &Arc<App>,
    cx: &CallContext,
    make: impl Fn(&App, &Composer<'_>) -> Result<Composition, ProposalError> + Send + Sync + 'static,
) -> Result<Composed, Failure> {
    let make = Arc::new(make);
    let mut attempt = 0;
    loop {
        attempt += 1;
        let (context, make) = (cx.clone(), make.clone());
        let begin = move |app: &App| {
            let editor = app.editor(&context)?;
            let composition = make(app, &app.composer(&editor, &context))?;
            let checked = composition.check(&app.folder)?;
            Ok((composition, checked))
        };
        let (mut composition, mut checked) = app.blocking(begin).await?;
        checked.compile(app.sandbox.as_ref(), &app.prompts).await;
        let context = cx.clone();
        let store = move |app: &App| -> Result<Option<Composed>, Failure> {
            let editor = app.editor(&context)?;
            let stored = app.composer(&editor, &context).store(&mut composition, &checked);
            match stored {
                Ok(verdict) => Ok(Some(Composed { composition, checked, verdict })),
                Err(ProposalError::Changed) if attempt < MAX_ATTEMPTS => Ok(None),
                Err(error) => Err(error.into()),
            }
        };
        if let Some(composed) = app.blocking(store).await? {
            return Ok(composed);
        }
    }
}

/// Makes a revision of a proposal and records the approval.
pub(crate) async fn accept(app: &Arc<App>, cx: &CallContext, params: AcceptParams) -> Result<AcceptedProposal, Failure> {
    let AcceptParams { id, reason, paths, scope } = params;
    let (context, why) = (cx.clone(), reason.clone());
    let begin = move |app: &App| {
        let workspace = context.workspace_key();
        let service = app.proposal_service(&context, &workspace);
        let proposal = service.open(id)?;
        match proposal.kind {
            ProposalKind::Composer => {
                let composition = Composition::load(proposal, &app.catalog(&context)?)?.narrowed(paths.as_deref(), &app.folder)?;
                let checked = composition.check(&app.folder)?;
                Ok(Err((composition, checked)))
            }
            ProposalKind::Optimisation if paths.is_none() && scope.is_none() => {
                Ok(Ok(service.accept_optimization(&app.editor(&context)?, proposal, why.as_deref())?))
            }
            ProposalKind::Optimisation => Err(ProposalError::Unsupported("accepted in parts, or in another scope").into()),
            ProposalKind::Learned | ProposalKind::Merge => Err(ProposalError::Unsupported("accepted").into()),
        }
    };
    let (composition, mut checked) = match app.blocking(begin).await? {
        Ok(accepted) => return Ok(accepted),
        Err(composed) => composed,
    };
    checked.compile(app.sandbox.as_ref(), &app.prompts).await;
    let cx = cx.clone();
    let store = move |app: &App| {
        let workspace = cx.workspace_key();
        let service = app.proposal_service(&cx, &workspace);
        let editor = app.editor(&cx)?;
        let accepted = service.accept_composition(&editor, &composition, &checked, scope, reason.as_deref())?;
        for answer in composition.answers() {
            // Failing to count it doesn't fail what is stored.
            if let Err(error) = editor.catalog.judge_loads(*answer, Judgement::Accepted) {
                tracing::warn!(%error, "an accepted proposal isn't counted for the skills of its answer");
            }
        }
        Ok(accepted)
    };
    app.blocking(store).await
}
