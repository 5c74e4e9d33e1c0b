//! Messages for failing scripts. Other endings are tested in `hostile`.

use inklings_core::sandbox::ScriptError;

use crate::support::{Host, run, run_on, script};

#[tokio::test]
async fn a_traceback_shows_the_scripts_lines_and_no_others() {
    let source = "import json

def read(text):
    return json.loads(text)

try:
    read('{')
except ValueError as error:
    raise KeyError('claims') from error
";
    let Err(ScriptError::Exception(exception)) = run(source).await else { panic!() };
    assert_eq!((exception.kind.as_str(), exception.message.as_str(), exception.line), ("KeyError", "'claims'", Some(9)));
    let expected = r#"Traceback (most recent call last):
  File "scripts/test.py", line 7, in <module>
    read('{')
    ~~~~^^^^^
  File "scripts/test.py", line 4, in read
    return json.loads(text)
           ~~~~~~~~~~^^^^^^
json.decoder.JSONDecodeError: Expecting property name enclosed in double quotes: line 1 column 2 (char 1)

The above exception was the direct cause of the following exception:

Traceback (most recent call last):
  File "scripts/test.py", line 9, in <module>
    raise KeyError('claims') from error
KeyError: 'claims'
"#;
    assert_eq!(exception.traceback, expected);
}

#[tokio::test]
async fn the_line_is_the_one_that_called_what_raised() {
    for (source, line) in [("\n\n1 / 0", 3), ("import json\njson.loads('')", 2), ("def f():\n    g()\ndef g():\n    1 / 0\nf()", 4)] {
        let Err(ScriptError::Exception(exception)) = run(source).await else { panic!("{source}") };
        assert_eq!(exception.line, Some(line), "{source}");
    }
}

#[tokio::test]
async fn open_is_denied_and_says_what_to_use() {
    for source in ["open('references/r.txt')", "import pathlib\npathlib.Path('references/r.txt').read_text()"] {
        let Err(ScriptError::Exception(exception)) = run(source).await else { panic!("{source}") };
        assert!(exception.kind == "PermissionError" && exception.message.contains("inklings.files.read"), "{source}: {exception:?}");
        assert!(exception.message.contains("inklings.submit"), "{exception:?}");
    }
}

#[tokio::test]
async fn a_syntax_error_has_a_place() {
    let outcome = run("x = 1\nif x:\n    y = ä ä\n").await;
    assert_eq!(outcome, Err(ScriptError::Syntax { message: "invalid syntax".to_owned(), line: 3, column: 11 }));
    // A syntax error in code that the script compiles is an exception.
    assert!(matches!(run("\neval('1 +')").await, Err(ScriptError::Exception(exception)) if exception.line == Some(2)));
}

#[tokio::test]
async fn a_message_for_exit_is_in_the_log() {
    let host = Host::deaf();
    assert_eq!(run_on(&host, &script("import sys\nsys.exit('nothing to do')")).await, Err(ScriptError::Exited { code: Some(1) }));
    assert_eq!(host.log(), "nothing to do\n");
}
