//! Examples for an optimization, from JSON Lines or earlier runs, and their split into trainset and valset.

use std::path::Path;

use inklings_core::program::ProgramExample;
use inklings_core::trace::TraceFilter;
use inklings_core::{Artifact, Diagnostic, Digest, Severity, Skill, StorageError, TraceStatus};
use inklings_folder::{DiskError, disk};
use inklings_lint::signature::Signature;
use inklings_runtime::SkillError;
use inklings_runtime::program::Content;
use serde_json::{Map, Value};

use super::api::{ExampleSource, MAX_FILE_BYTES};
use super::error::OptimizeError;
use crate::features::trace::service::{Example, TraceStores, examples};

const MAX_TRACES: usize = 5_000;
const MAX_EXAMPLES: usize = 5_000;
/// Faulty lines that are reported one by one.
const MAX_DIAGNOSTICS: usize = 50;

/// Examples, and the diagnostics of what was skipped.
#[derive(Debug, Default)]
pub(crate) struct ExampleSet {
    pub(crate) examples: Vec<ProgramExample>,
    pub(crate) diagnostics: Vec<Diagnostic>,
}

pub(crate) fn gather_examples(
    stores: &TraceStores,
    skill: &Skill,
    artifact: &Artifact,
    source: &ExampleSource,
) -> Result<ExampleSet, OptimizeError> {
    let failed = |error| SkillError::Program { artifact: artifact.name.clone(), error };
    let signature = Content::of(artifact).map_err(failed)?.signature;
    match source {
        ExampleSource::Lines { text } => Ok(from_lines(text, "lines", &signature)),
        ExampleSource::File { path } => Ok(from_lines(&read_examples_file(path)?, &path.display().to_string(), &signature)),
        ExampleSource::Traces => {
            let mut found = ExampleSet::default();
            for one in traced_examples(stores, skill, artifact)? {
                let mut value = serde_json::json!({ "inputs": one.inputs });
                if one.ok != Some(false) {
                    value["output"] = one.output;
                }
                // Runs before a change of the signature aren't examples.
                if let Ok(example) = example(&value, &signature) {
                    found.examples.push(example);
                }
            }
            found.examples.truncate(MAX_EXAMPLES);
            Ok(found)
        }
    }
}

fn read_examples_file(path: &Path) -> Result<String, OptimizeError> {
    let bytes = disk::read_file(path, MAX_FILE_BYTES).map_err(|error| match error {
        DiskError::NotASkill(path) => OptimizeError::NotAFile(path),
        DiskError::TooLarge { path, .. } => OptimizeError::FileTooLarge(path),
        error => OptimizeError::FileUnreadable(error),
    })?;
    String::from_utf8(bytes).map_err(|_| OptimizeError::FileNotUtf8(path.to_owned()))
}

/// Examples among the runs of the artifact and of its fallback.
fn traced_examples(stores: &TraceStores, skill: &Skill, artifact: &Artifact) -> Result<Vec<Example>, StorageError> {
    let fallback = artifact.metadata.get("fallback_artifact").and_then(Value::as_str);
    let paths: Vec<_> = skill
        .package
        .artifacts
        .iter()
        .filter(|one| one.path == artifact.path || fallback == Some(&one.name))
        .map(|one| &one.path)
        .collect();
    let filter = TraceFilter {
        skill: Some(skill.package.slug.to_string()),
        status: vec![TraceStatus::Ok, TraceStatus::Error],
        ..TraceFilter::default()
    };
    let mut all = Vec::new();
    for store in &stores.all {
        let mut traces = store.traces(&filter, None, MAX_TRACES)?.items;
        traces.reverse();
        all.extend(examples(store.as_ref(), &traces)?);
    }
    all.retain(|one| paths.contains(&&one.artifact));
    Ok(all)
}

/// Reads lines of JSON. Each is `{"inputs": {…}, "outputs": {…}}`, or an object with the signature's fields, or a line of a trace
/// export for DSPy (`inputs` and `output`). Lines that aren't examples are reported and skipped.
fn from_lines(text: &str, file: &str, signature: &Signature) -> ExampleSet {
    let mut found = ExampleSet::default();
    let mut faults = 0_usize;
    for (number, line) in (1_u32..).zip(text.lines()) {
        let line = line.trim_start_matches('\u{feff}').trim();
        if line.is_empty() {
            continue;
        }
        let read = if found.examples.len() < MAX_EXAMPLES {
            serde_json::from_str(line).map_err(|error| format!("not valid JSON: {error}")).and_then(|value| example(&value, signature))
        } else {
            Err(format!("more than {MAX_EXAMPLES} examples"))
        };
        match read {
            Ok(example) => found.examples.push(example),
            Err(why) => {
                faults += 1;
                if faults <= MAX_DIAGNOSTICS {
                    let finding = Diagnostic::new(Severity::Warning, "optimize/example", format!("skipped: {why}"));
                    found.diagnostics.push(finding.in_file(file).at(number, 1));
                }
            }
        }
    }
    if faults > MAX_DIAGNOSTICS {
        let more = format!("{} more lines were skipped", faults - MAX_DIAGNOSTICS);
        found.diagnostics.push(Diagnostic::new(Severity::Warning, "optimize/example", more).in_file(file));
    }
    found
}

