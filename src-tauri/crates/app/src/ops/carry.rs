//! `file/copy`, `file/add`: files that come into a skill from itself, another skill or the disk.

use std::collections::BTreeMap;
use std::path::PathBuf;

use inklings_core::path::SKILL_JSON;
use inklings_core::skill::State;
use inklings_core::user::{DraftKey, DraftMove};
use inklings_core::{ArtifactKind, Diagnostic, Package, Scope, Skill, SkillFile, SkillPath, TreeFile};
use inklings_folder::disk;
use inklings_folder::{Declaration, taken_paths};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use crate::app::App;
use crate::features::draft::DraftMigration;
use crate::ops::artifact::{Moved, change, remove};
use crate::ops::structure::Left;
use crate::ops::{draft_key, unlocked};
use crate::wire::SkillDetail;
use inklings_rpc::{CallContext, Code, Failure, operations};

/// What to do where a file of that name is there already.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Clash {
    /// Nothing is stored; the failure's `paths` say which they are.
    #[default]
    Refuse,
    /// The new one takes its place.
    Replace,
    /// The new one gets another name.
    Both,
    /// The new one is left out.
    Skip,
}

/// A file on its way into a package.
struct Incoming {
    from: Option<SkillPath>,
    to: SkillPath,
    entry: TreeFile,
    artifact: Option<Declared>,
}

impl Incoming {
    fn placed(&self, to: SkillPath) -> Moved {
        Moved { from: self.from.clone().unwrap_or_else(|| self.to.clone()), to }
    }
}

/// How it was declared where it comes from.
#[derive(Clone)]
struct Declared {
    kind: ArtifactKind,
    name: String,
    variant: Option<String>,
    metadata: Map<String, Value>,
    state: Option<State>,
}

/// Puts files into a package and says where each came to be.
fn put(app: &App, package: &mut Package, incoming: &[Incoming], clash: Clash) -> Result<Vec<Moved>, Failure> {
    let meets =
        |known: &str, wanted: &str| known == wanted || wanted.starts_with(&format!("{known}/")) || known.starts_with(&format!("{wanted}/"));
    let mut taken: Vec<String> = taken_paths(package).iter().map(SkillPath::folded).collect();
    if clash == Clash::Refuse {
        let there: Vec<&SkillPath> =
            incoming.iter().map(|one| &one.to).filter(|to| taken.iter().any(|known| meets(known, &to.folded()))).collect();
        if let [first, rest @ ..] = there.as_slice() {
            let more = if rest.is_empty() { String::new() } else { format!(" and {} more", rest.len()) };
            return Err(Failure::new(Code::Exists, format!("{first}{more} exists already"))
                .hint("replace, keep both, or leave them out")
                .fields(json!({ "paths": there })));
        }
    }
    let mut placed = Vec::new();
    for one in incoming {
        let wanted = one.to.folded();
        let to = match clash {
            _ if !taken.iter().any(|known| meets(known, &wanted)) => one.to.clone(),
            Clash::Refuse => return Err(Failure::new(Code::Exists, format!("{} comes twice", one.to))),
            Clash::Skip => continue,
            Clash::Both => free(&one.to, |path| taken.iter().any(|known| meets(known, path)))?,
            Clash::Replace => {
                replace(package, one)?;
                placed.push(one.placed(one.to.clone()));
                continue;
            }
        };
        taken.push(to.folded());
        package.files.push(SkillFile { path: to.clone(), entry: one.entry.clone() });
        package.files.sort_by(|a, b| a.path.cmp(&b.path));
        if let Some(declared) = &one.artifact {
            declare(app, package, &to, declared.clone())?;
            taken = taken_paths(package).iter().map(SkillPath::folded).collect();
        }
        placed.push(one.placed(to));
    }
    Ok(placed)
}

