use inklings_rpc::{CallContext, Failure, operations};

use super::api::DescribeParams;
use super::service;
use crate::app::App;
use crate::wire::EditResult;

fn describe(app: &App, cx: &CallContext, params: DescribeParams) -> Result<EditResult, Failure> {
    let values = params.values.tidied()?;
    let editor = app.editor(cx)?;
    let skill = editor.catalog.require(&params.skill, params.scope)?;
    Ok(service::describe(&editor, &skill, &values, params.expected)?)
}

operations! { App;
    Describe = "skill/describe", Write["skill"], blocking describe(DescribeParams) -> EditResult;
}
