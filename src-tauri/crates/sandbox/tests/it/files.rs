//! Files of a skill as programs: arguments, streams, exit codes, modules, and how they end.

use std::collections::BTreeMap;
use std::sync::atomic::Ordering;

use inklings_core::CancellationToken;
use inklings_core::sandbox::{HostError, Sandbox as _, SandboxLimits, ScriptError, ScriptExit, ScriptFile};
use serde_json::Value;

use crate::support::{Host, LOW, PYTHON, run};

/// A finished program.
#[derive(Debug, PartialEq)]
struct Ended {
    exit: Result<i32, ScriptError>,
    stdout: String,
    stderr: String,
    truncated: bool,
}

fn file(source: &str) -> ScriptFile {
    ScriptFile { path: "scripts/main.py".to_owned(), source: source.to_owned(), args: Vec::new(), stdin: String::new(), limits: LOW }
}

/// Runs a file of a skill that has these files.
async fn execute_in(skill: &[(&str, &str)], file: &ScriptFile) -> Ended {
    let skill: BTreeMap<String, String> = skill.iter().map(|(path, text)| ((*path).to_owned(), (*text).to_owned())).collect();
    let host = Host::new(move |name, arguments| match name {
        "files.list" => Ok(skill.keys().map(|path| Value::from(path.as_str())).collect()),
        "files.read" => {
            let path = arguments["path"].as_str().unwrap();
            if path == "bad.py" {
                return Err(HostError::BadCall("bad.py isn't UTF-8 text".to_owned()));
            }
            skill.get(path).map(|text| Value::from(text.as_str())).ok_or_else(|| HostError::NotFound(format!("file {path:?} not found")))
        }
        _ => Err(HostError::Denied(format!("function {name:?} not found"))),
    });
    let exit = PYTHON.execute(file, &host, &CancellationToken::new()).await.map(|ScriptExit { code }| code);
    let (stdout, stderr) = (host.output.lock().unwrap().clone(), host.log());
    Ended { exit, stdout, stderr, truncated: host.truncated.load(Ordering::Relaxed) }
}

async fn execute(source: &str) -> Ended {
    execute_in(&[], &file(source)).await
}

#[tokio::test]
async fn a_program_has_arguments_and_separate_streams() {
    let source = r#"
import os, sys
def main():
    text = sys.stdin.read()
    print(sys.argv, text, end="")
    print("häßlich", file=sys.stderr)
    sys.stdout.buffer.write("größer\n".encode()[:4]); sys.stdout.buffer.write("größer\n".encode()[4:])
    print(__file__, os.getcwd(), sys.path, "params" in globals(), "inklings" in globals())
if __name__ == "__main__":
    main()
"#;
    let mut file = file(source);
    file.args = vec!["--naïve".to_owned(), String::new(), "a\nb".to_owned(), "👩‍💻".to_owned()];
    file.stdin = "é\0\r\n".to_owned();
    let ended = execute_in(&[], &file).await;
    assert_eq!((&ended.exit, ended.stderr.as_str(), ended.truncated), (&Ok(0), "häßlich\n", false));
    let expected =
        "['scripts/main.py', '--naïve', '', 'a\\nb', '👩\\u200d💻'] é\0\ngrößer\nscripts/main.py / ['scripts', '.'] False False\n";
    assert_eq!(ended.stdout, expected);
}

#[tokio::test]
async fn exit_codes_are_pythons() {
    for (source, code, stderr) in [
        ("import sys; sys.exit()", 0, ""),
        ("import sys; sys.exit(7)", 7, ""),
        ("import sys; sys.exit(-1)", 255, ""),
        ("import sys; sys.exit('no such thing')", 1, "no such thing\n"),
        ("import sys; sys.exit([1])", 1, "[1]\n"),
        ("raise SystemExit(3)", 3, ""),
        ("import os; os._exit(5)", 5, ""),
        ("import os; print('lost', end=''); os._exit(0)", 0, ""),
        ("import atexit, sys; atexit.register(print, 'bye', file=sys.stderr); sys.exit(4)", 4, "bye\n"),
        ("import sys; sys.stderr.write('half'); sys.stdout.close()", 0, "half"),
        ("import inklings; inklings.log('logged')", 0, "logged\n"),
        ("try:\n    input()\nexcept EOFError: exit(9)", 9, ""),
    ] {
        let ended = execute(source).await;
        assert_eq!((ended.exit, ended.stderr.as_str()), (Ok(code), stderr), "{source}");
    }
}

