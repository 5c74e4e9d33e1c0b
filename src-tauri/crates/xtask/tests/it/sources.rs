//! Rules for all source files: their length, words in names, and code in documentation.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

const MAX_LINES: usize = 500;

const EXTENSIONS: &[&str] = &["rs", "ts", "svelte", "mjs", "py", "css"];

/// Generated, built or fetched.
const SKIPPED: &[&str] =
    &["target", "node_modules", ".svelte-check", "dist", "gen", "generated", "build", ".git", ".venv", "__pycache__", "fixtures"];

/// Words without a common meaning, the terms to use instead, and the number of names that still contain them.
/// The numbers only go down.
const WORDS: &[(&str, &str, usize)] = &[
    ("clash", "conflict", 0),
    ("door", "controller, front end", 0),
    // A manifest has a `goal_loop`.
    ("goal", "target", 22),
    ("going", "active, running", 0),
    ("gone", "deleted, removed", 4),
    ("heard", "received", 0),
    ("looked", "what was found", 1),
    ("obituary", "exit description", 0),
    ("odd", "diagnostics", 0),
    ("settle", "normalize, finish, record", 0),
    ("shelf", "grid, list", 0),
    ("sought", "query, match", 0),
    ("spent", "usage", 0),
    ("standing", "relation", 0),
    ("told", "reported, printed", 0),
    ("twin", "name conflict", 0),
    ("unsayable", "unsupported", 0),
    ("usual", "default", 0),
];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../..")
}

fn sources() -> Vec<(PathBuf, String)> {
    let (mut found, mut folders) = (Vec::new(), vec![root()]);
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            let name = path.file_name().unwrap().to_string_lossy().into_owned();
            if path.is_dir() {
                if !SKIPPED.contains(&name.as_str()) {
                    folders.push(path);
                }
            } else if path.extension().is_some_and(|extension| EXTENSIONS.iter().any(|known| extension == *known)) {
                let text = fs::read_to_string(&path).unwrap();
                found.push((path.strip_prefix(root()).unwrap().to_owned(), text));
            }
        }
    }
    assert!(found.len() > 1_000, "the walk found the sources");
    found
}

#[test]
fn no_source_file_is_longer_than_500_lines() {
    let long: Vec<_> = sources().into_iter().filter(|(_, text)| text.lines().count() > MAX_LINES).map(|(path, _)| path).collect();
    assert!(long.is_empty(), "split these: {long:#?}");
}

/// Code in documentation is shown, never compiled: `cargo xtask test` leaves doctests out.
#[test]
fn documentation_has_no_code_that_would_be_a_test() {
    let untested = ["text", "ignore", "json", "sql", "toml", "yaml"];
    let mut tests = Vec::new();
    for (path, text) in sources().into_iter().filter(|(path, _)| path.extension().is_some_and(|extension| extension == "rs")) {
        let comments = text.lines().enumerate().filter_map(|(index, line)| {
            let line = line.trim_start();
            Some((index + 1, line.strip_prefix("///").or_else(|| line.strip_prefix("//!"))?))
        });
        let fences = comments.filter_map(|(line, comment)| Some((line, comment.trim_start().strip_prefix("```")?)));
        // Every other fence ends a block.
        let opening = fences.step_by(2).filter(|(_, kind)| !untested.contains(kind));
        tests.extend(opening.map(|(line, kind)| format!("{}:{line}: ```{kind}", path.display())));
    }
    assert!(tests.is_empty(), "mark these as `ignore` or write a test: {tests:#?}");
}

/// The words of a name: `FooBar`, `foo_bar` and `FOO_BAR` are `foo` and `bar`.
fn words(name: &str) -> impl Iterator<Item = String> + use<> {
    let mut words = vec![String::new()];
    let mut previous = '_';
    for letter in name.chars() {
        if letter == '_' || (letter.is_ascii_uppercase() && !previous.is_ascii_uppercase()) {
            words.push(String::new());
        }
        if let Some(last) = words.last_mut().filter(|_| letter != '_') {
            last.push(letter.to_ascii_lowercase());
        }
        previous = letter;
    }
    words.into_iter().filter(|word| !word.is_empty())
}

/// The code of a line, without string literals.
fn without_strings(line: &str, quotes: &[char]) -> String {
    let (mut code, mut open, mut escaped) = (String::new(), None, false);
    for letter in line.chars() {
        match open {
            None if quotes.contains(&letter) => open = Some(letter),
            None => code.push(letter),
            Some(_) if escaped => escaped = false,
            Some(_) if letter == '\\' => escaped = true,
            Some(quote) if letter == quote => {
                open = None;
                code.push(' ');
            }
            Some(_) => {}
        }
    }
    code
}

/// Names in a source file, approximated by skipping comments and strings line by line. In Rust, `'` also begins a lifetime.
fn names(path: &Path, text: &str) -> Vec<String> {
    let script = path.extension().is_some_and(|extension| ["ts", "svelte", "mjs"].iter().any(|known| extension == *known));
    let quotes: &[char] = if script { &['"', '\'', '`'] } else { &['"'] };
    let is_comment = |line: &&str| matches!(line.trim_start().as_bytes(), [b'/', b'/' | b'*', ..] | [b'#' | b'*', b' ', ..]);
    let lines = text.lines().filter(|line| !is_comment(line)).map(|line| without_strings(line, quotes));
    lines
        .flat_map(|line| line.split(|letter: char| !letter.is_ascii_alphanumeric() && letter != '_').map(str::to_owned).collect::<Vec<_>>())
        .collect()
}

#[test]
fn private_words_come_into_no_new_names() {
    let mut uses: BTreeMap<&str, usize> = WORDS.iter().map(|(word, ..)| (*word, 0)).collect();
    for (path, text) in sources() {
        if path.ends_with("sources.rs") {
            continue;
        }
        for word in names(&path, &text).iter().flat_map(|name| words(name)) {
            if let Some(count) = uses.get_mut(word.as_str()) {
                *count += 1;
            }
        }
    }
    for (word, instead, allowed) in WORDS {
        let count = uses[word];
        assert!(count <= *allowed, "{word:?} is used in {count} names, {allowed} before. Use {instead}.");
    }
}

#[test]
fn a_name_is_split_into_its_words() {
    let split = |name: &str| words(name).collect::<Vec<_>>();
    assert_eq!(split("TreeDoor"), ["tree", "door"]);
    assert_eq!(split("tree_door"), ["tree", "door"]);
    assert_eq!(split("MAX_DOORS"), ["max", "doors"]);
}

#[test]
fn comments_and_strings_have_no_names() {
    let in_file = |path: &str, text: &str| names(Path::new(path), text).into_iter().filter(|name| !name.is_empty()).collect::<Vec<_>>();
    assert_eq!(in_file("a.rs", "// a door\nlet x: &'a str = \"no \\\"door\\\"\";"), ["let", "x", "a", "str"]);
    assert_eq!(in_file("a.ts", "/** A door. */\nconst x = ['a \"door\"', `door`, y];"), ["const", "x", "y"]);
}
