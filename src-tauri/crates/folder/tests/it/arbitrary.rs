//! Random packages, and random folders as written by people.

use std::collections::BTreeSet;

use inklings_core::id::ArtifactId;
use inklings_core::kind::ArtifactKind;
use inklings_core::name::Slug;
use inklings_core::path::SkillPath;
use inklings_core::skill::{Artifact, Package, Relation, RelationKind, SkillFile, SkillStep, State};
use inklings_core::tree::{Tree, TreeFile};
use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;
use proptest::sample::select;
use serde_json::{Map, Value, json};

/// A line of text with characters that are special in YAML or JSON.
pub(crate) fn line() -> impl Strategy<Value = String> {
    prop_oneof![
        4 => "[a-zA-Z][a-zA-Z ,.]{0,30}",
        2 => "[a-z:#'\" \\\\\\[\\]{}&*!|>%@`~-]{1,16}",
        1 => "\\PC{1,12}",
        1 => "[\u{0}-\u{7}\t\r\n\u{85}\u{2028}\u{feff}a-c]{1,8}".prop_map(|text| text.replace('\0', "")),
        1 => select(vec!["null", "~", "true", "1.0", "0x1F", "- a", "a: b", "a #b", "2026-01-01", "---", "=", "<<"]).prop_map(str::to_owned),
    ]
}

fn present(text: impl Strategy<Value = String>) -> impl Strategy<Value = String> {
    text.prop_filter("has a word", |text| !text.trim().is_empty())
}

fn slug() -> impl Strategy<Value = Slug> {
    prop_oneof!["[a-z][a-z0-9]{0,6}(-[a-z0-9]{1,4}){0,2}", "[0-9]{1,3}", Just("größe-技能".to_owned()), Just("null".to_owned())]
        .prop_map(|text| Slug::parse(&text).unwrap())
}

fn value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<u64>().prop_map(Value::from),
        any::<f64>().prop_filter("finite", |float| float.is_finite()).prop_map(Value::from),
        "\\PC{0,8}|[\n\r\t\u{1}\"\\\\/]{1,4}".prop_map(Value::from),
    ];
    leaf.prop_recursive(3, 12, 4, |inner| prop_oneof![vec(inner.clone(), 0..4).prop_map(Value::from), map(inner).prop_map(Value::Object)])
}

fn map(value: impl Strategy<Value = Value>) -> impl Strategy<Value = Map<String, Value>> {
    vec(("[a-z]{1,4}|\\PC{0,4}", value), 0..4).prop_map(|pairs| pairs.into_iter().collect())
}

fn step() -> impl Strategy<Value = SkillStep> {
    (1..9_u32, line(), line(), option::of(line()), option::of(map(value())))
        .prop_map(|(step, action, description, tool, params)| SkillStep { step, action, description, tool, params })
}

fn relation() -> impl Strategy<Value = Relation> {
    (any::<bool>(), "[a-z]{1,3}").prop_map(|(depends, target)| Relation {
        kind: if depends { RelationKind::DependsOn } else { RelationKind::ConflictsWith },
        target,
    })
}

/// The body of a `SKILL.md`.
pub(crate) fn body() -> impl Strategy<Value = String> {
    prop_oneof![
        1 => Just(String::new()),
        3 => "(\r?\n)?# [A-Z][a-z]{2,8}(\r?\n){1,2}[A-Z][a-z ]{1,20}\\.(\r?\n)?",
        1 => Just("---\nname: not frontmatter\n---\nbody\n".to_owned()),
        1 => Just("\u{feff}---\n".to_owned()),
        1 => Just("## Steps\n1. **One** — use my_tool\n2. Two\n".to_owned()),
        1 => "\\PC{0,20}".prop_map(|text| text.replace('\0', "")),
    ]
}

const NAMES: [&str; 6] = ["prompts/a.j2", "scripts/Ümlaut 技.py", "dspy/m.json", "approach/x.md", "examples/e.json", "deep/er/SKILL.md"];
const KINDS: [ArtifactKind; 6] = ArtifactKind::ALL;