/// Gives the file of the same path, in whatever case, the new content. What it is declared as stays.
fn replace(package: &mut Package, one: &Incoming) -> Result<(), Failure> {
    let wanted = one.to.folded();
    if one.to.folded() == package.main_path.folded() || wanted == SKILL_JSON {
        return Err(Failure::invalid(format!("{} can't be replaced by a file: it is what makes the folder a skill", one.to))
            .hint("import the folder that it is from, or edit it"));
    }
    if let Some(file) = package.files.iter_mut().find(|file| file.path.folded() == wanted) {
        file.entry = one.entry.clone();
        return Ok(());
    }
    if let Some(artifact) = package.artifacts.iter_mut().find(|artifact| artifact.path.folded() == wanted) {
        let text = one.entry.text().filter(|text| !text.contains('\0'));
        let text = text.ok_or_else(|| Failure::invalid(format!("{} is an artifact: only text can take its place", one.to)))?;
        artifact.content = text.into();
        artifact.executable = one.entry.executable;
        return Ok(());
    }
    let state = package.artifacts.iter_mut().filter_map(|artifact| artifact.state.as_mut()).find(|state| state.path.folded() == wanted);
    match state {
        Some(state) => {
            state.bytes = one.entry.bytes.clone();
            Ok(())
        }
        None => Err(Failure::new(Code::Exists, format!("{} is in the way of a folder of that name, or the other way round", one.to))
            .hint("keep both, or leave it out")),
    }
}

/// `name-copy.md`, `name-copy-2.md`, … until one is free.
fn free(path: &SkillPath, is_taken: impl Fn(&str) -> bool) -> Result<SkillPath, Failure> {
    let (folder, name) =
        path.as_str().rsplit_once('/').map_or(("", path.as_str()), |(_, name)| (&path.as_str()[..path.as_str().len() - name.len()], name));
    let (stem, ending) = name.char_indices().skip(1).find(|(_, ch)| *ch == '.').map_or((name, ""), |(at, _)| name.split_at(at));
    for number in 1.. {
        let mark = if number == 1 { "copy".to_owned() } else { format!("copy-{number}") };
        let wanted = SkillPath::parse(&format!("{folder}{stem}-{mark}{ending}")).map_err(|error| Failure::invalid(error.to_string()))?;
        if !is_taken(&wanted.folded()) {
            return Ok(wanted);
        }
    }
    Err(Failure::invalid(format!("there is no free name for {path}")))
}

/// Declares a file as what it was elsewhere, under a name that is free here.
fn declare(app: &App, package: &mut Package, path: &SkillPath, declared: Declared) -> Result<(), Failure> {
    let Declared { kind, name, variant, metadata, state } = declared;
    let is_taken = |wanted: &str| package.artifacts.iter().any(|known| known.name == wanted && known.variant == variant);
    let names = (1..).map(|number| match number {
        1 => format!("{name} copy"),
        number => format!("{name} copy {number}"),
    });
    let free = std::iter::once(name.clone()).chain(names).find(|wanted| !is_taken(wanted)).unwrap_or(name);
    let state = match state {
        Some(state) => {
            let taken = taken_paths(package);
            let clashes = taken.iter().any(|known| known.folded() == state.path.folded());
            let path =
                if clashes { inklings_folder::default_state_path(&free, &taken.iter().collect::<Vec<_>>()) } else { state.path.clone() };
            Some(State { path, ..state })
        }
        None => None,
    };
    app.folder.declare(package, Declaration { path: path.clone(), kind, name: free, variant })?;
    if let Some(artifact) = package.artifacts.iter_mut().find(|artifact| artifact.path == *path) {
        artifact.metadata = metadata;
        artifact.state = state;
    }
    Ok(())
}

/// The files of a skill as they go to their new places. A module's state goes along.
fn leaving(skill: &Skill, files: &[Moved]) -> Result<Vec<Incoming>, Failure> {
    let (package, tree) = (&skill.package, skill.package.tree());
    let mut all = Vec::with_capacity(files.len());
    for one in files {
        if one.from == package.main_path || one.from.as_str() == SKILL_JSON {
            return Err(Failure::invalid(format!("{} belongs to its skill", one.from)).hint("duplicate or move the skill instead"));
        }
        let artifact = package.artifacts.iter().find(|artifact| artifact.path == one.from);
        let entry = tree.get(&one.from).cloned();
        let entry = entry.ok_or_else(|| Failure::new(Code::NotFound, format!("there is no file {} in this skill", one.from)))?;
        all.push(Incoming {
            from: Some(one.from.clone()),
            to: one.to.clone(),
            entry,
            artifact: artifact.map(|artifact| Declared {
                kind: artifact.kind,
                name: artifact.name.clone(),
                variant: artifact.variant.clone(),
                metadata: artifact.metadata.clone(),
                // Where the state itself is asked for, its new place is known.
                state: artifact.state.clone().map(|state| {
                    let wanted = files.iter().find(|other| other.from == state.path).map(|other| other.to.clone());
                    State { path: wanted.unwrap_or_else(|| beside(&one.to, &state.path)), ..state }
                }),
            }),
        });
    }
    let along: Vec<SkillPath> =
        all.iter().filter_map(|one| one.artifact.as_ref()?.state.as_ref()).map(|state| state.path.clone()).collect();
    // A state that its module brings isn't a file of its own as well.
    all.retain(|one| one.artifact.is_some() || !along.contains(&one.to));
    Ok(all)
}

