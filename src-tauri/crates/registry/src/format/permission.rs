//! What a skill can do, derived from its files and manifest. The publisher states it in the index, so that people see it before they
//! download; the client derives it again from the package.

use std::collections::BTreeSet;
use std::fmt;
use std::str::FromStr;

use inklings_core::manifest::{self, SkillManifestV1, StepKind};
use inklings_core::skill::{Artifact, Package};
use inklings_core::{ArtifactKind, Slug};
use schemars::JsonSchema;

use super::check_text;
use crate::limits;
use crate::text::serde_as_text;

const TOOLS_PREFIX: &str = "tools:";
const INTEGRATIONS_PREFIX: &str = "integrations:";
/// The sandbox's functions that ask a model.
const MODEL_CALLS: &[&str] = &["llm_query", "run_skill"];
/// Of files that interpreters and shells run, executable or not.
const SCRIPT_EXTENSIONS: &[&str] =
    &["bash", "bat", "cjs", "cmd", "exe", "js", "mjs", "php", "pl", "ps1", "py", "rb", "sh", "so", "ts", "wasm", "zsh"];

/// Text form is as in `native-scripts` or `tools:search`.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, JsonSchema)]
#[schemars(with = "String", inline)]
pub enum Permission {
    /// Scripts in the sandbox.
    Code,
    /// Asking a model through the app.
    Llm,
    /// Reaching other computers.
    Network,
    /// Scripts outside of the sandbox.
    NativeScripts,
    Tool(String),
    Integration(String),
}

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("unknown permission {0:?}")]
pub struct ParsePermissionError(String);

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PermissionError {
    #[error("the manifest of {slug} is invalid: {why}; fix metadata.manifest")]
    Manifest { slug: Slug, why: String },
    /// A tool or integration whose name can't be shown.
    #[error("the manifest of {slug} names the invalid tool or integration {name:?}; rename it")]
    Name { slug: Slug, name: String },
}

impl fmt::Display for Permission {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Code => f.write_str("code"),
            Self::Llm => f.write_str("llm"),
            Self::Network => f.write_str("network"),
            Self::NativeScripts => f.write_str("native-scripts"),
            Self::Tool(name) => write!(f, "{TOOLS_PREFIX}{name}"),
            Self::Integration(name) => write!(f, "{INTEGRATIONS_PREFIX}{name}"),
        }
    }
}

impl FromStr for Permission {
    type Err = ParsePermissionError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let unknown = || ParsePermissionError(text.chars().take(limits::LABEL_CHARS).collect());
        let named = |name: &str| if is_name(name) { Ok(name.to_owned()) } else { Err(unknown()) };
        match text {
            "code" => Ok(Self::Code),
            "llm" => Ok(Self::Llm),
            "network" => Ok(Self::Network),
            "native-scripts" => Ok(Self::NativeScripts),
            _ => match (text.strip_prefix(TOOLS_PREFIX), text.strip_prefix(INTEGRATIONS_PREFIX)) {
                (Some(name), _) => Ok(Self::Tool(named(name)?)),
                (_, Some(name)) => Ok(Self::Integration(named(name)?)),
                _ => Err(unknown()),
            },
        }
    }
}

serde_as_text!(Permission);

fn is_name(name: &str) -> bool {
    check_text("permission", name, limits::LABEL_CHARS).is_ok()
}

pub fn permissions(package: &Package) -> Result<BTreeSet<Permission>, PermissionError> {
    let mut found = BTreeSet::new();
    for artifact in &package.artifacts {
        match artifact.kind {
            ArtifactKind::CodeTemplate => {
                found.insert(Permission::Code);
                if MODEL_CALLS.iter().any(|call| artifact.content.contains(call)) {
                    found.insert(Permission::Llm);
                }
            }
            ArtifactKind::PromptTemplate | ArtifactKind::DspyModule => drop(found.insert(Permission::Llm)),
            ArtifactKind::Description | ArtifactKind::Approach | ArtifactKind::Example => {}
        }
    }
    let is_script = |path: &inklings_core::SkillPath, bytes: &[u8], executable: bool| {
        executable || bytes.starts_with(b"#!") || SCRIPT_EXTENSIONS.contains(&path.extension().as_str())
    };
    // Other programs don't know what an artifact is. Python templates are for the sandbox, unless they are executable.
    let is_template = |artifact: &Artifact| artifact.kind == ArtifactKind::CodeTemplate && artifact.path.extension() == "py";
    let is_native = package.files.iter().any(|file| is_script(&file.path, &file.entry.bytes, file.entry.executable))
        || package.artifacts.iter().any(|artifact| {
            artifact.executable || (!is_template(artifact) && is_script(&artifact.path, artifact.content.as_bytes(), false))
        });
    if is_native {
        // Outside of the sandbox, nothing keeps a script from the network.
        found.extend([Permission::NativeScripts, Permission::Network]);
    }
    if let Some(value) = package.metadata.get(manifest::KEY) {
        let (manifest, findings) = manifest::check(value);
        let why = || findings.first().map_or_else(|| "unknown format".to_owned(), |finding| finding.message.clone());
        let manifest = manifest.ok_or_else(|| PermissionError::Manifest { slug: package.slug.clone(), why: why() })?;
        found.extend(of_manifest(&manifest));
    }
    found.extend(package.steps.iter().filter_map(|step| step.tool.clone()).map(Permission::Tool));
    let invalid = found.iter().find_map(|permission| match permission {
        Permission::Tool(name) | Permission::Integration(name) => (!is_name(name)).then(|| name.clone()),
        _ => None,
    });
    match invalid {
        Some(name) => Err(PermissionError::Name { slug: package.slug.clone(), name }),
        None => Ok(found),
    }
}

