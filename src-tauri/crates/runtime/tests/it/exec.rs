//! Files of skills as programs: their trace, limits and refusals, and that they read no other skill.

use std::sync::LazyLock;

use inklings_core::{Skill, SkillStorageRepository as _, TraceStatus, TreeFile};
use inklings_runtime::exec::{ScriptInput, run_file};
use inklings_runtime::{Limits, NoopListener, RunReport, RunRequest, ScriptResult, SkillError};
use inklings_sandbox::PythonSandbox;
use serde_json::json;

use crate::support::{Answer, EventRecorder, World, skill, world};

static SANDBOX: LazyLock<PythonSandbox> = LazyLock::new(|| PythonSandbox::new(inklings_sandbox::find_built()));

const FRONT: &str = "---\nname: tested\ndescription: Is tested.\n---\n";

fn input(path: &str, args: &[&str], stdin: &str) -> ScriptInput {
    ScriptInput { path: path.to_owned(), args: args.iter().map(|arg| (*arg).to_owned()).collect(), stdin: stdin.to_owned() }
}

async fn run(world: &World, request: RunRequest, input: ScriptInput) -> Result<RunReport, SkillError> {
    run_file(&world.runner, request, input, &*SANDBOX, &world.recorder, &NoopListener).await
}

async fn execute(world: &World, skill: &Skill, input: ScriptInput) -> (RunReport, ScriptResult) {
    let report = run(world, world.request(skill, json!({})), input).await.unwrap();
    let script = report.script.clone().unwrap();
    (report, script)
}

/// A skill with one file besides SKILL.md, which isn't an artifact.
fn with_file(source: &str) -> Skill {
    skill(&[("SKILL.md", FRONT), ("tools/main.py", source)])
}

#[tokio::test]
async fn a_run_of_a_file_is_traced_with_its_streams() {
    let world = world(Vec::new());
    let source = "import sys\nfrom helper import double\nprint(double(sys.argv[1]), '{{ verbatim }}')\n\
                  print(sys.stdin.read(), 'my-very-own-key', file=sys.stderr)";
    let tested = skill(&[("SKILL.md", FRONT), ("tools/main.py", source), ("tools/helper.py", "def double(text): return text * 2")]);
    let (report, script) = execute(&world, &tested, input("./tools/main.py", &["ab"], "in")).await;
    assert!(report.error.is_none(), "{:?}", report.error);
    let expected = ScriptResult {
        exit_code: Some(0),
        stdout: "abab {{ verbatim }}\n".to_owned(),
        stderr: "in my-very-own-key\n".to_owned(),
        truncated: false,
    };
    assert_eq!(script, expected);
    let [row] = &world.rows(report.run)[..] else { panic!("{:?}", world.rows(report.run)) };
    assert_eq!((row.status, row.artifact_path.as_str(), row.artifact_name.as_str()), (TraceStatus::Ok, "tools/main.py", "tools/main.py"));
    assert_eq!(row.raw_output.as_deref(), Some("abab {{ verbatim }}\n"));
    assert_eq!(row.log.as_deref(), Some("in [redacted]\n"));
    assert_eq!(row.rendered_input.as_deref(), Some(source.replace("my-very-own-key", "[redacted]").as_str()));
    let params = row.params.clone().unwrap();
    assert_eq!(ScriptInput::from_params("tools/main.py", &params), Some(input("tools/main.py", &["ab"], "in")));
}

#[tokio::test]
async fn each_end_has_its_exit_code_and_outcome() {
    let world = world(Vec::new());
    for (source, code, outcome) in [
        ("import sys; sys.exit(3)", Some(3), "exited"),
        ("import sys; print('out'); sys.exit('why')", Some(1), "exited"),
        ("1 / 0", Some(1), "exception"),
        ("x = = 1", Some(1), "syntax"),
        ("import os; os.abort()", None, "exited"),
        ("x = 'x' * (1 << 30)", None, "out-of-memory"),
    ] {
        let (report, script) = execute(&world, &with_file(source), input("tools/main.py", &[], "")).await;
        let row = world.rows(report.run).pop().unwrap();
        assert_eq!((script.exit_code, report.status, row.status), (code, TraceStatus::Error, TraceStatus::Error), "{source}");
        assert_eq!(json!(row.detail.unwrap().outcome), outcome, "{source}");
        assert_eq!(row.raw_output.unwrap_or_default(), script.stdout, "{source}");
    }
}

#[tokio::test]
async fn what_was_printed_survives_a_limit_and_a_cancellation() {
    let world = world(Vec::new());
    let tested = with_file("print('begun')\nwhile True: pass");
    let timed = RunRequest { limits: Limits { seconds: Some(1), ..Limits::default() }, ..world.request(&tested, json!({})) };
    let report = run(&world, timed, input("tools/main.py", &[], "")).await.unwrap();
    let script = report.script.unwrap();
    assert_eq!((script.exit_code, script.stdout.as_str()), (None, "begun\n"));
    assert!(matches!(report.error, Some(SkillError::Budget { .. })), "{:?}", report.error);

    let request = world.request(&tested, json!({}));
    let cancel = request.cancel.clone();
    let events = EventRecorder(std::sync::Mutex::default(), move |event| {
        if matches!(event.what, inklings_runtime::RunEventKind::Text { .. }) {
            cancel.cancel();
        }
    });
    let report = run_file(&world.runner, request, input("tools/main.py", &[], ""), &*SANDBOX, &world.recorder, &events).await.unwrap();
    assert_eq!((report.status, report.script.unwrap().stdout.as_str()), (TraceStatus::Cancelled, "begun\n"));
}