/// A state's name in the folder that its module goes to.
fn beside(module: &SkillPath, state: &SkillPath) -> SkillPath {
    let name = state.as_str().rsplit('/').next().unwrap_or_default();
    let folder = module.as_str().rsplit_once('/').map(|(folder, _)| format!("{folder}/")).unwrap_or_default();
    SkillPath::parse(&format!("{folder}{name}")).unwrap_or_else(|_| state.clone())
}

/// Files that are copied or moved into a skill.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CopyParams {
    /// The skill that has them: id, slug or title.
    pub skill: String,
    /// Scope to look in; the merged winner without one.
    #[serde(default)]
    pub scope: Option<Scope>,
    /// The skill that gets them; the same one without it.
    #[serde(default)]
    pub to_skill: Option<String>,
    /// Scope to look in for that one.
    #[serde(default)]
    pub to_scope: Option<Scope>,
    /// The files and their new paths, all or none.
    pub files: Vec<Moved>,
    /// Take them from the skill that had them, once they have arrived.
    #[serde(default)]
    pub remove: bool,
    /// What to do where a file of that name is there already.
    #[serde(default)]
    pub clash: Clash,
}

/// A skill that got files.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct Arrived {
    /// The skill.
    pub skill: SkillDetail,
    /// Its revision before.
    pub before: i64,
    /// The files that came, and where each is.
    pub files: Vec<Moved>,
    /// The skill that they were taken from.
    pub source: Option<SkillDetail>,
    /// Its revision before.
    pub source_before: Option<i64>,
    /// Why they are still there although they should go.
    pub left: Option<Left>,
    /// What was odd.
    pub diagnostics: Vec<Diagnostic>,
}

fn copy(app: &App, cx: &CallContext, params: CopyParams) -> Result<Arrived, Failure> {
    let catalog = app.catalog(cx)?;
    let source = catalog.require(&params.skill, params.scope)?;
    let target = match &params.to_skill {
        Some(name) => catalog.require(name, params.to_scope)?,
        None => source.clone(),
    };
    let same = (target.head.scope, target.head.id) == (source.head.scope, source.head.id);
    if params.remove && same {
        return Err(Failure::invalid("the files are in this skill already").hint("rename them instead"));
    }
    if params.remove {
        // Refused before anything is copied.
        unlocked(&source)?;
    }
    let incoming = leaving(&source, &params.files)?;
    let what = count(params.files.len());
    let why = if same { format!("duplicated {what}") } else { format!("copied {what} from {}", source.package.slug) };
    let mut arrived = bring(app, cx, &target, &incoming, params.clash, &why)?;
    if !params.remove || arrived.files.is_empty() {
        return Ok(arrived);
    }
    let paths: Vec<SkillPath> = arrived.files.iter().map(|one| one.from.clone()).collect();
    let why = format!("moved {} to {}", count(paths.len()), target.package.slug);
    let id = source.head.id.to_string();
    // The files have arrived: that the drafts or the originals didn't follow is told beside it.
    let drafts = match DraftMigration::begin(app.user.as_ref(), draft_moves(cx, &source, &arrived)) {
        Ok(drafts) => drafts,
        Err(failure) => {
            arrived.left = Some(Failure::from(failure).into());
            return Ok(arrived);
        }
    };
    match change(app, cx, &id, Some(source.head.scope), &why, |package| paths.iter().try_for_each(|path| gone(package, path))) {
        Ok(result) => {
            drafts.commit();
            arrived.source_before = Some(result.before);
            arrived.source = Some(result.skill);
        }
        Err(failure) => {
            drafts.roll_back();
            arrived.left = Some(failure.into());
        }
    }
    Ok(arrived)
}

