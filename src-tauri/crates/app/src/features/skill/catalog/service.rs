use inklings_core::{SkillCatalog, StorageError};

use super::api::{TreePage, TreeParams};

/// Rows of a page of the tree.
const DEFAULT_PAGE_SIZE: u32 = 500;
const MAX_PAGE_SIZE: u32 = 5_000;

pub(crate) fn tree(catalog: &SkillCatalog, params: TreeParams) -> Result<TreePage, StorageError> {
    let total = catalog.count()?;
    if let Some(only) = params.only {
        return Ok(TreePage { skills: catalog.list_items(only.scope, &only.ids)?, next: None, total });
    }
    let limit = params.limit.unwrap_or(DEFAULT_PAGE_SIZE).clamp(1, MAX_PAGE_SIZE);
    let page = catalog.list_page(params.from, usize::try_from(limit).unwrap_or(usize::MAX))?;
    Ok(TreePage { skills: page.rows, next: page.next, total })
}
