//! `skill/tree`: the catalog as a tree shows it.

use inklings_core::{Scope, SkillId, SkillListCursor, SkillListItem};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::app::App;
use inklings_rpc::{CallContext, Failure, operations};

/// Rows of a page unless said, and at most.
const PAGE: u32 = 500;
const LARGEST: u32 = 5_000;

/// Some skills by name.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct TreeSome {
    /// The scope.
    pub scope: Scope,
    /// The skills.
    pub ids: Vec<SkillId>,
}

/// Which skills: a page of all, or just some.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct TreeParams {
    /// Where the page begins, as the page before said; at the first skill without it.
    #[serde(default)]
    pub from: Option<SkillListCursor>,
    /// Rows of the page; 500 unless said, at most 5,000.
    #[serde(default)]
    pub limit: Option<u32>,
    /// Just these, as after a change; those that are gone are left out.
    #[serde(default)]
    pub only: Option<TreeSome>,
}

/// Skills as a tree shows them.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct TreePage {
    /// The workspace's first, each scope by title. What is usual isn't sent.
    pub skills: Vec<SkillListItem>,
    /// Where the next page begins; null when this is the last.
    pub next: Option<SkillListCursor>,
    /// How many skills there are in all.
    pub total: u32,
}

fn tree(app: &App, cx: &CallContext, params: TreeParams) -> Result<TreePage, Failure> {
    let catalog = app.catalog(cx)?;
    let total = catalog.count()?;
    if let Some(only) = params.only {
        return Ok(TreePage { skills: catalog.list_items(only.scope, &only.ids)?, next: None, total });
    }
    let limit = params.limit.unwrap_or(PAGE).clamp(1, LARGEST);
    let page = catalog.list_page(params.from, usize::try_from(limit).unwrap_or(usize::MAX))?;
    Ok(TreePage { skills: page.rows, next: page.next, total })
}

operations! { App;
    Tree = "skill/tree", Read, blocking tree(TreeParams) -> TreePage;
}
