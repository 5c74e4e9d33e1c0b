//! The layout of families, as `features/mod.rs` describes it.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use inklings_app::REGISTRY;

/// Families without an `api.rs`: their operations have no params and results of their own.
const WITHOUT_API: &[&str] = &["program"];

fn features() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("src/features")
}

/// A source file of a family.
struct Source {
    /// From the crate's folder.
    path: PathBuf,
    text: String,
}

impl Source {
    fn name(&self) -> &str {
        self.path.file_name().unwrap().to_str().unwrap()
    }

    /// Lines of code with their numbers. Comments and what follows `#[cfg(test)]` are left out.
    fn code(&self) -> impl Iterator<Item = (usize, &str)> {
        let lines = self.text.lines().enumerate().map(|(index, line)| (index + 1, line));
        lines.take_while(|(_, line)| line.trim() != "#[cfg(test)]").filter(|(_, line)| !line.trim_start().starts_with("//"))
    }

    fn at(&self, line: usize, problem: &str) -> String {
        format!("{}:{line}: {problem}", self.path.display())
    }
}

fn families() -> BTreeSet<String> {
    let folders = fs::read_dir(features()).unwrap().map(|entry| entry.unwrap().path()).filter(|path| path.is_dir());
    folders.map(|path| path.file_name().unwrap().to_str().unwrap().to_owned()).collect()
}

fn sources() -> Vec<Source> {
    let (mut sources, mut folders) = (Vec::new(), vec![features()]);
    while let Some(folder) = folders.pop() {
        for path in fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
            if path.is_dir() {
                folders.push(path);
            } else {
                let text = fs::read_to_string(&path).unwrap();
                sources.push(Source { path: path.strip_prefix(env!("CARGO_MANIFEST_DIR")).unwrap().to_owned(), text });
            }
        }
    }
    assert!(sources.len() > 100, "the walk found {} files", sources.len());
    sources.sort_by(|a, b| a.path.cmp(&b.path));
    sources
}

fn folder_has(sources: &[Source], path: &Path) -> bool {
    sources.iter().any(|source| source.path == path)
}

fn assert_none(problems: &[String]) {
    assert!(problems.is_empty(), "\n{}\n", problems.join("\n"));
}

/// The positions in a line at which a name stands as a whole word, and what is before each.
fn occurrences<'a>(line: &'a str, name: &'a str) -> impl Iterator<Item = (usize, &'a str)> {
    let is_part = |letter: Option<char>| letter.is_some_and(|letter| letter.is_alphanumeric() || letter == '_');
    line.match_indices(name)
        .map(|(at, _)| (at, &line[..at]))
        .filter(move |(at, before)| !is_part(before.chars().next_back()) && !is_part(line[at + name.len()..].chars().next()))
}

#[test]
fn a_family_is_a_folder_with_its_table_and_one_line_in_the_registry() {
    let mut problems = Vec::new();
    let mut registered = BTreeSet::new();
    for family in REGISTRY.0 {
        if !registered.insert(family.name.to_owned()) {
            problems.push(format!("src/registry.rs: {} has two lines. Merge its tables into features/{0}/operations.rs.", family.name));
        }
        for operation in family.operations {
            if operation.name.split('/').next() != Some(family.name) {
                problems.push(format!(
                    "src/features/{}/operations.rs: {} belongs to another family. Move it to the folder of that name.",
                    family.name, operation.name
                ));
            }
        }
    }
    for family in families().difference(&registered) {
        problems.push(format!("src/features/{family}: no line in src/registry.rs. Add one."));
    }
    for family in registered.difference(&families()) {
        problems.push(format!("src/registry.rs: {family} has no folder. Create src/features/{family} for it."));
    }
    let sources = sources();
    for family in families() {
        let folder = Path::new("src/features").join(&family);
        if !folder_has(&sources, &folder.join("operations.rs")) {
            problems.push(format!("src/features/{family}: operations.rs is missing. Declare the family's table in it."));
        }
        // A large family has one for each part.
        let has_api = sources.iter().any(|source| source.path.starts_with(&folder) && source.name() == "api.rs");
        match (has_api, WITHOUT_API.contains(&family.as_str())) {
            (false, false) => problems.push(format!("src/features/{family}: api.rs is missing. Move its params and results there.")),
            (true, true) => problems.push(format!("tests/it/layout.rs: {family} has an api.rs. Remove it from WITHOUT_API.")),
            _ => {}
        }
    }
    assert_none(&problems);
}

#[test]
fn operations_are_declared_in_one_table_of_their_family() {
    let mut problems = Vec::new();
    for source in sources() {
        let tables: Vec<usize> =
            source.code().filter(|(_, line)| line.trim_start().starts_with("operations! {")).map(|(number, _)| number).collect();
        let is_operations_of_a_family = source.name() == "operations.rs" && source.path.components().count() == 4;
        for line in tables.iter().skip(usize::from(is_operations_of_a_family)) {
            problems.push(source.at(*line, "another table. Move its rows to the table in the family's operations.rs."));
        }
    }
    assert_none(&problems);
}

#[test]
fn operations_call_no_operations() {
    /// Ways in which code elsewhere calls an operation.
    const CALLS: &[&str] = &["dispatch", "BlockingOperation", "Operation"];
    let mut problems = Vec::new();
    for source in sources() {
        // `    Name = "family/verb", Read, blocking function(Params) -> Result;`
        let row = |line: &str| -> Option<String> {
            let (_, rest) = line.split_once(" = \"")?;
            let function = ["blocking ", "async "].iter().find_map(|mode| rest.split_once(&format!(", {mode}")))?.1;
            Some(function.split_once('(')?.0.to_owned())
        };
        let functions: BTreeSet<String> = source.code().filter_map(|(_, line)| row(line)).collect();
        for (number, line) in source.code().filter(|(_, line)| row(line).is_none()) {
            for name in &functions {
                let calls = occurrences(line, name).filter(|(at, before)| {
                    line[at + name.len()..].starts_with('(') && !before.ends_with("fn ") && !before.ends_with(['.', ':'])
                });
                if calls.count() > 0 {
                    problems.push(source.at(number, &format!("{name} is an operation. Move what both need to the service.")));
                }
                if line.trim_start().starts_with("pub") && line.contains(&format!("fn {name}(")) {
                    problems.push(source.at(number, &format!("{name} is an operation. Make it private: others call the service.")));
                }
            }
            for name in CALLS {
                if occurrences(line, name).next().is_some() {
                    problems.push(source.at(number, &format!("{name} calls an operation. Call a service instead.")));
                }
            }
        }
    }
    assert_none(&problems);
}

#[test]
fn only_operations_know_the_call_and_only_the_edges_know_failures() {
    let mut problems = Vec::new();
    for source in sources() {
        let forbidden: &[&str] = match source.name() {
            "operations.rs" => &[],
            "error.rs" | "api.rs" => &["CallContext"],
            _ => &["CallContext", "Failure"],
        };
        for (number, line) in source.code() {
            for name in forbidden.iter().filter(|name| occurrences(line, name).next().is_some()) {
                let instead = match *name {
                    "CallContext" => "Take the ports and values that the use case needs; operations.rs reads them from the call.",
                    _ => "Return an error of the family; error.rs maps it.",
                };
                problems.push(source.at(number, &format!("{name} in {}. {instead}", source.name())));
            }
        }
    }
    assert_none(&problems);
}
