//! Validation and symbols of whole skills.
#![no_main]

use std::sync::LazyLock;

use inklings_core::ports::SkillFormat as _;
use inklings_fuzz::locates;
use inklings_lint::{Context, check_file, check_skill, offers};
use inklings_prompt::PromptEngine;
use inklings_symbols::Texts;
use inklings_symbols::lines::Lines;
use libfuzzer_sys::fuzz_target;

static PROMPTS: LazyLock<PromptEngine> = LazyLock::new(PromptEngine::new);

fuzz_target!(|bytes: &[u8]| {
    let format = inklings_fuzz::folder();
    let Ok(reading) = format.read(&inklings_fuzz::described(bytes), "my-skill", None) else { return };
    let package = reading.package;
    locates(&check_skill(&package, &format));
    let context = Context { package: &package, format: &format };
    let texts = Texts::new(&package, &PROMPTS, []);
    for (path, text) in texts.files() {
        let findings = check_file(&context, path, text);
        locates(&findings);
        for offer in offers(&context, path, text, &findings) {
            assert!(offer.finding < findings.len() && !offer.fix.title.is_empty());
        }
        let lines = Lines::new(text);
        for mention in texts.mentions(path) {
            assert!(text.get(mention.range.clone()).is_some_and(|text| !text.is_empty()), "{mention:?} in {path}:\n{text}");
            let (line, column) = lines.position(mention.range.start);
            assert_eq!(lines.offset(line, column), mention.range.start, "{mention:?} in {path}");
        }
    }
});