fn artifact(index: usize) -> impl Strategy<Value = Artifact> {
    let variant = option::of(select(vec!["anthropic", "openai.gpt-6", "default"]));
    let name = present(line());
    let state = option::weighted(0.3, value());
    (name, -3..9_i64, body(), variant, map(value()), state, any::<bool>()).prop_map(
        move |(name, ordinal, content, variant, metadata, state, executable)| Artifact {
            id: ArtifactId::new(uuid::Uuid::from_u64_pair(7, index as u64)),
            path: SkillPath::parse(NAMES[index]).unwrap(),
            kind: KINDS[index % KINDS.len()],
            name: format!("{name} {index}"),
            ordinal,
            content: content.into(),
            variant: variant.map(str::to_owned),
            metadata,
            state: state.map(|state| State {
                path: SkillPath::parse(&format!("state/{index}.state.json")).unwrap(),
                bytes: format!(" {state}\r\n").into_bytes().into(),
            }),
            executable,
        },
    )
}

fn artifacts() -> impl Strategy<Value = Vec<Artifact>> {
    let all: Vec<_> = (0..NAMES.len()).map(|index| option::weighted(0.3, artifact(index))).collect();
    let main = option::weighted(0.8, (artifact(0), any::<bool>()));
    (all, main).prop_map(|(all, main)| {
        let mut artifacts: Vec<Artifact> = all.into_iter().flatten().collect();
        artifacts.extend(main.map(|(mut main, plain)| {
            main.id = ArtifactId::new(uuid::Uuid::from_u64_pair(7, 99));
            main.path = inklings_core::skill::skill_md();
            main.kind = ArtifactKind::Description;
            main.state = None;
            main.name.push_str(" main");
            if plain {
                (main.name, main.ordinal, main.variant, main.metadata) = ("Overview".to_owned(), 0, None, Map::new());
            }
            main
        }));
        artifacts
    })
}

/// Plain files: any bytes at any path.
pub(crate) fn files() -> impl Strategy<Value = Vec<SkillFile>> {
    let name = prop_oneof!["[a-z]{1,3}(\\.[a-z]{1,2})?", "[a-zé技ı ]{1,3}x"];
    let file = (prop_oneof![Just("references/"), Just("assets/"), Just("")], name, vec(any::<u8>(), 0..20), any::<bool>());
    vec(file, 0..4).prop_map(|files| {
        let mut seen = BTreeSet::new();
        let parsed = files.into_iter().filter_map(|(folder, name, bytes, executable)| {
            let path = SkillPath::parse(&format!("{folder}f-{name}")).ok()?;
            seen.insert(path.folded()).then(|| SkillFile { path, entry: TreeFile { bytes: bytes.into(), executable } })
        });
        parsed.collect()
    })
}

prop_compose! {
    /// A package built from values, without sources.
    pub(crate) fn bare_package()(
        slug in slug(),
        name in prop_oneof![present(line()), Just("Data Analysis".to_owned())],
        description in present(line()),
        version in prop_oneof![Just("1.0.0".to_owned()), line()],
        author in option::of(line()),
        tags in vec(line(), 0..3),
        category in prop_oneof![Just("general".to_owned()), line()],
        (triggers, intent_patterns) in (vec(line(), 0..3), vec(line(), 0..3)),
        (when_not_to_use, user_invocable) in (option::of(line()), any::<bool>()),
        steps in vec(step(), 0..3),
        relations in vec(relation(), 0..4),
        metadata in map(value()),
        run in option::weighted(0.3, vec(line(), 0..3)),
        artifacts in artifacts(),
        files in files(),
    ) -> Package {
        let mut package = Package::new(slug, name, description);
        Package { version, author, tags, category, triggers, intent_patterns, when_not_to_use, user_invocable, steps, relations, metadata, run, artifacts, files, ..{ package.steps.clear(); package } }
    }
}

/// One key of frontmatter in some style, without its line end.
fn styled(key: &'static str, text: impl Strategy<Value = String>) -> impl Strategy<Value = String> {
    (text, 0..6_u8, select(vec!["", " # note", "  "])).prop_map(move |(text, style, tail)| match style {
        0 | 1 => format!("{key}: {text}{tail}"),
        2 => format!("{key}: '{}'{tail}", text.replace('\'', "''")),
        3 => format!("{key}:   \"{text}\"{tail}"),
        4 => format!("{key}: >-{tail}\n    {text}\n    second line\n"),
        _ => format!("{key}: |{tail}\n  {text}\n\n  third line"),
    })
}

fn word() -> impl Strategy<Value = String> {
    "[A-Za-z][a-z]{1,8}( [a-z]{1,6}){0,4}"
}

