//! Compares the requirements of a manifest with what there is.

use inklings_core::Action;
use inklings_core::manifest::{ActionMode, SkillManifestV1, nearest};

use super::api::{Readiness, Requirement, RequirementKind, RequirementStatus};
use crate::features::tool;

/// Groups of tools, each with its tools or the permission that it stands for.
const TOOL_GROUPS: [&str; 6] = ["skills-read", "skills-write", "workspace", "run", "compose", "admin"];
/// Tool groups and tools that need an open workspace.
const WORKSPACE_GROUP: &str = "workspace";
const WORKSPACE_TOOLS: [&str; 2] = ["workspace_search", "get_page"];
/// Integrations besides model providers.
const SANDBOX: &str = "sandbox";
const DSPY: [&str; 2] = ["dspy", "sidecar"];
const EXECUTABLE_PREFIX: &str = "executable:";
const VARIABLE_PREFIX: &str = "env:";

/// What there is, without anything being started.
pub(super) struct Environment<'a> {
    pub(super) has_workspace: bool,
    /// Model providers with whether their key is available; an error if the settings can't be read.
    pub(super) providers: Result<Vec<(String, bool)>, String>,
    /// Why scripts can't run.
    pub(super) sandbox: Option<String>,
    /// Why DSPy programs can't run.
    pub(super) programs: Option<String>,
    /// An error if they can't be read.
    pub(super) actions: Result<Vec<Action>, String>,
    pub(super) has_variable: &'a dyn Fn(&str) -> bool,
    pub(super) has_executable: &'a dyn Fn(&str) -> bool,
}

struct Found {
    status: RequirementStatus,
    detail: String,
    advice: Option<String>,
}

impl Found {
    fn ok(detail: impl Into<String>) -> Self {
        Self { status: RequirementStatus::Ok, detail: detail.into(), advice: None }
    }

    fn missing(detail: impl Into<String>, advice: impl Into<String>) -> Self {
        Self { status: RequirementStatus::Missing, detail: detail.into(), advice: Some(advice.into()) }
    }
}

pub(super) fn readiness(manifest: &SkillManifestV1, environment: &Environment<'_>) -> Readiness {
    let mut requirements = Vec::new();
    let mut add = |kind, name: &str, found: Found| {
        requirements.push(Requirement { kind, name: name.to_owned(), status: found.status, detail: found.detail, advice: found.advice });
    };
    for name in &manifest.required_tools {
        add(RequirementKind::Tool, name, environment.tool(name, &manifest.forbidden_tools));
    }
    for name in &manifest.required_tool_groups {
        add(RequirementKind::ToolGroup, name, environment.tool_group(name));
    }
    for integration in &manifest.required_integrations {
        add(RequirementKind::Integration, &integration.integration_id, environment.integration(&integration.integration_id));
    }
    for action in manifest.actions.iter().filter(|action| action.required) {
        add(RequirementKind::Action, &action.action_slug, environment.action(&action.action_slug));
    }
    for gate in &manifest.human_gates {
        let detail = if gate.required { "manual gate" } else { "optional gate" };
        add(RequirementKind::HumanGate, &gate.key, Found::ok(format!("{detail}: {}", gate.label)));
    }
    let count = |status| requirements.iter().filter(|one: &&Requirement| one.status == status).count();
    let (ok, missing, unknown) = (count(RequirementStatus::Ok), count(RequirementStatus::Missing), count(RequirementStatus::Unknown));
    let blockers = requirements.iter().filter(|one| one.status == RequirementStatus::Missing).map(|one| one.name.clone()).collect();
    Readiness { ready: missing == 0, ok, missing, unknown, requirements, blockers }
}

fn did_you_mean<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> String {
    near_or(name, known, "correct the name in the manifest")
}

fn near_or<'a>(name: &str, known: impl IntoIterator<Item = &'a str>, otherwise: &str) -> String {
    nearest(name, known).map_or_else(|| otherwise.to_owned(), |near| format!("use {near:?} if that is meant"))
}