#[tokio::test]
async fn an_uncaught_exception_is_printed_and_an_error() {
    let helper = "def fail():\n    raise KeyError('é')\n";
    let ended = execute_in(&[("scripts/helper.py", helper)], &file("import helper\n\nhelper.fail()\n")).await;
    let Err(ScriptError::Exception(exception)) = ended.exit else { panic!("{:?}", ended.exit) };
    assert_eq!((exception.kind.as_str(), exception.line), ("KeyError", Some(3)));
    let expected = "Traceback (most recent call last):\n  File \"scripts/main.py\", line 3, in <module>\n    helper.fail()\n    \
                    ~~~~~~~~~~~^^\n  File \"scripts/helper.py\", line 2, in fail\n    raise KeyError('é')\nKeyError: 'é'\n";
    assert_eq!(ended.stderr, expected);

    let ended = execute("x = = 1").await;
    assert!(matches!(ended.exit, Err(ScriptError::Syntax { line: 1, .. })), "{ended:?}");
    assert!(ended.stderr.starts_with("  File \"scripts/main.py\", line 1\n") && ended.stderr.contains("SyntaxError"), "{}", ended.stderr);

    let ended = execute("import numpy").await;
    assert!(matches!(&ended.exit, Err(ScriptError::Exception(one)) if one.kind == "ModuleNotFoundError"), "{ended:?}");
    assert!(ended.stderr.contains("No module named 'numpy'") && ended.stderr.ends_with("can't be installed.\n"), "{}", ended.stderr);
}

#[tokio::test]
async fn modules_of_the_skill_are_imported() {
    let skill = [
        ("scripts/beside.py", "NAME = __name__, __file__"),
        ("beside.py", "raise RuntimeError('the wrong one')"),
        ("root.py", "import beside\nNAME = beside.NAME"),
        ("package/__init__.py", "from .part import VALUE\n__all__ = ['VALUE']"),
        ("package/part.py", "from . import other\nVALUE = other.VALUE + 1"),
        ("package/other.py", "VALUE = 1"),
        ("scripts/spread/one.py", "X = 1"),
        ("spread/two.py", "X = 2"),
        ("lib/deep.py", "\u{feff}X = 'deep'"),
        ("test.py", "X = 'not the standard one'"),
        ("report.py", "X = 'not the sandbox one'"),
        ("scripts/output.py", "X = 'not the sandbox one'"),
        ("data/rates.csv", "a,1\n"),
        ("broken.py", "x = = 1"),
        ("bad.py", ""),
    ];
    let source = r#"
import importlib, inspect, os, sys
from pathlib import Path
import beside, root, package, test, report, output
from spread import one, two
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "lib"))
import deep
import inklings
print(beside.NAME, root.NAME, package.VALUE, one.X, two.X, deep.X, test.X, report.X, output.X)
print(inklings.files.read(Path(__file__).parent / "../data/rates.csv"), len(inklings.files.list()), inspect.getsource(one))
for name in ("broken", "bad", "package.missing", "nothing"):
    try:
        importlib.import_module(name)
    except (ImportError, SyntaxError) as error:
        print(type(error).__name__, str(error))
print(importlib.util.find_spec("json.tool").origin != "json/tool.py", sys.modules["json"].__name__)
"#;
    let ended = execute_in(&skill, &file(source)).await;
    let expected = "('beside', 'scripts/beside.py') ('beside', 'scripts/beside.py') 2 1 2 deep not the standard one not the sandbox one \
                    not the sandbox one\na,1\n 15 X = 1\nSyntaxError invalid syntax (broken.py, line 1)\nImportError bad.py isn't UTF-8 text\n\
                    ModuleNotFoundError No module named 'package.missing'\nModuleNotFoundError No module named 'nothing'\nTrue json\n";
    assert_eq!((ended.exit, ended.stdout.as_str(), ended.stderr.as_str()), (Ok(0), expected, ""));
}

#[tokio::test]
async fn modules_of_the_skill_stand_in_for_nothing_that_is_there() {
    let skill = [
        ("scripts/json.py", "raise RuntimeError('shadowed')"),
        ("scripts/inklings.py", "raise RuntimeError('shadowed')"),
        ("scripts/wit_world/imports.py", "raise RuntimeError('shadowed')"),
        ("json/extra.py", "raise RuntimeError('added')"),
        ("os.py", "raise RuntimeError('shadowed')"),
    ];
    let source = "import json, inklings, os, wit_world.imports\ntry:\n    import json.extra\nexcept ImportError:\n    print(json.dumps([inklings.files.list()[0]]))";
    let ended = execute_in(&skill, &file(source)).await;
    assert_eq!((ended.exit, ended.stdout.as_str()), (Ok(0), "[\"json/extra.py\"]\n"));
}

