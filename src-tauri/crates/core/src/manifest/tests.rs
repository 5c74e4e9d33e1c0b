use serde_json::{Value, json};

use super::*;

/// A manifest with one of everything that is usual.
fn memo() -> Value {
    json!({
        "version": 1,
        "requiredToolGroups": ["pages", "research"],
        "requiredTools": ["webSearch"],
        "forbiddenTools": ["deletePage"],
        "requiredIntegrations": [{ "integrationId": "slack", "requiredResources": ["channel:deals"] }],
        "actions": [{ "actionSlug": "draft-memo", "mode": "manual", "required": true }],
        "humanGates": [{ "key": "read-first", "label": "Read it before it goes out", "when": "before_write", "required": true }],
        "goalLoop": { "defaultReviewMode": "supervised", "checkInCadence": "daily" },
        "evals": {
            "triggerCases": ["write a memo about a company we hold"],
            "trackedMetrics": ["acceptance_rate", "success_rate"]
        },
        "interop": {
            "exposeViaMcp": true,
            "exportFormats": ["amble", "claude-skill", "openai-gpt"],
            "externalSafeSummary": "Writes a memo from a company's page."
        }
    })
}

fn strict(value: &Value) -> Vec<(String, String)> {
    let findings = parse(value).err().unwrap_or_default();
    findings.into_iter().map(|finding| (finding.rule, finding.pointer.unwrap_or_default())).collect()
}

#[test]
fn a_manifest_reads_and_writes_back_the_same() {
    let manifest = parse(&memo()).unwrap();
    assert_eq!(manifest.human_gates[0].when, GateMoment::BeforeWrite);
    assert_eq!(manifest.actions[0].mode, ActionMode::Manual);
    assert!(manifest.interop.allows(ExportFormat::ClaudeSkill));
    assert!(!manifest.interop.allows(ExportFormat::Cowork));
    let again = serde_json::to_value(&manifest).unwrap();
    assert_eq!(parse(&again).unwrap(), manifest);
    assert_eq!(again, memo());
    assert_eq!(serde_json::to_value(SkillManifestV1::default()).unwrap(), json!({ "version": 1 }));
}

#[test]
fn every_field_has_a_place() {
    let full = json!({
        "version": 1,
        "deterministicSteps": [{ "key": "sync", "kind": "integration_sync", "ref": "slack", "when": "before", "params": { "days": 3 } }],
        "delegation": [{ "agentSlug": "reader", "role": "reads", "requiredOutputs": ["notes"] }],
        "goalLoop": { "successCriteria": ["memo sent"], "stopConditions": ["two rejections"] },
        "evals": {
            "functionalScenarios": ["a company without figures"],
            "successCriteria": ["names its sources"],
            "criteriaSetRefs": ["house-style"],
            "optimization": {
                "reviewMode": "autonomous",
                "candidateStrategy": "dspy:GEPA",
                "baselineCandidateSlug": "memo",
                "currentCandidateSlug": "memo-2",
                "maxIterations": 5,
                "promotion": { "mode": "autonomous_threshold", "minOverallScore": 4.2 }
            }
        },
        "bindings": [{ "targetKind": "entity_type", "targetRef": "company", "relationshipType": "supports" }]
    });
    let manifest = parse(&full).unwrap();
    let optimization = manifest.evals.optimization.as_ref().unwrap();
    assert_eq!(optimization.candidate_strategy, Some(CandidateStrategy::Dspy("GEPA".to_owned())));
    assert_eq!(manifest.evals.baseline(), Some("memo"));
    assert_eq!(parse(&serde_json::to_value(&manifest).unwrap()).unwrap(), manifest);
}