fn of_manifest(manifest: &SkillManifestV1) -> Vec<Permission> {
    let mut found = Vec::new();
    let tools = manifest.required_tools.iter().chain(&manifest.required_tool_groups);
    found.extend(tools.cloned().map(Permission::Tool));
    let mut integrations: Vec<String> = manifest.required_integrations.iter().map(|one| one.integration_id.clone()).collect();
    for step in &manifest.deterministic_steps {
        match step.kind {
            StepKind::Tool => found.push(Permission::Tool(step.reference.clone())),
            StepKind::IntegrationSync => integrations.push(step.reference.clone()),
            StepKind::Script => found.push(Permission::Code),
        }
    }
    if !integrations.is_empty() {
        found.push(Permission::Network);
    }
    found.extend(integrations.into_iter().map(Permission::Integration));
    found
}

#[cfg(test)]
mod tests {
    use inklings_core::skill::SkillFile;
    use inklings_core::tree::TreeFile;
    use inklings_core::{ArtifactId, SkillPath, Slug};
    use proptest::prelude::*;
    use serde_json::json;

    use super::*;

    fn package() -> Package {
        Package::new(Slug::parse("a").unwrap(), "A", "about")
    }

    fn file(path: &str, text: &str, executable: bool) -> SkillFile {
        SkillFile { path: SkillPath::parse(path).unwrap(), entry: TreeFile { bytes: text.as_bytes().into(), executable } }
    }

    fn texts(package: &Package) -> Vec<String> {
        permissions(package).unwrap().iter().map(ToString::to_string).collect()
    }

    #[test]
    fn files_that_something_runs_are_native_scripts() {
        assert!(texts(&package()).is_empty());
        for (path, text, executable) in [("run", "x", true), ("run", "#!/bin/sh", false), ("a/b.PY", "", false), ("a.sh", "", false)] {
            let mut package = package();
            package.files.push(file(path, text, executable));
            assert_eq!(texts(&package), ["network", "native-scripts"], "{path}");
        }
        let mut package = package();
        package.files.push(file("notes.md", "python", false));
        assert!(texts(&package).is_empty());
    }

    #[test]
    fn scripts_that_are_artifacts_are_native_unless_they_are_templates_for_the_sandbox() {
        let artifact = |path: &str, kind, content: &str, executable| {
            let mut package = package();
            package.artifacts.push(Artifact {
                id: ArtifactId::new(uuid::Uuid::from_u128(1)),
                path: SkillPath::parse(path).unwrap(),
                kind,
                name: "Setup".to_owned(),
                ordinal: 0,
                content: content.into(),
                variant: None,
                metadata: serde_json::Map::new(),
                state: None,
                executable,
            });
            texts(&package)
        };
        let native = ["network", "native-scripts"];
        assert_eq!(artifact("scripts/setup.sh", ArtifactKind::Approach, "echo", false), native);
        assert_eq!(artifact("scripts/run.py", ArtifactKind::Example, "", false), native);
        assert_eq!(artifact("setup.md", ArtifactKind::Description, "#!/bin/sh", false), native);
        assert_eq!(artifact("scripts/setup.sh", ArtifactKind::CodeTemplate, "", false), ["code", "network", "native-scripts"]);
        assert_eq!(artifact("scripts/run.py", ArtifactKind::CodeTemplate, "", true), ["code", "network", "native-scripts"]);
        assert_eq!(artifact("scripts/run.py", ArtifactKind::CodeTemplate, "", false), ["code"]);
        assert!(artifact("approach.md", ArtifactKind::Approach, "Step by step.", false).is_empty());
    }

    #[test]
    fn the_manifest_adds_tools_and_integrations() {
        let mut package = package();
        let manifest = json!({
            "version": 1, "requiredTools": ["search"], "requiredIntegrations": [{"integrationId": "mail"}],
            "deterministicSteps": [
                {"key": "one", "kind": "tool", "ref": "read", "when": "before"},
                {"key": "two", "kind": "integration_sync", "ref": "crm", "when": "before"},
            ],
        });
        package.metadata.insert(manifest::KEY.to_owned(), manifest);
        assert_eq!(texts(&package), ["network", "tools:read", "tools:search", "integrations:crm", "integrations:mail"]);
    }

    #[test]
    fn a_manifest_that_can_not_be_read_is_an_error() {
        let mut package = package();
        package.metadata.insert(manifest::KEY.to_owned(), json!({"version": 2}));
        assert!(matches!(permissions(&package), Err(PermissionError::Manifest { .. })));
        package.metadata.insert(manifest::KEY.to_owned(), json!({"version": 1, "requiredTools": ["a\u{202e}b"]}));
        assert!(matches!(permissions(&package), Err(PermissionError::Name { .. })));
    }

    proptest! {
        #[test]
        fn text_reads_back(text in "(code|llm|network|native-scripts|(tools|integrations):[a-z_.:-]{1,20})") {
            prop_assert_eq!(text.parse::<Permission>().unwrap().to_string(), text);
        }

        #[test]
        fn other_text_is_refused(text in "[a-z]{0,8}:?") {
            prop_assume!(!["code", "llm", "network"].contains(&text.as_str()));
            prop_assert!(text.parse::<Permission>().is_err());
        }
    }
}
