//! A folder in memory to a package.
//!
//! One pass: the tree as a whole, the two texts, then each declared artifact. Errors refuse the skill; for
//! everything else there is a diagnostic, and the bytes are kept.

use std::collections::HashSet;
use std::sync::Arc;

use inklings_core::check::Diagnostic;
use inklings_core::frontmatter::{self, Split};
use inklings_core::id::ArtifactId;
use inklings_core::kind::ArtifactKind;
use inklings_core::limits;
use inklings_core::path::{SKILL_JSON, SKILL_MD, SKILL_MD_LOWER, SkillPath};
use inklings_core::ports::{IdSource, ReadOutput};
use inklings_core::skill::{self, Artifact, Package, SkillFile, Sources, State};
use inklings_core::tree::{Tree, TreeFile};

use crate::front::Front;
use crate::json::{self, Json};
use crate::rules;
use crate::values::{Identity, Values, report_conflicts};

/// Name of the implicit artifact for an undeclared `SKILL.md` body.
pub(crate) const OVERVIEW: &str = "Overview";

pub(crate) fn read(tree: &Tree, folder: &str, known: Option<&Package>, ids: &dyn IdSource) -> Result<ReadOutput, Vec<Diagnostic>> {
    let mut diagnostics = Vec::new();
    let mut errors = rules::tree(tree);
    errors.extend(rules::skipped(tree, known));
    if !errors.is_empty() {
        return Err(errors);
    }
    let main_path = main_path(tree)?;
    let text = main_text(tree, &main_path)?;
    let split = split_main(text.unwrap_or_default(), &main_path)?;
    let json_text = json_text(tree)?;
    let front = front(text.unwrap_or_default(), &split, &main_path, &mut diagnostics)?;
    let json = json_text.map(|text| json::read(text, &mut diagnostics)).transpose()?.unwrap_or_default();
    let body = &text.unwrap_or_default()[split.body..];

    report(&main_path, text.is_some(), &split, front.as_ref(), &json, folder, &mut diagnostics);
    let values = Values::of(front.as_ref(), &json, body, folder);
    described(&values, front.as_ref(), &main_path, &mut diagnostics)?;

    let sources = Sources { frontmatter: text.map(|text| text[..split.body].into()), skill_json: json_text.map(Into::into) };
    let id = json.id;
    let identity = Identity::of(front.as_ref(), &json, folder);
    let stated_slug = identity.is_slug_stated.then_some(identity.slug);
    let mut assembly = Assembly { tree, main_path: &main_path, body, known, ids, used: HashSet::new() };
    let (artifacts, files) = assembly.parts(&values, json_text.unwrap_or_default())?;
    let package = package(values, artifacts, files, sources, main_path);
    check_run(&package, &mut diagnostics);
    report_modes(tree, &package, &mut diagnostics);
    Ok(ReadOutput { package, id, stated_slug, diagnostics })
}

fn package(values: Values, artifacts: Vec<Artifact>, files: Vec<SkillFile>, sources: Sources, main_path: SkillPath) -> Package {
    Package {
        slug: values.slug,
        name: values.name,
        description: values.description,
        version: values.version,
        author: values.author,
        tags: values.tags,
        category: values.category,
        triggers: values.triggers,
        intent_patterns: values.intent_patterns,
        when_not_to_use: values.when_not_to_use,
        user_invocable: values.user_invocable,
        steps: values.steps,
        relations: values.relations,
        metadata: values.metadata,
        run: values.run,
        artifacts,
        files,
        sources,
        main_path,
    }
}

/// The spelling of the main file; the default if there is none.
fn main_path(tree: &Tree) -> Result<SkillPath, Vec<Diagnostic>> {
    let mut spellings = tree.keys().filter(|path| path.is_skill_md());
    match (spellings.next(), spellings.next()) {
        (Some(_), Some(_)) => Err(vec![
            Diagnostic::error("folder/both-spellings", format!("both {SKILL_MD} and {SKILL_MD_LOWER} exist"))
                .hint(format!("keep only {SKILL_MD}"))
                .in_file(SKILL_MD_LOWER),
        ]),
        (Some(path), None) => Ok(path.clone()),
        (None, _) if tree.keys().any(|path| path.as_str() == SKILL_JSON) => Ok(skill::skill_md()),
        (None, _) => Err(vec![
            Diagnostic::error("folder/no-skill", format!("{SKILL_MD} not found"))
                .hint(format!("add a {SKILL_MD} that starts with name and description")),
        ]),
    }
}

