//! `inklings render`

use inklings_app::Failure;
use inklings_app::ops::prompt::{Render, RenderParams};

use crate::Ended;
use crate::args::RenderArgs;
use crate::commands::Session;
use crate::commands::values::values;
use crate::out::{Out, raw};

pub(crate) async fn run(session: &Session, args: RenderArgs, out: &Out) -> Result<(), Ended> {
    let params = RenderParams {
        skill: args.skill.skill,
        scope: args.skill.scope.map(Into::into),
        path: args.artifact,
        text: None,
        params: values(&args.values)?,
        model: args.model,
    };
    let rendered = session.call::<Render>(params).await?;
    let chosen = rendered.variants.iter().find(|variant| variant.selected);
    let error = chosen.and_then(|variant| variant.error.clone());
    if out.is_json() {
        out.result(&rendered, |_| String::new())?;
    } else if let Some(text) = chosen.and_then(|variant| variant.text.as_deref()) {
        raw(text.as_bytes());
        if !text.ends_with('\n') {
            raw(b"\n");
        }
    }
    match error {
        Some(error) if !out.is_json() => Err(Failure::diagnostics(vec![error]).into()),
        Some(_) => Err(Ended::Findings),
        None => Ok(()),
    }
}