/// Frontmatter as people write it, delimiters included.
pub(crate) fn frontmatter() -> impl Strategy<Value = String> {
    let name = prop_oneof![
        3 => select(vec!["my-skill", "other-skill", "'my-skill'"]).prop_map(str::to_owned),
        1 => select(vec!["My Skill", "MY_SKILL", "技能", "\"1.0\""]).prop_map(str::to_owned),
    ];
    let version = select(vec!["version: 1.0", "version: \"2.1.0\"", "version:", "version: 3 # c"]).prop_map(str::to_owned);
    let author = prop_oneof![
        styled("author", word()),
        Just("author: {name: Ann, mail: a@b.c}".to_owned()),
        Just("author:\n  name: Bo\n  # c\n".to_owned())
    ];
    let tags =
        select(vec!["tags: [a, \"b c\"]", "tags: a, b", "tags:\n  - one\n  - 'two'", "tags:\n- x # c", "tags: []"]).prop_map(str::to_owned);
    let metadata = select(vec![
        "metadata:\n  author: Me\n  version: '0.1'\n  nested:\n    deep: [1, {a: b}]",
        "metadata: {version: 9, tags: \"q, r\"}",
        "metadata:\n    # only\n    tags: [t]",
    ])
    .prop_map(str::to_owned);
    let diagnostics = select(vec![
        "x-unknown: &a [1, 2]\ny: *a",
        "# a comment",
        "",
        "license: Apache-2.0",
        "allowed-tools: Read Write",
        "hooks:\n    - {event: x}\n\n",
        "\"quoted key\": 1",
        "trigger_pattern: do it now",
    ])
    .prop_map(str::to_owned);
    let keys = (
        name.prop_map(|name| format!("name: {name}")),
        styled("description", word()),
        option::weighted(0.3, version),
        option::weighted(0.3, author),
        option::weighted(0.3, tags),
        option::weighted(0.4, metadata),
        vec(diagnostics, 0..3),
        any::<u64>(),
    );
    let lines = keys.prop_map(|(name, description, version, author, tags, metadata, mut diagnostics, order)| {
        diagnostics.sort();
        diagnostics.dedup();
        let mut keys: Vec<String> =
            [Some(name), Some(description), version, author, tags, metadata].into_iter().flatten().chain(diagnostics).collect();
        let turn = usize::try_from(order % keys.len() as u64).unwrap();
        keys.rotate_left(turn);
        keys.join("\n")
    });
    (lines, any::<bool>(), any::<bool>(), select(vec!["---\n", "--- \n"])).prop_map(|(lines, crlf, mark, delimiter)| {
        let text = format!("{}{delimiter}{lines}\n---\n", if mark { "\u{feff}" } else { "" });
        if crlf { text.replace('\n', "\r\n") } else { text }
    })
}

/// `skill.json` as people write it, declaring `prompts/a.j2` and `dspy/m.json` where it says so.
fn skill_json() -> impl Strategy<Value = (String, bool)> {
    let keys = select(vec![
        "\"title\": \"A  title\"",
        "\"category\": \"x\"",
        "\"x\": {\"y\" : [1,2 ]}",
        "\"triggers\": [\"a\",\n\"b\"]",
        "\"metadata\": {\"manifest\": {\"version\": 1}, \"n\": 1.50}",
        "\"run\": [\"P\"]",
        "\"id\": \"550e8400-e29b-41d4-a716-446655440000\"",
        "\"user_invocable\":false",
        "\"relations\": {\"depends_on\": [\"a\"], \"more\": 1}",
        "\"steps\": [{\"action\": \"go\", \"extra\": true}]",
        "\"tags\": [\"j\"]",
        "\"when_not_to_use\": null",
    ]);
    let artifacts = "\"artifacts\": [\n  {\"path\": \"prompts/a.j2\", \"kind\": \"prompt_template\", \"name\": \"P\", \"ordinal\": 2, \"own\": {}}, // first\n  {\n\"path\" : \"dspy/m.json\", \"kind\":\"dspy_module\", \"name\": \"M\", \"metadata\": {\"fallback_artifact\": \"P\"},\n\"state\": \"dspy/m.state.json\"}\n]";
    (proptest::collection::btree_set(keys, 0..5), any::<bool>(), any::<bool>(), 0..5_u8).prop_map(move |(keys, declares, crlf, tail)| {
        let mut parts: Vec<&str> = keys.into_iter().collect();
        if declares {
            parts.insert(parts.len() / 2, artifacts);
        }
        let comma = if tail == 0 && !parts.is_empty() { "," } else { "" };
        let text = format!("{{ // note\n\t{}{comma}\n}}{}", parts.join(",\n\t"), if tail == 1 { "" } else { "\n" });
        let text = if crlf { text.replace('\n', "\r\n") } else { text };
        (if tail == 2 { format!("\u{feff}{text}") } else { text }, declares)
    })
}

