use super::Report;

/// One row for each result.
#[must_use]
pub fn to_csv(report: &Report) -> String {
    let mut writer = csv::Writer::from_writer(Vec::new());
    let header = [
        "case",
        "title",
        "split",
        "tags",
        "variant",
        "model",
        "repeat",
        "outcome",
        "input_tokens",
        "output_tokens",
        "cost",
        "paid",
        "duration_ms",
        "error",
        "output",
    ];
    let mut rows = vec![header.map(str::to_owned).to_vec()];
    let number = |value: Option<u64>| value.map(|value| value.to_string()).unwrap_or_default();
    let money = |value: Option<f64>| value.map(|value| value.to_string()).unwrap_or_default();
    for case in &report.cases {
        for (variant, results) in report.variants.iter().zip(&case.results) {
            for result in results {
                rows.push(vec![
                    case.key.clone(),
                    case.title.clone(),
                    if case.split == crate::cases::Split::Train { "train" } else { "validation" }.to_owned(),
                    case.tags.join(","),
                    variant.variant.label.clone(),
                    variant.variant.model.to_string(),
                    result.cell.repeat.to_string(),
                    result.outcome.as_str().to_owned(),
                    number(result.usage.input_tokens),
                    number(result.usage.output_tokens),
                    money(result.usage.cost),
                    money(result.paid.cost),
                    result.duration_ms.to_string(),
                    result.error.clone().unwrap_or_default(),
                    result.output.clone().unwrap_or_default(),
                ]);
            }
        }
    }
    for row in &rows {
        // Writing to memory can't fail.
        drop(writer.write_record(row.iter().map(|cell| defused(cell))));
    }
    writer.into_inner().ok().and_then(|bytes| String::from_utf8(bytes).ok()).unwrap_or_default()
}

/// A cell that a spreadsheet doesn't take for a formula: outputs are untrusted.
fn defused(cell: &str) -> String {
    if cell.starts_with(['=', '+', '-', '@', '\t', '\r']) && cell.parse::<f64>().is_err() { format!("'{cell}") } else { cell.to_owned() }
}
