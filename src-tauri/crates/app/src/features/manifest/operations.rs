use inklings_core::manifest::{safe, summarize};
use inklings_core::provider::{KeyState, ProviderError};
use inklings_core::{Skill, StorageError};
use inklings_rpc::{CallContext, Failure, operations};
use serde_json::Value;

use super::api::{PageSkill, PageSkills, PageSkillsParams, SkillReadiness};
use super::readiness::{Environment, readiness};
use crate::app::App;
use crate::features::action;
use crate::wire::SkillRef;

fn check(app: &App, cx: &CallContext, params: SkillRef) -> Result<SkillReadiness, Failure> {
    let skill = app.catalog(cx)?.require(&params.skill, params.scope)?;
    Ok(of_skill(app, cx, &skill))
}

fn of_skill(app: &App, cx: &CallContext, skill: &Skill) -> SkillReadiness {
    let (manifest, _) = safe(&skill.package.metadata);
    let connected = |name: String| Ok((name.clone(), app.models.key_state(&name)? != KeyState::Missing));
    let providers: Result<Vec<(String, bool)>, ProviderError> =
        app.models.settings().and_then(|settings| settings.providers.into_iter().map(|provider| connected(provider.name)).collect());
    let environment = Environment {
        has_workspace: cx.workspace.is_some(),
        providers: providers.map_err(|error| error.to_string()),
        sandbox: app.sandbox.unavailable(),
        programs: app.programs.unavailable(),
        actions: action::all(app.actions.as_ref()).map_err(|error| error.to_string()),
        has_variable: &|name| std::env::var_os(name).is_some_and(|value| !value.is_empty()),
        has_executable: &|name| is_in_path(name),
    };
    SkillReadiness { summary: summarize(&manifest), readiness: readiness(&manifest, &environment) }
}

fn is_in_path(name: &str) -> bool {
    let paths = std::env::var_os("PATH").unwrap_or_default();
    !name.is_empty() && !name.contains(['/', '\\']) && std::env::split_paths(&paths).any(|folder| folder.join(name).is_file())
}

fn page_skills(app: &App, cx: &CallContext, params: PageSkillsParams) -> Result<PageSkills, Failure> {
    let page = app.workspaces.pages(cx.require_workspace()?)?.page(&params.page)?;
    let catalog = app.catalog(cx)?;
    let named = page.frontmatter.get("skills").and_then(Value::as_array);
    let declared = named.is_some() || page.summary.kind.as_deref() == Some("goal");
    let skill = |name: &str| -> Result<PageSkill, Failure> {
        let found = match catalog.require(name, None) {
            Ok(skill) => Some(skill),
            Err(StorageError::NotFound { .. }) => None,
            Err(error) => return Err(error.into()),
        };
        Ok(PageSkill {
            name: name.to_owned(),
            found: found.is_some(),
            slug: found.as_ref().map(|skill| skill.package.slug.clone()),
            skill: found.map(|skill| of_skill(app, cx, &skill)),
        })
    };
    let skills = named.into_iter().flatten().filter_map(Value::as_str).map(skill).collect::<Result<_, _>>()?;
    Ok(PageSkills { declared, skills })
}

operations! { App;
    /// Checks whether what the manifest of a skill requires is there. Runs nothing.
    CheckReadiness = "manifest/readiness", Read, blocking check(SkillRef) -> SkillReadiness;
    /// The skills that a page names, such as the page of a goal, with their readiness.
    GetPageSkills = "manifest/page_skills", Read, blocking page_skills(PageSkillsParams) -> PageSkills;
}