/// A module takes its state away with it, so a state that was asked for too may be gone already.
fn gone(package: &mut Package, path: &SkillPath) -> Result<(), Failure> {
    if taken_paths(package).contains(path) { remove(package, path) } else { Ok(()) }
}

fn count(files: usize) -> String {
    if files == 1 { "1 file".to_owned() } else { format!("{files} files") }
}

/// Where the drafts of files that move to another skill go. There they count as typed on the files that arrived.
fn draft_moves(cx: &CallContext, source: &Skill, arrived: &Arrived) -> Vec<DraftMove> {
    let target = &arrived.skill;
    let key = |scope, skill, path: &SkillPath| DraftKey { workspace: draft_key(cx, scope), skill, path: path.clone() };
    let hash = |path: &SkillPath| target.entries.iter().find(|entry| entry.path == *path).map(|entry| entry.sha256);
    let moves = arrived.files.iter().map(|one| DraftMove {
        from: key(source.head.scope, source.head.id, &one.from),
        to: key(target.summary.scope, target.summary.id, &one.to),
        base: Some((target.summary.revision, hash(&one.to))),
    });
    moves.collect()
}

fn bring(app: &App, cx: &CallContext, target: &Skill, incoming: &[Incoming], clash: Clash, why: &str) -> Result<Arrived, Failure> {
    let mut files = Vec::new();
    let id = target.head.id.to_string();
    let result = change(app, cx, &id, Some(target.head.scope), why, |package| {
        files = put(app, package, incoming, clash)?;
        Ok(())
    })?;
    Ok(Arrived {
        before: result.before,
        skill: result.skill,
        files,
        source: None,
        source_before: None,
        left: None,
        diagnostics: result.diagnostics,
    })
}

/// Files and folders of the disk that become files of a skill.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct AddParams {
    /// Id, slug or title.
    pub skill: String,
    /// Scope to look in; the merged winner without one.
    #[serde(default)]
    pub scope: Option<Scope>,
    /// Folder of the skill that they come into; its top without one.
    #[serde(default)]
    pub folder: Option<SkillPath>,
    /// Files and folders, absolute; all or none.
    pub paths: Vec<PathBuf>,
    /// What to do where a file of that name is there already.
    #[serde(default)]
    pub clash: Clash,
}

fn add(app: &App, cx: &CallContext, params: AddParams) -> Result<Arrived, Failure> {
    let target = app.catalog(cx)?.require(&params.skill, params.scope)?;
    unlocked(&target)?;
    if let Some(path) = params.paths.iter().find(|path| !path.is_absolute()) {
        return Err(Failure::invalid(format!("{} is not absolute", path.display())).hint("give the whole path"));
    }
    let (tree, findings) = disk::read_some(&params.paths)?;
    if findings.iter().any(Diagnostic::is_error) {
        return Err(Failure::diagnostics(findings));
    }
    let mut by_path = BTreeMap::new();
    for (path, entry) in tree {
        let wanted = match &params.folder {
            Some(folder) => SkillPath::parse(&format!("{folder}/{path}")).map_err(|error| Failure::invalid(error.to_string()))?,
            None => path,
        };
        by_path.insert(wanted, entry);
    }
    if by_path.is_empty() {
        return Err(Failure::invalid("there is no file in what was given").hint("empty folders are not kept"));
    }
    let why = format!("added {} from the disk", count(by_path.len()));
    let incoming: Vec<_> = by_path.into_iter().map(|(to, entry)| Incoming { from: None, to, entry, artifact: None }).collect();
    let mut arrived = bring(app, cx, &target, &incoming, params.clash, &why)?;
    arrived.diagnostics.extend(findings);
    Ok(arrived)
}

operations! { App;
    CopyFiles = "file/copy", Write["skill", "draft"], blocking copy(CopyParams) -> Arrived;
    AddFiles = "file/add", Write["skill"], blocking add(AddParams) -> Arrived;
}
