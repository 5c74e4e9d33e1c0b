//! Compares results with budgets and with the baseline.

use std::fmt::Write as _;

use anyhow::{Context, Result, bail};
use serde_json::Value;

/// How much slower than the baseline a benchmark may be, at equal speed of the machine.
const SLACK: f64 = 1.5;

/// What programs that aren't ours take, in nanoseconds by benchmark id, on a machine for which the budgets are meant.
#[derive(Debug)]
pub(crate) struct ReferenceMachine(Vec<(String, f64)>);

impl ReferenceMachine {
    /// Parses the object `reference_machine` of budgets.json: `{"id": "40 ms"}`.
    pub(crate) fn read(file: &Value) -> Result<Self> {
        let entries = file["reference_machine"].as_object().context("no object `reference_machine` in budgets.json")?;
        let read = |(id, time): (&String, &Value)| {
            let time = time.as_str().context("expected a time like `40 ms`").and_then(|text| amount(id, text));
            Ok((id.clone(), time.with_context(|| format!("budgets.json, {id}"))?))
        };
        entries.iter().map(read).collect::<Result<_>>().map(Self)
    }

    /// How many times as long the machine of a run takes: the median over these programs, whatever else kept it busy. `None` if the run
    /// has none of them.
    pub(crate) fn slowness(&self, run: &Value) -> Option<f64> {
        let mut ratios: Vec<f64> = self.0.iter().filter_map(|(id, time)| Some(run["benchmarks"][id].as_f64()? / time)).collect();
        ratios.sort_by(f64::total_cmp);
        ratios.get(ratios.len() / 2).copied()
    }
}

/// The limit of a benchmark.
#[derive(Debug, PartialEq)]
pub(crate) struct Budget {
    id: String,
    against: Against,
    /// Why it is missed. A missed budget with a reason is reported but doesn't fail.
    known: Option<String>,
    by: By,
}

/// The task that measures it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum By {
    Bench,
    /// `cargo xtask package --check`.
    Package,
}

#[derive(Debug, PartialEq)]
enum Against {
    /// Nanoseconds, or bytes.
    Fixed(f64),
    /// Another benchmark, and the maximum ratio to its time.
    Peer(String, f64),
}

impl Budget {
    /// Parses `{"benchmarks": {"id": {"budget": "40 ms"}, "other": {"peer": "id", "most": 1.5}}}`, filtered by `by`.
    pub(crate) fn read_all(file: &Value, by: By) -> Result<Vec<Self>> {
        let entries = file["benchmarks"].as_object().context("no object `benchmarks` in budgets.json")?;
        let budgets: Result<Vec<Self>> =
            entries.iter().map(|(id, entry)| Self::read(id, entry).with_context(|| format!("budgets.json, {id}"))).collect();
        Ok(budgets?.into_iter().filter(|budget| budget.by == by).collect())
    }

    fn read(id: &str, entry: &Value) -> Result<Self> {
        let against = match (entry["budget"].as_str(), entry["peer"].as_str()) {
            (Some(text), None) => Against::Fixed(amount(id, text)?),
            (None, Some(peer)) => Against::Peer(peer.to_owned(), entry["most"].as_f64().context("`peer` requires the number `most`")?),
            _ => bail!("needs either `budget` or `peer`"),
        };
        let by = match entry["by"].as_str() {
            None => By::Bench,
            Some("package") => By::Package,
            Some(other) => bail!("`by` is {other}: only `package` is known"),
        };
        Ok(Self { id: id.to_owned(), against, known: entry["known"].as_str().map(str::to_owned), by })
    }
}

/// Whether the unit is bytes.
fn is_size(id: &str) -> bool {
    id.starts_with("size/")
}

fn amount(id: &str, text: &str) -> Result<f64> {
    let (number, unit) = text.split_once(' ').context("expected an amount like `40 ms` or `200 KB`")?;
    let number: f64 = number.parse().with_context(|| format!("{number} isn't a number"))?;
    let factor = match (is_size(id), unit) {
        (false, "ns") => 1.0,
        (false, "us") | (true, "KB") => 1e3,
        (false, "ms") | (true, "MB") => 1e6,
        (false, "s") => 1e9,
        (true, "KiB") => 1024.0,
        (true, "MiB") => 1024.0 * 1024.0,
        (true, _) => bail!("unknown unit {unit}: use KB, MB, KiB or MiB"),
        _ => bail!("unknown unit {unit}: use ns, us, ms or s"),
    };
    Ok(number * factor)
}