#[test]
fn strict_names_every_fault_by_pointer() {
    for (manifest, expected) in [
        (json!({}), vec![("manifest/missing-key", "")]),
        (json!([]), vec![("manifest/type", "")]),
        (json!({ "version": 2, "x": 1 }), vec![("manifest/version", "/version")]),
        (json!({ "version": "1" }), vec![("manifest/version", "/version")]),
        (json!({ "version": 1, "requiredTool": [] }), vec![("manifest/unknown-key", "/requiredTool")]),
        (json!({ "version": 1, "a/b~c": 1 }), vec![("manifest/unknown-key", "/a~1b~0c")]),
        (
            json!({ "version": 1, "requiredTools": ["a", 3, ""] }),
            vec![("manifest/type", "/requiredTools/1"), ("manifest/value", "/requiredTools/2")],
        ),
        (json!({ "version": 1, "requiredTools": null }), vec![("manifest/type", "/requiredTools")]),
        (
            json!({ "version": 1, "actions": [{ "mode": "queu", "x": 1 }] }),
            vec![("manifest/value", "/actions/0/mode"), ("manifest/unknown-key", "/actions/0/x"), ("manifest/missing-key", "/actions/0")],
        ),
        (json!({ "version": 1, "goalLoop": { "defaultReviewMode": 3 } }), vec![("manifest/type", "/goalLoop/defaultReviewMode")]),
        (json!({ "version": 1, "goalLoop": [] }), vec![("manifest/type", "/goalLoop")]),
        (json!({ "version": 1, "interop": { "exportFormats": ["amble", "zip"] } }), vec![("manifest/value", "/interop/exportFormats/1")]),
        (
            json!({ "version": 1, "evals": { "optimization": { "maxIterations": 0 } } }),
            vec![("manifest/value", "/evals/optimization/maxIterations")],
        ),
        (
            json!({ "version": 1, "evals": { "optimization": { "candidateStrategy": "dspi" } } }),
            vec![("manifest/value", "/evals/optimization/candidateStrategy")],
        ),
        (json!({ "version": 1, "evals": { "optimization": { "candidateStrategy": "dspy:" } } }), vec![("manifest/shape", "")]),
        (
            json!({ "version": 1, "evals": { "optimization": { "promotion": { "mode": "autonomous_threshold" } } } }),
            vec![("manifest/promotion-threshold", "/evals/optimization/promotion")],
        ),
        (
            json!({ "version": 1, "evals": { "optimization": { "promotion": { "minOverallScore": 40 } } } }),
            vec![("manifest/promotion-threshold", "/evals/optimization/promotion/minOverallScore")],
        ),
        (
            json!({ "version": 1, "humanGates": [
            { "key": "a", "label": "A", "when": "before_run" }, { "key": "a", "label": "B", "when": "after_draft" }
        ] }),
            vec![("manifest/duplicate", "/humanGates/1/key")],
        ),
    ] {
        let expected: Vec<_> = expected.into_iter().map(|(rule, at)| (rule.to_owned(), at.to_owned())).collect();
        assert_eq!(strict(&manifest), expected, "{manifest}");
    }
}

#[test]
fn hints_name_what_was_meant() {
    let findings = parse(&json!({ "version": 1, "required_tools": [], "humanGates": [
        { "key": "a", "label": "A", "when": "before-run" }
    ] }))
    .unwrap_err();
    assert_eq!(findings[0].hint.as_deref(), Some("did you mean \"requiredTools\"?"));
    assert_eq!(findings[1].hint.as_deref(), Some("did you mean \"before_run\"?"));
    assert_eq!(findings[1].message, "unknown value \"before-run\" for \"when\"");
}

#[test]
fn a_contradiction_is_a_warning_and_reads_on() {
    let value = json!({ "version": 1, "requiredTools": ["a"], "forbiddenTools": ["b", "a"] });
    assert!(parse(&value).is_ok());
    let (_, findings) = check(&value);
    assert_eq!(findings[0].pointer.as_deref(), Some("/forbiddenTools/1"));
    assert!(!findings[0].is_error());
}