#[tokio::test]
async fn only_python_files_of_the_skill_with_sound_input_run() {
    let world = world(Vec::new());
    let mut tested = skill(&[("SKILL.md", FRONT), ("run.sh", "echo"), ("ok.py", ""), ("UPPER.PY", "print(1)"), ("bad.py", "")]);
    let bad = tested.package.files.iter_mut().find(|file| file.path.as_str() == "bad.py").unwrap();
    bad.entry = TreeFile::new(&b"print('\xff')"[..]);
    let many: Vec<&str> = vec!["x"; 1_001];
    let long = "x".repeat(200_000);
    for (input, expected) in [
        (input("none.py", &[], ""), "file \"none.py\" not found in the skill"),
        (input("../ok.py", &[], ""), "not found"),
        (input("/ok.py", &[], ""), "not found"),
        (input("", &[], ""), "not found"),
        (input("run.sh", &[], ""), "run.sh can't run: only Python files (.py) run in the sandbox"),
        (input("SKILL.md", &[], ""), "only Python"),
        (input("bad.py", &[], ""), "bad.py can't run: it isn't UTF-8 text"),
        (input("ok.py", &["a", "b\0"], ""), "argument 2 contains a NUL character"),
        (input("ok.py", &many, ""), "1001 arguments"),
        (input("ok.py", &[&long], ""), "200000 bytes"),
        (input("ok.py", &[], &"x".repeat(9 << 20)), "stdin"),
    ] {
        let request = world.request(&tested, json!({}));
        let id = request.run;
        let error = run(&world, request, input).await.unwrap_err().to_string();
        assert!(error.contains(expected), "{error} instead of {expected}");
        assert!(world.rows(id).is_empty(), "nothing was run");
    }
    assert_eq!(execute(&world, &tested, input("UPPER.PY", &[], "")).await.1.stdout, "1\n");
}

#[tokio::test]
async fn no_other_skill_and_no_file_of_the_machine_is_read() {
    let world = world(Vec::new());
    let mut other = skill(&[("SKILL.md", "---\nname: other\ndescription: Is another one.\n---\n"), ("secret.py", "X = 'secret'")]);
    other.package.slug = "other".parse().unwrap();
    world.store.create_skill(&other, "test").unwrap();
    let source = r#"
import inklings, json, os
from wit_world.imports import host
paths = ["../other/secret.py", "../../etc/passwd", "/etc/passwd", "/secret.py", "tools/../../other/secret.py", "secret.py", "other/secret.py",
         "C:/x", "a\\b", "", ".", "tools", "tools/", "x\0y", os.curdir]
for path in paths:
    for read in (inklings.files.read, lambda path: host.call(b"files.read", json.dumps({"path": path}).encode())):
        try:
            print("READ", path, read(path))
        except (LookupError, ValueError):
            pass
        except Exception as error:
            assert type(error).__name__ == "Err", error
for arguments in (b"{}", b"[]", b'{"path": 1}', b'{"path": "SKILL.md", "skill": "other"}'):
    try:
        print("READ", host.call(b"files.read", arguments))
    except Exception:
        pass
for name in ("secret", "other.secret"):
    try:
        __import__(name)
        print("IMPORTED", name)
    except ImportError:
        pass
print(inklings.files.list(), inklings.files.read("SKILL.md")[:3])
"#;
    let (report, script) = execute(&world, &with_file(source), input("tools/main.py", &[], "")).await;
    assert_eq!(script.stdout, "['SKILL.md', 'tools/main.py'] ---\n", "{:?} {}", report.error, script.stderr);
}

#[tokio::test]
async fn a_file_uses_models_and_its_declared_capabilities() {
    let world = world(vec![Answer::Says("blue")]);
    let source = "import inklings\nprint(inklings.llm_query('Colour?'))\ntry:\n    inklings.skills.list()\n    print('listed')\n\
                  except PermissionError as error:\n    print('denied')";
    let (report, script) = execute(&world, &with_file(source), input("tools/main.py", &[], "")).await;
    assert_eq!((script.stdout.as_str(), report.usage.input_tokens), ("blue\nlisted\n", Some(100)), "{}", script.stderr);

    let declared = json!({ "artifacts": [
        { "path": "tools/main.py", "kind": "code_template", "name": "Main", "ordinal": 1, "metadata": {"rights": ["pages"]} },
    ] });
    let denied = "import inklings\ntry:\n    inklings.skills.list()\nexcept PermissionError as error:\n    print('denied')";
    let tested = skill(&[("SKILL.md", FRONT), ("tools/main.py", denied), ("skill.json", &declared.to_string())]);
    let (report, script) = execute(&world, &tested, input("tools/main.py", &[], "")).await;
    assert_eq!(script.stdout, "denied\n");
    assert_eq!(report.traces[0].artifact_name, "Main");
}

#[tokio::test]
async fn a_code_template_reads_the_files_of_its_skill() {
    let world = world(Vec::new());
    let declared = json!({ "artifacts": [{ "path": "scripts/main.py", "kind": "code_template", "name": "Main", "ordinal": 1 }] });
    let source = "import inklings\ninklings.submit([inklings.files.list(), inklings.files.read('data.csv')])";
    let files = [("SKILL.md", FRONT), ("data.csv", "a,b\n"), ("scripts/main.py", source), ("skill.json", &declared.to_string())];
    let report = world.run(world.request(&skill(&files), json!({}))).await.unwrap();
    let value = report.output.unwrap_or_else(|| panic!("{:?}", report.error)).value.unwrap();
    assert_eq!(value, json!([["SKILL.md", "data.csv", "scripts/main.py", "skill.json"], "a,b\n"]));
}
