//! Files of skills as programs: by a chat's tool with the user's permission, and by the command.

use std::io::Write as _;
use std::process::Stdio;

use inklings_testkit::{Action, Script, Step};
use serde_json::{Value, json};

use crate::chats::{Chat, answer, call, calls, chat, id, steps, text};
use crate::support::{World, arg, finish};

const COUNT: &str = "import sys
from words import split
text = sys.stdin.read()
print('words:', len(split(text)), sys.argv[1:])
print('counted', file=sys.stderr)
sys.exit(len(split(text)) - 2)
";

/// Imports a skill whose files aren't artifacts.
fn import(world: &World) {
    world.file("skills/counter/SKILL.md", "---\nname: counter\ndescription: Counts words. Use it to count.\n---\nRun tools/count.py.\n");
    world.file("skills/counter/tools/count.py", COUNT);
    world.file("skills/counter/tools/words.py", "def split(text):\n    return text.split()\n");
    world.file("skills/counter/tools/count.sh", "wc -w\n");
    world.file("skills/counter/tools/endless.py", "import sys\nprint('on', flush=True)\nwhile True:\n    pass\n");
    world.file("skills/counter/tools/chatty.py", "print('x' * 100_000)\n");
    let imported = finish(world.command().args(["import", arg(&world.root.path().join("skills/counter"))]));
    assert!(imported.ok, "{imported:?}");
}

fn set_script(chat: &Chat, actions: impl IntoIterator<Item = Action>) {
    chat.server.set_script(Script::new(actions.into_iter().map(Step::from)));
}

fn execute(id: &str, arguments: Value) -> Action {
    call(id, "execute_plugin_script", arguments)
}

/// The result of a tool step, which a failure has after a prefix.
fn result(step: &Value) -> Value {
    let text = step["result"].as_str().unwrap();
    serde_json::from_str(text.strip_prefix("Error: ").unwrap_or(text)).unwrap_or_else(|error| panic!("{error}: {step}"))
}

#[tokio::test(flavor = "multi_thread")]
async fn a_model_runs_a_script_with_the_users_permission() {
    let count = json!({"skill": "counter", "path": "tools/count.py", "args": ["--all", "é"], "stdin": "two words"});
    let chat = chat([execute("a", count.clone()), Action::from("Two.")]).await;
    import(&chat.world);
    let asked = chat.json(&["send", "count them"]);
    let waits = steps(&asked, "tool")[0];
    assert_eq!((&answer(&asked)["status"], &waits["status"]), (&json!("waiting"), &json!("asked")));
    let preview = &waits["preview"];
    assert_eq!(preview["summary"], "Run tools/count.py of the skill counter in the account");
    let files: Vec<(&str, &str)> =
        preview["files"].as_array().unwrap().iter().map(|file| (file["path"].as_str().unwrap(), file["after"].as_str().unwrap())).collect();
    assert_eq!(files, [("Arguments", "\"--all\"\n\"é\""), ("Standard input", "two words"), ("tools/count.py", COUNT)]);
    assert!(chat.world.json(&["runs", "list"])["runs"].as_array().unwrap().is_empty(), "nothing runs before it is permitted");

    let done = chat.json(&["permit", id(&asked), "a", "always"]);
    assert_eq!((text(&done).as_str(), &answer(&done)["status"]), ("Two.", &json!("done")));
    let ran = steps(&done, "tool")[0];
    let found = result(ran);
    assert_eq!((&found["exit_code"], &found["stdout"]), (&json!(0), &json!("words: 2 ['--all', 'é']\n")), "{ran}");
    assert_eq!((&found["stderr"], &found["truncated"], &found["error"]), (&json!("counted\n"), &json!(false), &Value::Null));
    assert!(chat.sent(1).contains("words: 2"));
    let run = chat.world.json(&["runs", "show", ran["run"].as_str().unwrap()]);
    assert_eq!(run["executions"][0]["id"], found["trace_id"]);
    assert_eq!((&run["executions"][0]["raw_output"], &run["executions"][0]["log"]), (&found["stdout"], &found["stderr"]));

    // What was permitted for always isn't asked in another chat, but still for another skill's scripts.
    let failing = json!({"skill": "counter", "path": "tools/count.py", "stdin": "a b c"});
    let long = json!({"skill": "counter", "path": "tools/chatty.py"});
    set_script(&chat, [calls([("b", "execute_plugin_script", failing), ("c", "execute_plugin_script", long)]), Action::from("One.")]);
    let again = chat.json(&["send", "once more"]);
    assert_eq!(text(&again), "One.");
    let [failed, cut] = &steps(&again, "tool")[..] else { panic!("{again}") };
    assert_eq!((&failed["status"], &result(failed)["exit_code"]), (&json!("failed"), &json!(1)));
    assert_eq!(result(failed)["error"], "tools/count.py: the script exited with code 1");
    let shown = result(cut);
    assert_eq!(shown["truncated"], true);
    assert!(shown["stdout"].as_str().unwrap().len() < 17_000 && shown["stdout"].as_str().unwrap().contains("bytes left out"));
    let builtin = json!({"skill": "workspace-link-auditor", "path": "scripts/link-audit.py"});
    set_script(&chat, [execute("d", builtin), Action::from("No.")]);
    assert_eq!(answer(&chat.json(&["send", "and this"]))["status"], "waiting");
}

