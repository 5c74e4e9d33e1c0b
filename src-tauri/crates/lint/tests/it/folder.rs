//! A minimal skill format for these tests: frontmatter line by line, and simple keys of `skill.json`.

use inklings_core::ports::ReadOutput;
use inklings_core::{
    Artifact, ArtifactId, Diagnostic, Package, Relation, RelationKind, SkillFile, SkillFormat, SkillPath, Slug, State, Tree, TreeFile,
};
use serde_json::Value;

pub(crate) struct Fake;

pub(crate) fn package(files: &[(SkillPath, String)]) -> Package {
    let tree: Tree = files.iter().map(|(path, text)| (path.clone(), TreeFile::new(text.as_bytes()))).collect();
    Fake.read(&tree, "memo", None).unwrap().package
}

impl SkillFormat for Fake {
    fn read(&self, tree: &Tree, folder: &str, _known: Option<&Package>) -> Result<ReadOutput, Vec<Diagnostic>> {
        let text = |path: &str| tree.get(&SkillPath::parse(path).unwrap()).and_then(TreeFile::text);
        let (head, body) = split(text("SKILL.md").unwrap_or_default());
        let mut diagnostics = Vec::new();
        let value = |key: &str| {
            let line = head.lines().find_map(|line| line.strip_prefix(key))?;
            Some(line.trim_start_matches(':').trim().to_owned())
        };
        let Some(description) = value("description") else {
            return Err(vec![Diagnostic::error("fake/description", "no description").in_file("SKILL.md").at(1, 1)]);
        };
        if value("name").is_none() {
            diagnostics.push(Diagnostic::warning("fake/name", "no name").in_file("SKILL.md").at(1, 1));
        }
        let slug = Slug::parse(folder).unwrap();
        let mut package = Package::new(slug.clone(), value("name").unwrap_or_default(), description);
        package.sources.frontmatter = Some(head.into());
        if !body.is_empty() {
            package.artifacts.push(artifact(
                &serde_json::json!({ "path": "SKILL.md", "kind": "description", "name": "Overview" }),
                body,
                tree,
            ));
        }
        if let Some(json) = text("skill.json") {
            package.sources.skill_json = Some(json.into());
            declared(&mut package, json, tree)?;
        }
        let taken = |path: &SkillPath| package.artifacts.iter().any(|artifact| artifact.path == *path);
        let files = tree.iter().filter(|(path, _)| path.as_str() != "skill.json" && !path.is_skill_md() && !taken(path));
        package.files = files.map(|(path, entry)| SkillFile { path: path.clone(), entry: entry.clone() }).collect();
        Ok(ReadOutput { package, id: None, stated_slug: None, diagnostics })
    }

    fn sync_sources(&self, _package: &mut Package) -> Vec<Diagnostic> {
        Vec::new()
    }
}

fn split(text: &str) -> (&str, &str) {
    text.find("\n---\n").map_or((text, ""), |at| text.split_at(at + 5))
}

fn declared(package: &mut Package, json: &str, tree: &Tree) -> Result<(), Vec<Diagnostic>> {
    let value: Value =
        serde_json::from_str(json).map_err(|_| vec![Diagnostic::error("fake/json", "not JSON").in_file("skill.json").at(1, 1)])?;
    let list = |key: &str| value.pointer(key).and_then(Value::as_array).cloned().unwrap_or_default();
    for entry in list("/artifacts") {
        let path = SkillPath::parse(entry["path"].as_str().unwrap()).unwrap();
        let content = tree.get(&path).and_then(TreeFile::text).unwrap_or_default();
        package.artifacts.push(artifact(&entry, content, tree));
    }
    for kind in [RelationKind::DependsOn, RelationKind::ConflictsWith] {
        for target in list(&format!("/relations/{}", kind.as_str())) {
            package.relations.push(Relation { kind, target: target.as_str().unwrap().to_owned() });
        }
    }
    package.run = value.get("run").map(|_| list("/run").iter().map(|name| name.as_str().unwrap().to_owned()).collect());
    package.metadata = value.get("metadata").and_then(Value::as_object).cloned().unwrap_or_default();
    Ok(())
}

fn artifact(entry: &Value, content: &str, tree: &Tree) -> Artifact {
    let text = |key: &str| entry[key].as_str();
    let state = text("state").map(|path| SkillPath::parse(path).unwrap());
    Artifact {
        id: "00000000-0000-7000-8000-000000000001".parse::<ArtifactId>().unwrap(),
        path: SkillPath::parse(text("path").unwrap()).unwrap(),
        kind: text("kind").unwrap().parse().unwrap(),
        name: text("name").unwrap().to_owned(),
        ordinal: entry["ordinal"].as_i64().unwrap_or(0),
        content: content.into(),
        variant: text("variant").map(str::to_owned),
        metadata: entry["metadata"].as_object().cloned().unwrap_or_default(),
        state: state.map(|path| State { bytes: tree[&path].bytes.clone(), path }),
        executable: false,
    }
}