#[test]
fn safe_never_fails() {
    let metadata = |manifest: Value| serde_json::from_value::<Map<String, Value>>(json!({ "manifest": manifest })).unwrap();
    assert_eq!(safe(&Map::new()), (SkillManifestV1::default(), Vec::new()));
    for broken in [json!({ "version": 2 }), json!("x"), json!(null), json!({ "version": 1, "actions": 1 })] {
        let (manifest, findings) = safe(&metadata(broken.clone()));
        assert_eq!(manifest, SkillManifestV1::default(), "{broken}");
        assert!(!findings.is_empty() && findings.iter().all(|finding| finding.severity == Severity::Warning), "{broken}");
    }
    let (manifest, findings) = safe(&metadata(json!({ "version": 1, "requiredTools": ["a"], "future": { "x": 1 } })));
    assert_eq!(manifest.required_tools, ["a"]);
    assert_eq!(findings[0].pointer.as_deref(), Some("/manifest/future"));
}

#[test]
fn a_manifest_that_cannot_be_read_hides_the_skill_from_programs() {
    let metadata = |manifest: Value| serde_json::from_value::<Map<String, Value>>(json!({ "manifest": manifest })).unwrap();
    assert!(is_exposed_via_mcp(&Map::new()) && is_exposed_via_mcp(&metadata(memo())));
    assert!(is_exposed_via_mcp(&metadata(json!({ "version": 1, "future": 1 }))), "an unknown key is no mistake of a type");
    let hidden = json!({ "exposeViaMcp": false });
    for manifest in [
        json!({ "version": 1, "interop": hidden }),
        json!({ "version": 1, "requiredTools": "a", "interop": hidden }),
        json!({ "version": 1, "interop": { "exposeViaMcp": "no" } }),
        json!({ "version": 2 }),
        json!("x"),
    ] {
        assert!(!is_exposed_via_mcp(&metadata(manifest.clone())), "{manifest}");
    }
}

#[test]
fn the_prompt_line_discloses_a_little() {
    let summary = summarize(&parse(&memo()).unwrap());
    assert_eq!(
        prompt_line(&summary).unwrap(),
        "  - when to use: write a memo about a company we hold\n  \
         - needs: tools[webSearch] · groups[pages, research] · integrations[slack]\n  \
         - review: 1 human gate · supervised"
    );
    assert!(summary.evals.contract);
    let labels: Vec<_> = badges(&summary).into_iter().map(|badge| badge.label).collect();
    assert_eq!(labels, ["3 tools", "1 integration", "1 gate", "goal loop"]);

    let nothing = summarize(&SkillManifestV1::default());
    assert_eq!((nothing.declared, prompt_line(&nothing), badges(&nothing).len()), (false, None, 0));
}

#[test]
fn a_prompt_line_stays_inside_its_lines() {
    let long = format!("first\n\n## System\u{7}\r\n{}", "x".repeat(500));
    let summary = SkillManifestSummary {
        triggers: vec![long],
        required_tools: (0..20).map(|n| format!("t{n}")).collect(),
        ..SkillManifestSummary::default()
    };
    let lines = prompt_line(&summary).unwrap();
    assert_eq!(lines.lines().count(), 2);
    assert!(lines.starts_with("  - when to use: first ## System xxx"));
    assert!(lines.contains("t7, 12 more]"));
    assert!(lines.chars().count() < 300);
}

#[test]
fn a_policy_alone_is_no_contract() {
    let value = json!({ "version": 1, "evals": { "optimization": { "promotion": { "mode": "human_gate" } } } });
    assert!(!parse(&value).unwrap().evals.has_contract());
    let value = json!({ "version": 1, "evals": { "baselineSkillSlug": "memo" } });
    assert!(parse(&value).unwrap().evals.has_contract());
}

#[test]
fn the_policys_baseline_wins() {
    for (optimization, baseline) in [
        (json!({}), "old"),
        (json!({ "baselineCandidateSlug": "candidate" }), "candidate"),
        (json!({ "baselineSkillSlug": "skill", "baselineCandidateSlug": "candidate" }), "skill"),
    ] {
        let value = json!({ "version": 1, "evals": { "baselineSkillSlug": "old", "optimization": optimization } });
        assert_eq!(parse(&value).unwrap().evals.baseline(), Some(baseline));
    }
}

#[test]
fn the_schema_has_no_references() {
    let text = schema().to_string();
    assert!(!text.contains("$ref"), "{text}");
    assert!(text.contains("additionalProperties"));
}
