use inklings_core::SkillCatalog;
use inklings_rpc::{CallContext, Failure, NoParams, operations};

use super::api::{
    AtParams, LanguageData, Names, NamesParams, RenameParams, RenamePreview, RenameResult, SymbolAtPosition, Uses, UsesParams,
};
use super::names::language_data;
use super::rename::RenameService;
use super::service::SymbolService;
use crate::app::App;

impl App {
    fn symbol_service<'a>(&'a self, cx: &'a CallContext, catalog: &'a SkillCatalog) -> SymbolService<'a> {
        SymbolService {
            catalog,
            prompts: &self.prompts,
            handlers: &self.runner.dispatcher,
            workspaces: self.workspaces.as_ref(),
            workspace: cx.workspace.as_deref(),
        }
    }

    fn rename_service<'a>(&'a self, cx: &'a CallContext) -> Result<RenameService<'a>, Failure> {
        Ok(RenameService { editor: self.editor(cx)?, prompts: &self.prompts, workspaces: self.workspaces.as_ref() })
    }
}

fn at(app: &App, cx: &CallContext, params: AtParams) -> Result<SymbolAtPosition, Failure> {
    let catalog = app.catalog(cx)?;
    let skill = catalog.require(&params.skill, params.scope)?;
    Ok(app.symbol_service(cx, &catalog).find_at(&skill, &params.path, params.line, params.column, params.edits)?)
}

fn uses(app: &App, cx: &CallContext, params: UsesParams) -> Result<Uses, Failure> {
    let catalog = app.catalog(cx)?;
    let skill = catalog.require(&params.skill, params.scope)?;
    Ok(app.symbol_service(cx, &catalog).uses(&skill, &params.symbol, params.edits)?)
}

fn names(app: &App, cx: &CallContext, params: NamesParams) -> Result<Names, Failure> {
    let catalog = app.catalog(cx)?;
    let skill = catalog.require(&params.skill, params.scope)?;
    Ok(app.symbol_service(cx, &catalog).names(&skill, params.edits))
}

fn language(_: &App, _: &CallContext, _: NoParams) -> Result<LanguageData, Failure> {
    Ok(language_data())
}

fn rename_preview(app: &App, cx: &CallContext, params: RenameParams) -> Result<RenamePreview, Failure> {
    let service = app.rename_service(cx)?;
    let skill = service.editor.catalog.require(&params.skill, params.scope)?;
    Ok(service.preview(&skill, &params.symbol, &params.to)?)
}

fn rename(app: &App, cx: &CallContext, params: RenameParams) -> Result<RenameResult, Failure> {
    let service = app.rename_service(cx)?;
    let skill = service.editor.catalog.require(&params.skill, params.scope)?;
    Ok(service.rename(&skill, &params.symbol, &params.to)?)
}

operations! { App;
    At = "symbol/at", ReadSkills, blocking at(AtParams) -> SymbolAtPosition;
    ListUses = "symbol/uses", ReadSkills, blocking uses(UsesParams) -> Uses;
    ListNames = "symbol/names", ReadSkills, blocking names(NamesParams) -> Names;
    ReadLanguage = "symbol/language", ReadSkills, blocking language(NoParams) -> LanguageData;
    /// The changes that a rename would make, or why it isn't possible.
    Preview = "symbol/rename_preview", ReadSkills, blocking rename_preview(RenameParams) -> RenamePreview;
    /// In all files of the skill, as one revision, and in saved inputs and actions. Renaming back undoes it.
    Rename = "symbol/rename", UpdateSkills["skill", "input", "action"], blocking rename(RenameParams) -> RenameResult;
}