#[tokio::test(flavor = "multi_thread")]
async fn what_cannot_run_is_refused_without_asking() {
    let call = |id, path: &str| (id, "execute_plugin_script", json!({"skill": "counter", "path": path}));
    let refused = calls([call("a", "tools/count.sh"), call("b", "tools/none.py"), call("c", "../other/x.py"), call("d", "/etc/passwd")]);
    let chat = chat([refused, Action::from("I see.")]).await;
    import(&chat.world);
    let detail = chat.json(&["send", "try all"]);
    assert_eq!((text(&detail).as_str(), &answer(&detail)["status"]), ("I see.", &json!("done")));
    let results: Vec<&str> = steps(&detail, "tool").iter().map(|step| step["result"].as_str().unwrap()).collect();
    for (result, wanted) in results.iter().zip(["rewrite it in Python", "tools/count.py", "no file", "no file"]) {
        assert!(result.starts_with("Error: ") && result.contains(wanted), "{result}");
    }
    let disabled = finish(chat.world.command().args(["skill", "disable", "counter"]));
    assert!(disabled.ok, "{disabled:?}");
    set_script(&chat, [execute("e", json!({"skill": "counter", "path": "tools/count.py"})), Action::from("It is off.")]);
    let detail = chat.json(&["send", "count"]);
    assert!(steps(&detail, "tool")[0]["result"].as_str().unwrap().contains("is disabled"), "{detail}");
}

#[test]
fn the_command_is_the_script() {
    let world = World::new();
    import(&world);
    let mut command = world.command();
    command.args(["skill", "exec", "counter", "tools/count.py", "--stdin", "-", "--", "--help", "-x"]);
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    child.stdin.take().unwrap().write_all("ein paar Wörter mehr".as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!(String::from_utf8_lossy(&output.stdout), "words: 4 ['--help', '-x']\n");
    assert_eq!((String::from_utf8_lossy(&output.stderr).as_ref(), output.status.code()), ("counted\n", Some(2)));

    let numbers = world.file("in.txt", "one two");
    let exec = |args: &[&str]| finish(world.command().args(["skill", "exec", "counter"]).args(args));
    let run = exec(&["tools/count.py", "--stdin", arg(&numbers)]);
    assert_eq!((run.code, run.stdout.as_str()), (Some(0), "words: 2 []\n"));
    let stopped = exec(&["tools/endless.py", "--timeout", "1"]);
    assert_eq!((stopped.code, stopped.stdout.as_str()), (Some(1), "on\n"));
    assert!(stopped.stderr.contains("limit of 1 s"), "{stopped:?}");
    let refused = exec(&["tools/count.sh"]);
    assert!(refused.code == Some(1) && refused.stderr.contains("only Python files (.py)"), "{refused:?}");

    let json = finish(world.command().args(["--json", "skill", "exec", "counter", "tools/count.py"]));
    let outcome: Value = serde_json::from_str(&json.stdout).unwrap_or_else(|error| panic!("{error}: {json:?}"));
    assert_eq!((json.code, &outcome["exit_code"], &outcome["stdout"]), (Some(254), &json!(254), &json!("words: 0 []\n")));

    // A replay is the same program with the same input.
    let again = finish(world.command().args(["--json", "runs", "replay", outcome["traces"][0]["id"].as_str().unwrap()]));
    let replayed: Value = serde_json::from_str(&again.stdout).unwrap_or_else(|error| panic!("{error}: {again:?}"));
    assert_eq!(replayed["traces"][0]["raw_output"], "words: 0 []\n", "{replayed}");
}

#[test]
fn a_script_of_a_workspace_runs_only_in_a_trusted_one() {
    let world = World::new();
    import(&world);
    world.json(&["skill", "move", "counter", "--to", "workspace"]);
    let exec = ["skill", "exec", "counter", "tools/count.py"];
    assert_eq!(world.refused(&exec)["code"], "notTrusted");
    world.json(&["workspace", "trust"]);
    let run = finish(world.command().arg("--workspace").arg(world.workspace()).args(exec));
    assert_eq!((run.code, run.stdout.as_str()), (Some(254), "words: 0 []\n"), "{run:?}");
}
