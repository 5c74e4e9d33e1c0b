//! Next steps in the words of the command line.

use std::borrow::Cow;

use inklings_rpc::{Failure, NextStep};
use serde_json::Value;

/// The hint of a failure, with the command that does the step if there is one.
pub(crate) fn hint(failure: &Failure) -> Option<Cow<'_, str>> {
    let Some(step) = failure.next_step else { return failure.hint.as_deref().map(Cow::Borrowed) };
    let hint = command_hint(step);
    Some(match failure.fields.as_ref().and_then(|fields| argument(step, fields)) {
        Some((placeholder, value)) => hint.replace(placeholder, &value).into(),
        None => hint.into(),
    })
}

/// A placeholder of the hint, and what the failure has for it.
fn argument(step: NextStep, fields: &Value) -> Option<(&'static str, String)> {
    match step {
        NextStep::ApproveGates => {
            let keys = fields["gates"].as_array()?.iter().filter_map(|gate| gate["key"].as_str());
            let keys: Vec<_> = keys.map(shell_quoted).collect();
            (!keys.is_empty()).then(|| ("KEY", keys.join(" --approve ")))
        }
        NextStep::DecideGates => Some(("RUN", fields["run"].as_str()?.to_owned())),
        _ => None,
    }
}

/// An argument in shell syntax.
pub(crate) fn shell_quoted(text: &str) -> String {
    let plain = |letter: char| letter.is_alphanumeric() || matches!(letter, '/' | '.' | '_' | '-');
    if text.chars().all(plain) { text.to_owned() } else { format!("'{}'", text.replace('\'', r"'\''")) }
}

const fn command_hint(step: NextStep) -> &'static str {
    match step {
        NextStep::FindSkill => "list skills with: inklings skill list",
        NextStep::FindRevision => "list revisions with: inklings skill history SKILL",
        NextStep::FindFile | NextStep::FindCopy => "list them with: inklings skill show SKILL",
        NextStep::FindRun => "old runs are deleted automatically; list the others with: inklings runs list",
        NextStep::FindProposal => "list proposals with: inklings proposal list",
        NextStep::MergeProposal => "merge it with the present skill with: inklings proposal rebase PROPOSAL",
        NextStep::FindProvider => "list providers with: inklings model list",
        NextStep::AddModel => "add a model provider with: inklings model add",
        NextStep::SetKey => "set its environment variable, or store a key with: inklings model add NAME --kind KIND --key-stdin",
        NextStep::CheckKeyStore => {
            "unlock the system keychain, or use an environment variable with: inklings model add NAME --kind KIND --key-env VAR"
        }
        NextStep::SetValues => "set the values with: --param NAME=VALUE",
        NextStep::RaiseLimit => "raise the limit with --max-tokens, --max-cost or --timeout",
        NextStep::CheckDspy => "check the DSPy process with: inklings dspy status",
        NextStep::OpenWorkspace => "choose a workspace with --workspace DIR",
        NextStep::ApproveGates => "approve it with --approve KEY",
        NextStep::DecideGates => "decide with: inklings runs approve RUN, or reject",
        NextStep::TrustWorkspace => "review its skills, then trust the workspace with: inklings workspace trust",
    }
}

#[cfg(test)]
mod tests {
    use inklings_rpc::Code;
    use serde_json::json;

    use super::*;

    #[test]
    fn every_command_in_a_hint_exists() {
        let cli = crate::args::command();
        for step in NextStep::ALL {
            let Some((_, command)) = command_hint(step).split_once("inklings ") else { continue };
            let names = command.split([' ', ';']).take_while(|word| word.chars().all(|ch| ch.is_ascii_lowercase()));
            let mut at = &cli;
            for name in names {
                at = at.find_subcommand(name).unwrap_or_else(|| panic!("{step:?} names the command {name:?}"));
            }
            for option in command.split(' ').filter_map(|word| word.strip_prefix("--")) {
                assert!(at.get_arguments().any(|known| known.get_long() == Some(option)), "{step:?} names --{option}");
            }
        }
    }

    #[test]
    fn a_hint_names_what_the_failure_is_about() {
        let failure = |step, fields| Failure::new(Code::ApprovalRequired, "it waits").next_step(step).fields(fields);
        let gates = json!({ "gates": [{ "key": "pre" }, { "key": "second look" }] });
        let approve = "approve it with --approve pre --approve 'second look'";
        assert_eq!(hint(&failure(NextStep::ApproveGates, gates)).as_deref(), Some(approve));
        assert_eq!(hint(&failure(NextStep::ApproveGates, json!({}))).as_deref(), Some("approve it with --approve KEY"));
        let decide = "decide with: inklings runs approve 7, or reject";
        assert_eq!(hint(&failure(NextStep::DecideGates, json!({ "run": "7" }))).as_deref(), Some(decide));
    }

    #[test]
    fn a_hint_without_a_step_is_printed_as_it_is() {
        let failure = Failure::new(Code::Exists, "the name is in use");
        assert_eq!(hint(&failure), None);
        let failure = failure.hint("choose another name");
        assert_eq!(hint(&failure).as_deref(), Some("choose another name"));
        assert_eq!(hint(&failure.next_step(NextStep::FindSkill)).as_deref(), Some("list skills with: inklings skill list"));
    }
}