#[tokio::test]
async fn open_is_denied_and_says_what_to_use() {
    for open in
        ["open('data.csv')", "open(b'x', 'w')", "__import__('io').open('/etc/passwd')", "__import__('pathlib').Path('x').read_text()"]
    {
        let ended = execute(open).await;
        let Err(ScriptError::Exception(exception)) = ended.exit else { panic!("{open}: {:?}", ended.exit) };
        assert!(exception.kind == "PermissionError" && exception.message.contains("inklings.files.read"), "{open}: {exception:?}");
    }
    for other in
        ["import os; os.open('/etc/passwd', os.O_RDONLY)", "import os; os.listdir('/')", "import runpy; runpy.run_path('/etc/passwd')"]
    {
        let ended = execute(other).await;
        assert!(matches!(&ended.exit, Err(ScriptError::Exception(_))), "{other}: {ended:?}");
    }
}

#[tokio::test]
async fn what_is_submitted_is_printed() {
    let ended = execute("import inklings\ninklings.submit({'a': [1, None]})\ninklings.submit('é')").await;
    assert_eq!((ended.exit, ended.stdout.as_str()), (Ok(0), "{\"a\":[1,null]}\n\"é\"\n"));
    let ended = execute("import inklings\ninklings.submit({1, 2})").await;
    assert!(ended.exit.is_err() && ended.stderr.contains("has the type set"), "{ended:?}");
}

#[tokio::test]
async fn streams_are_cut_at_their_limits() {
    let mut long = file("import sys\nfor n in range(40_000):\n    print('ä' * 9)\nsys.stderr.write('e' * 300_000)\nsys.exit(2)");
    long.limits = SandboxLimits { log_bytes: 2_000, result_bytes: 1_000, ..LOW };
    let ended = execute_in(&[], &long).await;
    assert_eq!((ended.exit, ended.truncated), (Ok(2), true));
    assert!(ended.stdout.len() <= 1_000 && ended.stdout.ends_with("[output truncated at 1000 bytes]\n"), "{}", ended.stdout);
    assert!(ended.stderr.len() <= 2_000 && ended.stderr.ends_with("[log truncated at 2000 bytes]\n"), "{}", ended.stderr);
    let mut endless = file("print('begun')\nwhile True: print('x' * 1000)");
    endless.limits = SandboxLimits { cpu_seconds: 1, ..LOW };
    let ended = execute_in(&[], &endless).await;
    assert_eq!((ended.exit, ended.truncated), (Err(ScriptError::OutOfCpu { seconds: 1 }), true));
    assert!(ended.stdout.starts_with("begun\n") && ended.stdout.len() <= LOW.result_bytes as usize);
}

#[tokio::test]
async fn megabytes_of_input_are_read() {
    let mut large = file("import sys\ntext = sys.stdin.read()\nprint(len(text), text[-3:])");
    large.stdin = format!("{}end", "ä".repeat(4 << 20));
    let ended = execute_in(&[], &large).await;
    assert_eq!((ended.exit, ended.stdout.as_str()), (Ok(0), "4194307 end\n"), "{}", ended.stderr);
}

#[tokio::test]
async fn whatever_ends_a_program_the_next_one_runs() {
    let deep = "def deeper(n): return deeper(n + 1) + 1\ndeeper(0)";
    let thread = "import sys, threading\nthreading.Thread(target=sys.exit, args=(3,)).start()";
    let liar = "class Liar(Exception):\n    def __str__(self): raise self\nraise Liar()";
    for (source, ending) in [
        (deep, "RecursionError"),
        (thread, "RuntimeError"),
        (liar, "Liar"),
        ("import os; os.abort()", "exited"),
        ("import ctypes", "ModuleNotFoundError"),
        ("import sys; sys.modules.clear(); sys.meta_path.clear(); sys.exit(1)", "code 1"),
        ("import sys; sys.stdout = sys.stderr = None; 1 / 0", "ZeroDivisionError"),
        ("x = 'x' * (1 << 30)", "memory"),
        ("import json; json.dumps = None; raise ValueError('v')", "ValueError"),
        (
            "from wit_world.imports import host; host.call(b'submit', b'1'); host.call(b'ended', b'{\"how\": \"exited\", \"code\": 3}')",
            "code 3",
        ),
    ] {
        let ended = execute(source).await;
        let shown = match &ended.exit {
            Ok(code) => format!("code {code}"),
            Err(error) => error.to_string(),
        };
        assert!(shown.contains(ending), "{source}: {shown}");
        assert_eq!(run("inklings.submit(1)").await, Ok(Value::from(1)), "{source}");
        assert_eq!(execute("print(1)").await.stdout, "1\n", "{source}");
    }
}