fn example(value: &Value, signature: &Signature) -> Result<ProgramExample, String> {
    let object = value.as_object().ok_or("not an object")?;
    let wrapped = object.get("inputs").and_then(Value::as_object).filter(|_| !has_input(signature, "inputs"));
    let inputs = pick(wrapped.unwrap_or(object), signature.inputs.iter().map(|field| field.name.as_str()));
    if let Some(missing) = signature.inputs.iter().find(|field| !inputs.contains_key(&field.name)) {
        return Err(format!("the input {:?} is missing", missing.name));
    }
    let names = || signature.outputs.iter().map(|field| field.name.as_str());
    let outputs = match (wrapped, object.get("outputs").or_else(|| object.get("output"))) {
        (None, _) => pick(object, names()),
        (Some(_), None | Some(Value::Null)) => Map::new(),
        (Some(_), Some(Value::Object(given))) => pick(given, names()),
        // A single output needs no object.
        (Some(_), Some(single)) => match signature.outputs.as_slice() {
            [only] => Map::from_iter([(only.name.clone(), single.clone())]),
            _ => return Err("the output isn't an object with the program's outputs".to_owned()),
        },
    };
    Ok(ProgramExample { inputs, outputs })
}

fn has_input(signature: &Signature, name: &str) -> bool {
    signature.inputs.iter().any(|field| field.name == name)
}

fn pick<'a>(from: &Map<String, Value>, names: impl Iterator<Item = &'a str>) -> Map<String, Value> {
    names.filter_map(|name| Some((name.to_owned(), from.get(name).filter(|value| !value.is_null())?.clone()))).collect()
}

/// Splits examples into the trainset and the valset, which gets `share` of them; both get at least one if there are two. The split depends
/// on the examples and the seed, not on their order. Duplicates are removed.
pub(crate) fn split(examples: Vec<ProgramExample>, share: f64, seed: u64) -> (Vec<ProgramExample>, Vec<ProgramExample>) {
    let position = |one: &ProgramExample| {
        let text = serde_json::to_string(one).unwrap_or_default();
        *Digest::of(format!("{seed}\n{text}").as_bytes()).bytes()
    };
    let mut all: Vec<_> = examples.into_iter().map(|one| (position(&one), one)).collect();
    all.sort_by_key(|one| one.0);
    all.dedup_by_key(|one| one.0);
    let count = all.len();
    #[expect(clippy::cast_precision_loss, clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a share of a few thousand")]
    let wanted = (count as f64 * share.clamp(0.0, 0.9)).round() as usize;
    let valset_size = if share <= 0.0 || count < 2 { 0 } else { wanted.clamp(1, count - 1) };
    let mut all: Vec<_> = all.into_iter().map(|(_, one)| one).collect();
    let training = all.split_off(valset_size);
    (training, all)
}

#[cfg(test)]
mod tests {
    use inklings_lint::signature;
    use serde_json::json;

    use super::*;

    fn read(lines: &str) -> ExampleSet {
        from_lines(lines, "examples.jsonl", &signature::parse("question -> answer: str").unwrap())
    }

    #[test]
    fn each_shape_of_a_line_is_an_example() {
        let found = read(
            "\u{feff}{\"inputs\": {\"question\": \"a\", \"other\": 1}, \"outputs\": {\"answer\": \"b\"}}\n\n\
             {\"question\": \"c\", \"answer\": \"d\"}\n\
             {\"inputs\": {\"question\": \"e\"}, \"output\": \"f\", \"ok\": true}\n\
             {\"question\": \"g\"}\n",
        );
        assert!(found.diagnostics.is_empty(), "{:?}", found.diagnostics);
        let pairs: Vec<_> = found.examples.iter().map(|one| (one.inputs["question"].clone(), one.outputs.get("answer").cloned())).collect();
        let some = |text: &str| Some(json!(text));
        assert_eq!(pairs, [(json!("a"), some("b")), (json!("c"), some("d")), (json!("e"), some("f")), (json!("g"), None)]);
    }

    #[test]
    fn lines_that_are_not_examples_are_reported() {
        let found = read("nonsense\n[1]\n{\"answer\": \"x\"}\n{\"question\": \"ok\"}\n");
        assert_eq!(found.examples.len(), 1);
        let reported: Vec<_> = found.diagnostics.iter().map(|one| (one.line, one.message.as_str())).collect();
        assert_eq!(reported.len(), 3);
        assert!(reported[0].0 == Some(1) && reported[0].1.contains("not valid JSON"), "{reported:?}");
        assert!(reported[1].0 == Some(2) && reported[1].1.contains("not an object"), "{reported:?}");
        assert!(reported[2].0 == Some(3) && reported[2].1.contains("\"question\""), "{reported:?}");
    }

    #[test]
    fn only_regular_files_are_opened_since_a_pipe_would_block() {
        let refused = read_examples_file(Path::new("/dev/null")).unwrap_err();
        assert_eq!(refused.to_string(), "/dev/null isn't a regular file");
    }

    #[test]
    fn a_flood_of_faults_is_summed_up() {
        let found = read(&"x\n".repeat(80));
        assert_eq!(found.diagnostics.len(), MAX_DIAGNOSTICS + 1);
        assert!(found.diagnostics.last().unwrap().message.starts_with("30 more"));
    }

    #[test]
    fn a_split_depends_on_the_examples_and_the_seed_alone() {
        let all: Vec<_> =
            (0..20).map(|n| example(&json!({ "question": n }), &signature::parse("question: int -> answer").unwrap()).unwrap()).collect();
        let (training, valset) = split(all.clone(), 0.3, 1);
        assert_eq!((training.len(), valset.len()), (14, 6));
        let mut reversed = all.clone();
        reversed.reverse();
        reversed.push(all[0].clone());
        assert_eq!(split(reversed, 0.3, 1), (training.clone(), valset.clone()));
        assert_ne!(split(all.clone(), 0.3, 2).1, valset);
        assert_eq!(split(all[..2].to_vec(), 0.01, 1).1.len(), 1, "one of each where there are two");
        assert_eq!(split(all[..1].to_vec(), 0.5, 1).0.len(), 1);
        assert_eq!(split(all, 0.0, 1).1.len(), 0);
    }
}