/// A skill's folder as people write it.
pub(crate) fn written_tree() -> impl Strategy<Value = Tree> {
    (option::weighted(0.95, frontmatter()), body(), option::weighted(0.5, skill_json()), files(), any::<bool>()).prop_map(
        |(frontmatter, body, skill_json, files, lower)| {
            let mut tree: Tree = files.into_iter().map(|file| (file.path, file.entry)).collect();
            let body = if frontmatter.is_none() { format!("Some words.\n{body}") } else { body };
            let text = frontmatter.unwrap_or_default() + &body;
            let mut put = |name: &str, bytes: &str| tree.insert(SkillPath::parse(name).unwrap(), TreeFile::new(bytes.as_bytes()));
            put(if lower { "skill.md" } else { "SKILL.md" }, &text);
            if let Some((text, declares)) = skill_json {
                put("skill.json", &text);
                if declares {
                    put("prompts/a.j2", "{{ x }}\r\n");
                    put("dspy/m.json", "{}");
                    put("dspy/m.state.json", " {\"demos\": []}\n");
                }
            }
            tree
        },
    )
}

/// A change of one value.
#[derive(Debug, Clone)]
pub(crate) enum Change {
    Slug(Slug),
    Name(String),
    Description(String),
    Version(String),
    Author(Option<String>),
    Tags(Vec<String>),
    Triggers(Vec<String>),
    Metadata(Map<String, Value>),
    Steps(Vec<SkillStep>),
    Relations(Vec<Relation>),
    Category(String),
    Body(String),
    Ordinal(i64),
    Rename(String),
    Move,
    DropFirst,
    AddArtifact(Box<Artifact>),
}

pub(crate) fn change() -> impl Strategy<Value = Change> {
    prop_oneof![
        1 => slug().prop_map(Change::Slug),
        1 => present(line()).prop_map(Change::Name),
        3 => present(line()).prop_map(Change::Description),
        1 => line().prop_map(Change::Version),
        2 => option::of(line()).prop_map(Change::Author),
        2 => vec(line(), 0..3).prop_map(Change::Tags),
        1 => vec(line(), 0..3).prop_map(Change::Triggers),
        1 => prop_oneof![map(value()), Just(serde_json::from_value(json!({"manifest": {"version": 1}, "n": 2})).unwrap())].prop_map(Change::Metadata),
        1 => vec(step(), 0..3).prop_map(Change::Steps),
        1 => vec(relation(), 0..3).prop_map(Change::Relations),
        1 => line().prop_map(Change::Category),
        2 => body().prop_map(Change::Body),
        1 => (-3..9_i64).prop_map(Change::Ordinal),
        1 => present(line()).prop_map(Change::Rename),
        1 => Just(Change::Move),
        1 => Just(Change::DropFirst),
        1 => artifact(3).prop_map(|artifact| Change::AddArtifact(Box::new(artifact))),
    ]
}

impl Change {
    pub(crate) fn apply(self, package: &mut Package) {
        let main = package.main_path.clone();
        let mut first = package.artifacts.iter_mut().find(|artifact| artifact.path != main);
        match self {
            Self::Slug(slug) => package.slug = slug,
            Self::Name(name) => package.name = name,
            Self::Description(description) => package.description = description,
            Self::Version(version) => package.version = version,
            Self::Author(author) => package.author = author,
            Self::Tags(tags) => package.tags = tags,
            Self::Triggers(triggers) => package.triggers = triggers,
            Self::Metadata(metadata) => package.metadata = metadata,
            Self::Steps(steps) => package.steps = steps,
            Self::Relations(relations) => package.relations = relations,
            Self::Category(category) => package.category = category,
            Self::Body(body) => {
                if let Some(artifact) = package.artifacts.iter_mut().find(|artifact| artifact.path == main) {
                    artifact.content = body.into();
                }
            }
            Self::Ordinal(ordinal) => first.iter_mut().for_each(|artifact| artifact.ordinal = ordinal),
            Self::Rename(name) => first.iter_mut().for_each(|artifact| artifact.name = format!("{name} renamed")),
            Self::Move => first.iter_mut().for_each(|artifact| artifact.path = SkillPath::parse("moved/here.txt").unwrap()),
            Self::DropFirst => drop((!package.artifacts.is_empty()).then(|| package.artifacts.remove(0))),
            Self::AddArtifact(artifact) => {
                package.artifacts.retain(|known| known.path != artifact.path && known.id != artifact.id);
                package.artifacts.push(*artifact);
            }
        }
    }
}