fn main_text<'a>(tree: &'a Tree, path: &SkillPath) -> Result<Option<&'a str>, Vec<Diagnostic>> {
    tree.get(path).map(|entry| text_of(entry, path)).transpose()
}

fn json_text(tree: &Tree) -> Result<Option<&str>, Vec<Diagnostic>> {
    let path = skill::skill_json();
    tree.get(&path).map(|entry| text_of(entry, &path)).transpose()
}

/// Fails if the file isn't UTF-8 text.
fn text_of<'a>(entry: &'a TreeFile, path: &SkillPath) -> Result<&'a str, Vec<Diagnostic>> {
    let text = entry.text().filter(|text| !text.contains('\0'));
    text.ok_or_else(|| {
        vec![Diagnostic::error("folder/not-text", format!("{path} isn't UTF-8 text")).hint("save it as UTF-8").in_file(path)]
    })
}

fn split_main(text: &str, path: &SkillPath) -> Result<Split, Vec<Diagnostic>> {
    frontmatter::split(text, frontmatter::SKILL).map_err(|error| {
        vec![
            Diagnostic::error("frontmatter/unclosed", error.to_string()).hint("add a '---' line after the last key").in_file(path).at(1, 1),
        ]
    })
}

fn front<'a>(
    text: &'a str,
    split: &Split,
    path: &SkillPath,
    diagnostics: &mut Vec<Diagnostic>,
) -> Result<Option<Front<'a>>, Vec<Diagnostic>> {
    Front::read(text, split, path, diagnostics).map_err(|error| vec![error])
}

fn report(
    main_path: &SkillPath,
    has_main: bool,
    split: &Split,
    front: Option<&Front<'_>>,
    json: &Json,
    folder: &str,
    diagnostics: &mut Vec<Diagnostic>,
) {
    if main_path.as_str() == SKILL_MD_LOWER {
        let finding = Diagnostic::info("folder/spelling", "the file is named skill.md");
        diagnostics.push(finding.hint("rename it to SKILL.md: other agents may not find it").in_file(main_path));
    }
    if split.after_blank_lines {
        let finding = Diagnostic::info("frontmatter/blank-lines", "blank lines before the frontmatter");
        diagnostics.push(finding.hint("remove them: other agents expect '---' on the first line").in_file(main_path).at(1, 1));
    }
    match front {
        Some(front) => {
            front.check(main_path, folder, diagnostics);
            report_conflicts(front, json, &Identity::of(Some(front), json, folder), diagnostics);
        }
        None if has_main => {
            let finding = Diagnostic::warning("frontmatter/missing", "missing frontmatter");
            diagnostics.push(finding.hint("start with '---', name, description, '---'").in_file(main_path).at(1, 1));
        }
        None => {}
    }
}

/// A skill needs a description of acceptable length.
fn described(
    values: &Values,
    front: Option<&Front<'_>>,
    path: &SkillPath,
    diagnostics: &mut Vec<Diagnostic>,
) -> Result<(), Vec<Diagnostic>> {
    let chars = values.description.chars().count();
    let node = front.and_then(|front| Some((front, front.get(&["description"])?)));
    let locate = |finding: Diagnostic| match node {
        Some((front, node)) => front.locate(finding, path, node.span.clone()),
        None => finding.in_file(path).at(1, 1),
    };
    if chars == 0 {
        let finding = Diagnostic::error("frontmatter/description", "missing description")
            .hint("describe in one or two sentences what the skill does and when to use it");
        return Err(vec![locate(finding)]);
    }
    if chars > limits::DESCRIPTION_CHARS_LENIENT {
        let message = format!("the description is too long: {chars} characters (maximum {})", limits::DESCRIPTION_CHARS_LENIENT);
        let finding = Diagnostic::error("frontmatter/description-length", message).hint("move details into the body");
        return Err(vec![locate(finding)]);
    }
    if front.is_some_and(|front| front.text(&["description"]).is_none()) {
        let finding = Diagnostic::warning("frontmatter/description", "missing description in the frontmatter; another text is used")
            .hint("add a description: other agents reject this skill");
        diagnostics.push(locate(finding));
    }
    Ok(())
}

fn check_run(package: &Package, diagnostics: &mut Vec<Diagnostic>) {
    for (index, name) in package.run.iter().flatten().enumerate() {
        if !package.artifacts.iter().any(|artifact| artifact.name == *name) {
            let finding = Diagnostic::warning("skill-json/run", format!("the run plan contains {name:?}, which isn't an artifact"));
            let finding = finding.hint("use the name of an artifact, or remove it").in_file(SKILL_JSON);
            diagnostics.push(finding.pointer(format!("/run/{index}")));
        }
    }
}

