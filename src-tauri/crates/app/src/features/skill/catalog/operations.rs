use inklings_rpc::{CallContext, Failure, operations};

use super::api::{ListParams, ListView, SkillList, TokenCost, TokenParams, TreePage, TreeParams};
use super::tokens::token_cost;
use crate::app::App;
use crate::wire::{SkillDetail, SkillRef};

/// Rows of a page of the tree.
const DEFAULT_PAGE_SIZE: u32 = 500;
const MAX_PAGE_SIZE: u32 = 5_000;

fn list(app: &App, cx: &CallContext, params: ListParams) -> Result<SkillList, Failure> {
    let catalog = app.catalog(cx)?;
    let skills = match params.view {
        ListView::Merged => catalog.list_all()?,
        ListView::All => catalog.list_both()?,
    };
    Ok(SkillList { skills })
}

fn tree(app: &App, cx: &CallContext, params: TreeParams) -> Result<TreePage, Failure> {
    let catalog = app.catalog(cx)?;
    let total = catalog.count()?;
    if let Some(only) = params.only {
        return Ok(TreePage { skills: catalog.list_items(only.scope, &only.ids)?, next: None, total });
    }
    let limit = params.limit.unwrap_or(DEFAULT_PAGE_SIZE).clamp(1, MAX_PAGE_SIZE);
    let page = catalog.list_page(params.from, usize::try_from(limit).unwrap_or(usize::MAX))?;
    Ok(TreePage { skills: page.rows, next: page.next, total })
}

fn get(app: &App, cx: &CallContext, params: SkillRef) -> Result<SkillDetail, Failure> {
    let editor = app.editor(cx)?;
    let skill = editor.catalog.require(&params.skill, params.scope)?;
    Ok(editor.skill_detail(&skill)?)
}

fn tokens(app: &App, cx: &CallContext, params: TokenParams) -> Result<TokenCost, Failure> {
    let skill = app.catalog(cx)?.require(&params.skill, params.scope)?;
    Ok(token_cost(&skill, params.edits, &app.folder))
}

operations! { App;
    List = "skill/list", Read, blocking list(ListParams) -> SkillList;
    /// A page of what a tree shows, or some of its rows.
    Tree = "skill/tree", Read, blocking tree(TreeParams) -> TreePage;
    Get = "skill/get", Read, blocking get(SkillRef) -> SkillDetail;
    Tokens = "skill/tokens", Read, blocking tokens(TokenParams) -> TokenCost;
}