#[derive(Debug, PartialEq)]
pub(crate) struct Verdict {
    id: String,
    ours: Option<f64>,
    /// The limit in nanoseconds, with its description.
    allowed: Option<(f64, String)>,
    /// Ratio to the baseline, adjusted for the machine's speed.
    drift: Option<f64>,
    /// Why the budget is missed.
    known: Option<String>,
}

impl Verdict {
    /// Ratio to the limit.
    fn ratio(&self) -> Option<f64> {
        Some(self.ours? / self.allowed.as_ref()?.0)
    }

    fn is_over(&self) -> bool {
        self.ratio().is_some_and(|ratio| ratio > 1.0)
    }

    /// Whether it was measured, is within its budget or known not to be, and isn't much slower than the baseline.
    pub(crate) fn ok(&self) -> bool {
        let allowed = !self.is_over() || self.known.is_some();
        self.ours.is_some() && allowed && self.drift.is_none_or(|drift| drift <= SLACK)
    }

    /// Note at the end of the row.
    fn mark(&self) -> String {
        match &self.known {
            _ if !self.ok() => "  MISSED".to_owned(),
            Some(reason) if self.is_over() => format!("  missed, known: {reason}"),
            Some(_) => "  met: remove `known` from budgets.json".to_owned(),
            None => String::new(),
        }
    }
}

/// A verdict for each budget, then for each other measured benchmark. A slower machine has more time for its budgets.
pub(crate) fn verdicts(budgets: &[Budget], machine: &ReferenceMachine, results: &Value, baseline: &Value) -> Vec<Verdict> {
    let ours = |id: &str| results["benchmarks"][id].as_f64();
    let slowness = |run: &Value| machine.slowness(run).unwrap_or(1.0);
    let (here, there) = (slowness(results), slowness(baseline));
    let slower = |id: &str| if is_size(id) { 1.0 } else { here / there };
    let drift = |id: &str| Some(ours(id)? / baseline["benchmarks"][id].as_f64()? / slower(id));
    let held = budgets.iter().map(|budget| {
        let allowed = match &budget.against {
            Against::Fixed(size) if is_size(&budget.id) => Some((*size, "budget".to_owned())),
            Against::Fixed(time) => Some((*time * here.max(1.0), "budget".to_owned())),
            // Without a measured peer nothing passes.
            Against::Peer(peer, most) => {
                let (time, note) = ours(peer).map_or((0.0, ", unmeasured"), |time| (time, ""));
                Some((time * most, format!("{most} x {peer}{note}")))
            }
        };
        Verdict { id: budget.id.clone(), ours: ours(&budget.id), allowed, drift: drift(&budget.id), known: budget.known.clone() }
    });
    let others = results["benchmarks"].as_object().into_iter().flatten();
    let others = others.filter(|(id, _)| !budgets.iter().any(|budget| budget.id == **id));
    let others = others.map(|(id, time)| Verdict { id: id.clone(), ours: time.as_f64(), allowed: None, drift: drift(id), known: None });
    held.chain(others).collect()
}

/// Name, result, limit, ratio, and drift from the baseline.
pub(crate) fn table(verdicts: &[Verdict]) -> String {
    let width = verdicts.iter().map(|verdict| verdict.id.chars().count()).max().unwrap_or(0).max(9);
    let mut text = format!("{:width$}  {:>10}  {:>10}  {:>6}  {:>9}\n", "benchmark", "ours", "allowed", "ratio", "baseline");
    for verdict in verdicts {
        let shown = |amount| if is_size(&verdict.id) { bytes(amount) } else { shown(amount) };
        let ours = verdict.ours.map_or_else(|| "unmeasured".into(), shown);
        let allowed = verdict.allowed.as_ref().map_or_else(String::new, |(time, _)| shown(*time));
        let ratio = verdict.ratio().map_or_else(String::new, |ratio| format!("{ratio:.2}"));
        let drift = verdict.drift.map_or_else(String::new, |drift| format!("x {drift:.2}"));
        let source = verdict.allowed.as_ref().map_or("", |(_, source)| source.as_str());
        let mark = verdict.mark();
        let line = format!("{:width$}  {ours:>10}  {allowed:>10}  {ratio:>6}  {drift:>9}  {source}{mark}", verdict.id);
        // Writing to a string cannot fail.
        let _ = writeln!(text, "{}", line.trim_end());
    }
    text
}