/// Reports execute bits that a package can't represent.
fn report_modes(tree: &Tree, package: &Package, diagnostics: &mut Vec<Diagnostic>) {
    for (path, _) in tree.iter().filter(|(_, entry)| entry.executable) {
        let is_executable_kept =
            package.artifacts.iter().any(|artifact| artifact.path == *path) || package.files.iter().any(|file| file.path == *path);
        if !is_executable_kept {
            let finding = Diagnostic::info("folder/executable", format!("the execute bit of {path} isn't saved"));
            diagnostics.push(finding.hint("clear the execute bit").in_file(path));
        }
    }
}

struct Assembly<'a> {
    tree: &'a Tree,
    main_path: &'a SkillPath,
    body: &'a str,
    known: Option<&'a Package>,
    ids: &'a dyn IdSource,
    used: HashSet<ArtifactId>,
}

impl Assembly<'_> {
    fn parts(&mut self, values: &Values, text: &str) -> Result<(Vec<Artifact>, Vec<SkillFile>), Vec<Diagnostic>> {
        let entries: Vec<&json::ArtifactEntry> =
            values.entries.iter().filter(|entry| entry.path != *self.main_path || !self.body.is_empty()).collect();
        let errors = self.declaration_errors(&entries, text);
        if !errors.is_empty() {
            return Err(errors);
        }
        let mut artifacts = Vec::with_capacity(entries.len() + 1);
        let mut errors = Vec::new();
        for entry in &entries {
            match self.artifact(entry) {
                Ok(artifact) => artifacts.push(artifact),
                Err(more) => errors.extend(more),
            }
        }
        if !self.body.is_empty() && !entries.iter().any(|entry| entry.path == *self.main_path) {
            artifacts.push(self.overview(&entries));
        }
        self.identify(&mut artifacts, &entries);
        artifacts.sort_by(|a, b| (a.ordinal, &a.path).cmp(&(b.ordinal, &b.path)));
        errors.extend(rules::artifacts(&artifacts));
        if errors.is_empty() { Ok((artifacts, self.files(&entries))) } else { Err(errors) }
    }

    /// Errors in the declarations, which refuse the skill.
    fn declaration_errors(&self, entries: &[&json::ArtifactEntry], text: &str) -> Vec<Diagnostic> {
        let mut errors = Vec::new();
        let mut paths: HashSet<&SkillPath> = HashSet::new();
        let mut names: HashSet<(&str, Option<&str>)> = HashSet::new();
        let mut fail = |entry: &json::ArtifactEntry, rule: &str, message: String, hint: String| {
            let finding = Diagnostic::error(rule, message).hint(hint).in_file(SKILL_JSON);
            errors.push(finding.span(text, entry.span.clone()).pointer(format!("/artifacts/{}", entry.index)));
        };
        for entry in entries {
            if !names.insert((&entry.name, entry.variant.as_deref())) {
                let variant = entry.variant.as_ref().map(|variant| format!(" for {variant}")).unwrap_or_default();
                let message = format!("duplicate artifact name {:?}{variant}", entry.name);
                fail(entry, "skill-json/duplicate-name", message, "change the name or variant of one of them".to_owned());
            }
            for path in [Some(&entry.path), entry.state.as_ref()].into_iter().flatten() {
                if path.as_str() == SKILL_JSON || (path.is_skill_md() && Some(path) == entry.state.as_ref()) {
                    fail(entry, "skill-json/path", format!("{path} can't be an artifact"), "use another file".to_owned());
                } else if !paths.insert(path) {
                    fail(entry, "skill-json/duplicate-path", format!("{path} is declared twice"), "remove one of them".to_owned());
                } else if !self.tree.contains_key(path) {
                    let folded = path.folded();
                    let near = self.tree.keys().find(|known| known.folded() == folded);
                    let hint = near.map_or_else(|| "add the file, or remove the entry".to_owned(), |near| format!("did you mean {near}?"));
                    fail(entry, "skill-json/missing-file", format!("{path} is declared but not found"), hint);
                }
            }
            if entry.path == *self.main_path && entry.kind != ArtifactKind::Description {
                let message = format!("{} is declared as {}", entry.path, entry.kind);
                fail(entry, "skill-json/kind", message, "this file is always a description".to_owned());
            }
        }
        errors
    }

    fn artifact(&self, entry: &json::ArtifactEntry) -> Result<Artifact, Vec<Diagnostic>> {
        let file = self.tree.get(&entry.path);
        let content: Arc<str> = match file {
            _ if entry.path == *self.main_path => self.body.into(),
            Some(file) => text_of(file, &entry.path)?.into(),
            None => "".into(),
        };
        let state = match &entry.state {
            Some(path) => Some(self.state(path)?),
            None => None,
        };
        Ok(Artifact {
            id: entry.id.unwrap_or_else(no_id),
            path: entry.path.clone(),
            kind: entry.kind,
            name: entry.name.clone(),
            ordinal: entry.ordinal,
            content,
            variant: entry.variant.clone(),
            metadata: entry.metadata.clone(),
            state,
            executable: file.is_some_and(|file| file.executable),
        })
    }

    fn state(&self, path: &SkillPath) -> Result<State, Vec<Diagnostic>> {
        let bytes = self.tree.get(path).map(|entry| entry.bytes.clone()).unwrap_or_default();
        match serde_json::from_slice::<serde::de::IgnoredAny>(&bytes) {
            Ok(_) => Ok(State { path: path.clone(), bytes }),
            Err(error) => {
                let line = u32::try_from(error.line()).unwrap_or(1).max(1);
                let column = u32::try_from(error.column()).unwrap_or(1).max(1);
                let finding = Diagnostic::error("state/json", format!("invalid JSON in the state: {error}"));
                Err(vec![finding.hint("save the state of the module again").in_file(path).at(line, column)])
            }
        }
    }

    fn overview(&self, entries: &[&json::ArtifactEntry]) -> Artifact {
        let taken = entries.iter().filter(|entry| entry.variant.is_none()).map(|entry| entry.name.as_str());
        Artifact {
            id: no_id(),
            path: self.main_path.clone(),
            kind: ArtifactKind::Description,
            name: overview_name(&taken.collect()),
            ordinal: 0,
            content: self.body.into(),
            variant: None,
            metadata: serde_json::Map::new(),
            state: None,
            executable: self.tree.get(self.main_path).is_some_and(|entry| entry.executable),
        }
    }

    /// Assigns ids: as declared, else from the known artifact at the same path, else from the
    /// known artifact before a move, else a new one.
    fn identify(&mut self, artifacts: &mut [Artifact], entries: &[&json::ArtifactEntry]) {
        let mut pending = Vec::new();
        for (index, artifact) in artifacts.iter_mut().enumerate() {
            match entries.get(index).and_then(|entry| entry.id).filter(|id| self.used.insert(*id)) {
                Some(id) => artifact.id = id,
                None => pending.push(index),
            }
        }
        let known: &[Artifact] = self.known.map_or(&[], |package| &package.artifacts);
        pending.retain(|index| {
            let artifact = &mut artifacts[*index];
            let same = known.iter().find(|known| known.path == artifact.path && !self.used.contains(&known.id));
            self.adopt(artifact, same)
        });
        pending.retain(|index| {
            let artifact = &mut artifacts[*index];
            let moved = known.iter().find(|known| {
                known.kind == artifact.kind
                    && known.name == artifact.name
                    && known.variant == artifact.variant
                    && !self.tree.contains_key(&known.path)
                    && !self.used.contains(&known.id)
            });
            self.adopt(artifact, moved)
        });
        for index in pending {
            artifacts[index].id = self.ids.artifact();
        }
    }

    /// Returns whether an id is still missing.
    fn adopt(&mut self, artifact: &mut Artifact, known: Option<&Artifact>) -> bool {
        if let Some(known) = known {
            artifact.id = known.id;
            self.used.insert(known.id);
        }
        known.is_none()
    }

    fn files(&self, entries: &[&json::ArtifactEntry]) -> Vec<SkillFile> {
        let declared: HashSet<&SkillPath> = entries.iter().flat_map(|entry| [Some(&entry.path), entry.state.as_ref()]).flatten().collect();
        let own = |path: &SkillPath| path == self.main_path || path.as_str() == SKILL_JSON;
        let rest = self.tree.iter().filter(|(path, _)| !own(path) && !declared.contains(path));
        rest.map(|(path, entry)| SkillFile { path: path.clone(), entry: entry.clone() }).collect()
    }
}

/// Placeholder id: replaced by `identify`, never written.
pub(crate) const fn no_id() -> ArtifactId {
    ArtifactId::new(uuid::Uuid::nil())
}

/// "Overview", or the first of "Overview 2", … that is free.
pub(crate) fn overview_name(taken: &HashSet<&str>) -> String {
    let mut name = OVERVIEW.to_owned();
    let mut number = 2;
    while taken.contains(name.as_str()) {
        name = format!("{OVERVIEW} {number}");
        number += 1;
    }
    name
}
