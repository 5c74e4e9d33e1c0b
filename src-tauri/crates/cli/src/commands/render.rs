//! `inklings render`

use inklings_app::features::prompt::{Render, RenderParams, RenderedVariant};
use inklings_rpc::Failure;

use crate::args::RenderArgs;
use crate::commands::common::skill_ref;
use crate::commands::session::Session;
use crate::commands::values::values;
use crate::error::CliError;
use crate::out::Out;

pub(crate) async fn run(session: &Session, args: RenderArgs, out: &Out) -> Result<(), CliError> {
    let params = values(session, &args.values, Some(skill_ref(args.skill.clone())), Some(&args.artifact)).await?;
    let params = RenderParams {
        skill: args.skill.skill,
        scope: args.skill.scope.map(Into::into),
        path: args.artifact,
        text: None,
        params,
        model: args.model,
    };
    let rendered = session.call::<Render>(params).await?;
    let chosen = rendered.variants.iter().find(|variant| variant.selected);
    let error = chosen.and_then(|variant| variant.error.clone());
    out.content(&rendered, |_| chosen.and_then(RenderedVariant::sent_text).unwrap_or_default())?;
    match error {
        Some(error) if !out.is_json() => Err(Failure::diagnostics(vec![error]).into()),
        Some(_) => Err(CliError::Findings),
        None => Ok(()),
    }
}