fn bytes(bytes: f64) -> String {
    const MIB: f64 = 1024.0 * 1024.0;
    if bytes < MIB { format!("{:.1} KiB", bytes / 1024.0) } else { format!("{:.1} MiB", bytes / MIB) }
}

fn shown(nanoseconds: f64) -> String {
    let (value, unit) = match nanoseconds {
        n if n < 1e3 => (n, "ns"),
        n if n < 1e6 => (n / 1e3, "us"),
        n if n < 1e9 => (n / 1e6, "ms"),
        n => (n / 1e9, "s"),
    };
    format!("{value:.2} {unit}")
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn budgets(value: &Value) -> Vec<Budget> {
        Budget::read_all(&json!({ "benchmarks": value }), By::Bench).unwrap()
    }

    /// Where `native` takes 10 ns.
    fn machine() -> ReferenceMachine {
        ReferenceMachine(vec![("native".to_owned(), 10.0)])
    }

    fn verdict(budget: &Value, results: &Value, baseline: &Value) -> Verdict {
        verdicts(&budgets(&json!({ "a": budget })), &machine(), results, baseline).remove(0)
    }

    #[test]
    fn a_time_is_held_in_its_unit() {
        let results = |time: f64| json!({ "benchmarks": { "a": time } });
        assert!(verdict(&json!({ "budget": "40 ms" }), &results(39e6), &Value::Null).ok());
        assert!(!verdict(&json!({ "budget": "40 ms" }), &results(41e6), &Value::Null).ok());
    }

    #[test]
    fn a_peer_is_measured_in_the_same_run() {
        let results = json!({ "benchmarks": { "a": 150.0, "native": 100.0 } });
        assert!(verdict(&json!({ "peer": "native", "most": 1.5 }), &results, &Value::Null).ok());
        assert!(!verdict(&json!({ "peer": "native", "most": 1.4 }), &results, &Value::Null).ok());
        assert!(!verdict(&json!({ "peer": "elsewhere", "most": 1.4 }), &results, &Value::Null).ok(), "nothing measured it");
    }

    #[test]
    fn a_budget_that_nothing_measured_is_missed() {
        let results = json!({ "benchmarks": { "b": 1.0 } });
        let found = verdicts(&budgets(&json!({ "a": { "budget": "1 s" } })), &machine(), &results, &Value::Null);
        assert_eq!(found.iter().map(Verdict::ok).collect::<Vec<_>>(), [false, true]);
        assert!(table(&found).contains("unmeasured"));
    }

    #[test]
    fn the_baseline_is_compared_at_equal_machine_speed() {
        let baseline = json!({ "benchmarks": { "a": 100.0, "native": 10.0 } });
        let budget = json!({ "budget": "1 s" });
        let slow_machine = json!({ "benchmarks": { "a": 300.0, "native": 30.0 } });
        assert!(verdict(&budget, &slow_machine, &baseline).ok());
        let slow_code = json!({ "benchmarks": { "a": 300.0, "native": 10.0 } });
        assert!(!verdict(&budget, &slow_code, &baseline).ok());
    }

    #[test]
    fn a_slow_machine_has_more_time_and_a_fast_one_no_less() {
        let budget = json!({ "budget": "40 ms" });
        let results = |time: f64, native: f64| json!({ "benchmarks": { "a": time, "native": native } });
        assert!(verdict(&budget, &results(59e6, 15.0), &Value::Null).ok());
        assert!(!verdict(&budget, &results(61e6, 15.0), &Value::Null).ok());
        assert!(verdict(&budget, &results(39e6, 5.0), &Value::Null).ok());
        assert!(!verdict(&budget, &results(41e6, 5.0), &Value::Null).ok());
    }

    #[test]
    fn the_speed_of_a_machine_is_the_median_of_several_programs() {
        let machine =
            ReferenceMachine::read(&json!({ "reference_machine": { "a": "1 ms", "b": "1 us", "c": "1 ns", "absent": "1 s" } })).unwrap();
        let run = json!({ "benchmarks": { "a": 2e6, "b": 1_500.0, "c": 90.0 } });
        assert_eq!(machine.slowness(&run), Some(2.0));
        assert_eq!(machine.slowness(&json!({ "benchmarks": {} })), None);
        let wrong = ReferenceMachine::read(&json!({ "reference_machine": { "a": 1 } })).unwrap_err();
        assert_eq!(format!("{wrong:#}"), "budgets.json, a: expected a time like `40 ms`");
    }

    #[test]
    fn a_size_is_the_same_on_every_machine() {
        let budgets = budgets(&json!({ "size/page": { "budget": "200 KB" } }));
        let results = json!({ "benchmarks": { "size/page": 180.0 * 1024.0, "native": 30.0 } });
        let baseline = json!({ "benchmarks": { "size/page": 100.0 * 1024.0, "native": 10.0 } });
        let found = verdicts(&budgets, &machine(), &results, &baseline);
        assert!(!found[0].ok(), "it grew by more than half");
        assert!(table(&found).contains("180.0 KiB"));
        assert!(verdicts(&budgets, &machine(), &results, &Value::Null)[0].ok());
        let sized = |bytes: f64| verdicts(&budgets, &machine(), &json!({ "benchmarks": { "size/page": bytes } }), &Value::Null).remove(0);
        assert!(sized(200_000.0).ok() && !sized(200_001.0).ok());
    }

    #[test]
    fn a_budget_that_cannot_be_read_is_named() {
        let wrong = json!({ "benchmarks": { "a": { "budget": "40 parsecs" } } });
        assert_eq!(
            format!("{:#}", Budget::read_all(&wrong, By::Bench).unwrap_err()),
            "budgets.json, a: unknown unit parsecs: use ns, us, ms or s"
        );
    }

    #[test]
    fn a_missed_budget_with_a_reason_is_reported_and_does_not_fail() {
        let budget = json!({ "budget": "40 ms", "known": "the web view" });
        let results = |time: f64| json!({ "benchmarks": { "a": time } });
        let missed = verdict(&budget, &results(41e6), &Value::Null);
        assert!(missed.ok());
        assert!(table(&[missed]).contains("missed, known: the web view"));
        let met = verdict(&budget, &results(39e6), &Value::Null);
        assert!(met.ok());
        assert!(table(&[met]).contains("remove `known`"));
    }

    #[test]
    fn a_reason_excuses_neither_a_slower_run_nor_a_missing_one() {
        let budget = json!({ "budget": "40 ms", "known": "the web view" });
        let baseline = json!({ "benchmarks": { "a": 41e6 } });
        let slower = verdict(&budget, &json!({ "benchmarks": { "a": 80e6 } }), &baseline);
        assert!(!slower.ok());
        assert!(table(&[slower]).contains("MISSED"));
        assert!(!verdict(&budget, &json!({ "benchmarks": {} }), &baseline).ok());
    }

    #[test]
    fn what_the_package_measures_is_none_of_the_benchmarks() {
        let file = json!({ "benchmarks": { "a": { "budget": "1 s" }, "size/deb": { "budget": "80 MiB", "by": "package" } } });
        let ids = |by| Budget::read_all(&file, by).unwrap().into_iter().map(|budget| budget.id).collect::<Vec<_>>();
        assert_eq!((ids(By::Bench), ids(By::Package)), (vec!["a".to_owned()], vec!["size/deb".to_owned()]));
        let package = Budget::read_all(&file, By::Package).unwrap();
        let sized = |bytes: f64| verdicts(&package, &machine(), &json!({ "benchmarks": { "size/deb": bytes } }), &Value::Null).remove(0);
        assert!(sized(79.0 * 1024.0 * 1024.0).ok() && !sized(81.0 * 1024.0 * 1024.0).ok());
    }

    #[test]
    fn the_stored_run_meets_every_budget_or_says_why_not() {
        let read = |name: &str| -> Value {
            let file = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../tests/bench").join(name);
            serde_json::from_str(&std::fs::read_to_string(file).unwrap()).unwrap()
        };
        let stored = read("baseline.json");
        let file = read("budgets.json");
        let machine = ReferenceMachine::read(&file).unwrap();
        assert!(machine.0.iter().all(|(id, _)| stored["benchmarks"][id].is_number()), "the stored run has all of {machine:?}");
        let found = verdicts(&Budget::read_all(&file, By::Bench).unwrap(), &machine, &stored, &stored);
        let missed: Vec<_> = found.iter().filter(|verdict| !verdict.ok()).map(|verdict| &verdict.id).collect();
        assert!(missed.is_empty(), "{missed:?}");
        let met: Vec<_> = found.iter().filter(|verdict| verdict.known.is_some() && !verdict.is_over()).map(|verdict| &verdict.id).collect();
        assert!(met.is_empty(), "known as missed, but met: {met:?}");
    }
}