impl Environment<'_> {
    fn tool(&self, name: &str, forbidden: &[String]) -> Found {
        if !tool::names().any(|known| known == name) {
            return Found::missing("no tool has this name", did_you_mean(name, tool::names()));
        }
        if forbidden.iter().any(|one| one == name) {
            return Found::missing("forbidden by the same manifest", "remove it from forbiddenTools");
        }
        if WORKSPACE_TOOLS.contains(&name) && !self.has_workspace {
            return Found::missing("needs a workspace", "open a folder");
        }
        Found::ok("available in chats")
    }

    fn tool_group(&self, name: &str) -> Found {
        if !TOOL_GROUPS.contains(&name) {
            return Found::missing("no tool group has this name", did_you_mean(name, TOOL_GROUPS));
        }
        if name == WORKSPACE_GROUP && !self.has_workspace {
            return Found::missing("needs a workspace", "open a folder");
        }
        Found::ok("available")
    }

    fn integration(&self, name: &str) -> Found {
        if name == SANDBOX {
            return self.sandbox.as_ref().map_or_else(|| Found::ok("installed"), |why| Found::missing(why, "install the app again"));
        }
        if DSPY.contains(&name) {
            return self.programs.as_ref().map_or_else(|| Found::ok("installed"), |why| Found::missing(why, "check the DSPy process"));
        }
        if let Some(variable) = name.strip_prefix(VARIABLE_PREFIX) {
            return if (self.has_variable)(variable) {
                Found::ok("set")
            } else {
                Found::missing("the environment variable isn't set", format!("set {variable} before the app starts"))
            };
        }
        if let Some(executable) = name.strip_prefix(EXECUTABLE_PREFIX) {
            return if (self.has_executable)(executable) {
                Found::ok("found in PATH")
            } else {
                Found::missing("not found in PATH", format!("install {executable}"))
            };
        }
        match &self.providers {
            Err(why) => {
                Found { status: RequirementStatus::Unknown, detail: why.clone(), advice: Some("check the model settings".to_owned()) }
            }
            Ok(providers) => match providers.iter().find(|(known, _)| known == name) {
                Some((_, true)) => Found::ok("connected provider"),
                Some((_, false)) => Found::missing("the provider has no API key", "add the key in the model settings"),
                None => {
                    let known = providers.iter().map(|(known, _)| known.as_str()).chain(DSPY).chain([SANDBOX]);
                    let advice = near_or(name, known, "add a model provider of this name, or correct the name in the manifest");
                    Found::missing("no integration has this name", advice)
                }
            },
        }
    }

    fn action(&self, slug: &str) -> Found {
        let actions = match &self.actions {
            Ok(actions) => actions,
            Err(why) => {
                return Found { status: RequirementStatus::Unknown, detail: why.clone(), advice: Some("list the actions".to_owned()) };
            }
        };
        match actions.iter().find(|known| known.slug.as_str() == slug) {
            Some(action) if !action.enabled => Found::missing("the action is disabled", "enable it"),
            Some(action) if action.mode == ActionMode::Manual => Found::ok("defined"),
            Some(_) => Found::ok("defined; runs by hand, not scheduled here"),
            None => {
                let known = actions.iter().map(|action| action.slug.as_str());
                Found::missing("no action has this name", near_or(slug, known, "save an action with this name"))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use inklings_core::Slug;
    use serde_json::json;

    use super::*;

    fn environment(has_workspace: bool) -> Environment<'static> {
        Environment {
            has_workspace,
            providers: Ok(vec![("anthropic".to_owned(), true), ("openai".to_owned(), false)]),
            sandbox: None,
            programs: Some("DSPy isn't installed".to_owned()),
            actions: Ok(vec![
                Action::built_in(),
                action("weekly-report", ActionMode::Trigger, true),
                action("draft-memo", ActionMode::Manual, false),
            ]),
            has_variable: &|name| name == "HOME",
            has_executable: &|name| name == "git",
        }
    }

    fn action(slug: &str, mode: ActionMode, enabled: bool) -> Action {
        Action { slug: Slug::parse(slug).unwrap(), skill: Some(Slug::parse("memo").unwrap()), mode, enabled, ..Action::built_in() }
    }

    fn statuses(manifest: serde_json::Value, environment: &Environment<'_>) -> Vec<(String, RequirementStatus, Option<String>)> {
        let manifest = serde_json::from_value(manifest).unwrap();
        readiness(&manifest, environment).requirements.into_iter().map(|one| (one.name, one.status, one.advice)).collect()
    }

    #[test]
    fn each_kind_of_requirement_is_checked() {
        use RequirementStatus::{Missing, Ok};
        let manifest = json!({
            "version": 1,
            "requiredTools": ["read_skill", "read_skil", "get_page"],
            "requiredToolGroups": ["run", "runs"],
            "requiredIntegrations": [
                {"integrationId": "anthropic"}, {"integrationId": "openai"}, {"integrationId": "dspy"}, {"integrationId": "sandbox"},
                {"integrationId": "env:HOME"}, {"integrationId": "env:NONE"}, {"integrationId": "executable:git"}, {"integrationId": "antropic"},
            ],
            "actions": [
                {"actionSlug": "optimize-skill", "mode": "manual", "required": true}, {"actionSlug": "other", "mode": "manual"},
                {"actionSlug": "weekly-report", "required": true}, {"actionSlug": "draft-memo", "required": true},
                {"actionSlug": "weekly-reports", "required": true},
            ],
            "humanGates": [{"key": "read", "label": "Read it", "when": "before_write", "required": true}],
        });
        let found = statuses(manifest, &environment(false));
        let expected = [
            ("read_skill", Ok),
            ("read_skil", Missing),
            ("get_page", Missing),
            ("run", Ok),
            ("runs", Missing),
            ("anthropic", Ok),
            ("openai", Missing),
            ("dspy", Missing),
            ("sandbox", Ok),
            ("env:HOME", Ok),
            ("env:NONE", Missing),
            ("executable:git", Ok),
            ("antropic", Missing),
            ("optimize-skill", Ok),
            ("weekly-report", Ok),
            ("draft-memo", Missing),
            ("weekly-reports", Missing),
            ("read", Ok),
        ];
        let expected = expected.map(|(name, status)| (name.to_owned(), status)).to_vec();
        assert_eq!(found.iter().map(|(name, status, _)| (name.clone(), *status)).collect::<Vec<_>>(), expected);
        assert!(found.iter().all(|(_, status, advice)| advice.is_some() == (*status == Missing)), "{found:?}");
        assert_eq!(found[1].2.as_deref(), Some("use \"read_skill\" if that is meant"));
        assert_eq!(found[12].2.as_deref(), Some("use \"anthropic\" if that is meant"));
        assert_eq!([&found[15].2, &found[16].2].map(Option::as_deref), [Some("enable it"), Some("use \"weekly-report\" if that is meant")]);
    }

    #[test]
    fn a_failed_check_is_unknown_and_blocks_nothing() {
        let manifest = serde_json::from_value(json!({"version": 1, "requiredIntegrations": [{"integrationId": "anthropic"}]})).unwrap();
        let report = readiness(&manifest, &Environment { providers: Err("the settings are locked".to_owned()), ..environment(true) });
        assert_eq!((report.ready, report.ok, report.missing, report.unknown), (true, 0, 0, 1));
        let manifest = serde_json::from_value(json!({"version": 1, "actions": [{"actionSlug": "draft-memo", "required": true}]})).unwrap();
        let report = readiness(&manifest, &Environment { actions: Err("the database is locked".to_owned()), ..environment(true) });
        assert_eq!((report.ready, report.unknown), (true, 1));
        let report = readiness(&serde_json::from_value(json!({"version": 1, "requiredTools": ["x"]})).unwrap(), &environment(true));
        assert_eq!((report.ready, report.blockers), (false, vec!["x".to_owned()]));
    }
}
