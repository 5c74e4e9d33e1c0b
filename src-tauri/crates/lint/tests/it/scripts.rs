use crate::{check, hint_of};

/// A skill with one script.
fn with(script: &str) -> String {
    format!(
        "\n//- skill.json\n{{ \"artifacts\": [ {{ \"path\": \"s.py\", \"kind\": \"code_template\", \"name\": \"S\" }} ] }}\n//- s.py\n{script}\n"
    )
}

#[test]
fn scripts_are_read_as_python() {
    for (script, expected) in [
        ("import inklings\ninklings.submit(inklings.search('{{ a }}'))", &[] as &[&str]),
        ("import inklings\nx = (1\ninklings.submit(x)", &["s.py 2:5-6 error script/syntax: unclosed `(`"]),
        (
            "import inklings\nx = f'{{ a }}'\ninklings.submit(x)",
            &["s.py 2:7-14 error template/value-place: values aren't allowed in an f-string: braces in a value would be read as code"],
        ),
        ("import inklings\ninklings.submit({{ a | uper }})", &["s.py 2:24-28 error template/unknown-filter: unknown filter \"uper\""]),
        ("import inklings\ninklings.search('a')", &["s.py 1:1 warning script/no-submit: the script never calls inklings.submit"]),
        (
            "import inklings\ninklings.submit(inklings.serach('a'))",
            &["s.py 2:26-32 warning script/unknown-function: inklings has no serach"],
        ),
        (
            "from inklings import submit, get_pgae\nsubmit(get_pgae('a'))",
            &["s.py 1:30-38 warning script/unknown-function: inklings has no get_pgae"],
        ),
        (
            "import inklings as ink\nink.submit(ink.skills.lst() + [ink.skills.read, ink.get_page.__name__, ink.HostError])",
            &["s.py 2:16-26 warning script/unknown-function: inklings has no skills.lst"],
        ),
        (
            "import inklings, requests, os.path\nimport urllib.request as r\ninklings.submit(1)",
            &[
                "s.py 1:18-26 warning script/import: requests isn't available: the sandbox has only the Python standard library",
                "s.py 2:8-22 warning script/import: urllib.request doesn't work in the sandbox: scripts have no network",
            ],
        ),
        ("import inklings\ntry:\n  import numpy\nexcept ImportError:\n  numpy = None\ninklings.submit(1)", &[]),
        ("x = {{ a", &["s.py 1:8-9 error template/syntax: unexpected end of input, expected end of variable block"]),
    ] {
        check(&with(script), expected);
    }
}

#[test]
fn hints_say_what_to_write() {
    for (script, hint) in [
        ("import inklings\ninklings.submit(inklings.serach('a'))", "did you mean inklings.search?"),
        ("import inklings\ninklings.submit(1)\nimport threading", "to send several prompts at once, use inklings.llm_query_batched"),
        ("import inklings\ninklings.submit(1) # {{ a }}", "remove it, or use a template comment {# … #}"),
        ("import inklings\ninklings.submit({1: {%})", "put literal {{, {% and {# between {% raw %} and {% endraw %}"),
    ] {
        assert_eq!(hint_of(&with(script)), hint, "{script}");
    }
}
