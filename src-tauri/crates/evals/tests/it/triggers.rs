use inklings_core::manifest::Evals;
use inklings_evals::cases::read;
use inklings_evals::triggers::{Confusion, evaluate};

#[test]
fn misses_are_counted_by_what_fires_instead() {
    let text = r#"[
        { "query": "ours", "should_trigger": true },
        { "query": "second", "should_trigger": true },
        { "query": "other", "should_trigger": true },
        { "query": "nothing", "should_trigger": true },
        { "query": "ours, wrongly", "should_trigger": false },
        { "query": "nothing, rightly", "should_trigger": false }
    ]"#;
    let cases = read(&Evals::default(), [("evals/a.json", text)]).cases;
    let report = evaluate("ours", &cases, |query| -> Result<Vec<String>, ()> {
        let ranking: &[&str] = match query.split([',', ' ']).next().unwrap() {
            "ours" => &["ours", "theirs"],
            "second" => &["theirs", "ours"],
            "other" => &["theirs"],
            _ => &[],
        };
        Ok(ranking.iter().map(|slug| (*slug).to_owned()).collect())
    });
    let report = report.unwrap();
    assert!((report.rate.unwrap().rate - 2.0 / 6.0).abs() < 1e-12);
    let confusion = |skill: Option<&str>, queries: &[&str]| Confusion {
        skill: skill.map(str::to_owned),
        queries: queries.iter().map(|query| (*query).to_owned()).collect(),
    };
    assert_eq!(report.confusions, [confusion(Some("theirs"), &["second", "other"]), confusion(None, &["nothing"])]);
    assert_eq!(report.false_alarms, ["ours, wrongly"]);
    assert_eq!(evaluate("ours", &cases, |_| Err("no index")), Err("no index"));
}
