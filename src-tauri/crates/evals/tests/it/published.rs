//! Statistics against published values, and properties that hold for all data.

use inklings_evals::statistics::{CasePair, ComparisonVerdict, PassRate, compare, sign_flip_p_value, wilson};
use proptest::prelude::*;

/// Pairs from a table: both passed, only the candidate, only the baseline, neither.
fn table([both, candidate, baseline, neither]: [usize; 4]) -> Vec<CasePair> {
    let pair = |baseline, candidate| CasePair { baseline, candidate, repeats: 1 };
    let cells = [(pair(1, 1), both), (pair(0, 1), candidate), (pair(1, 0), baseline), (pair(0, 0), neither)];
    cells.into_iter().flat_map(|(pair, times)| std::iter::repeat_n(pair, times)).collect()
}

/// Newcombe, Stat Med 17 (1998), p. 857, table I, method 3.
#[test]
fn wilson_intervals_are_the_published_ones() {
    for (passed, cases, low, high) in
        [(81.0, 263.0, 0.2553, 0.3662), (15.0, 148.0, 0.0624, 0.1605), (0.0, 20.0, 0.0, 0.1611), (1.0, 29.0, 0.0061, 0.1718)]
    {
        let found = wilson(passed, cases);
        assert!((found.low - low).abs() < 5e-5 && (found.high - high).abs() < 5e-5, "{passed} of {cases}: {found:?}");
    }
}

/// Fagerland, Lydersen and Laake, Statistical Analysis of Contingency Tables (2017), chapter 8: Bentur et al. (2009) and Cavo et al.
/// (2012); Altman et al., Statistics with Confidence (2000), table 6.2.
#[test]
fn paired_intervals_are_the_published_ones() {
    for (cells, difference, low, high, digits) in [
        ([1, 1, 7, 12], -0.2857, -0.507, -0.026, 5e-4),
        ([59, 6, 16, 80], -0.0621, -0.1186, -0.0046, 5e-5),
        ([14, 5, 0, 22], 0.122, 0.011, 0.226, 5e-4),
    ] {
        let found = compare(&table(cells)).unwrap();
        assert!((found.difference - difference).abs() < 5e-5 || digits > 1e-4, "{cells:?}: {found:?}");
        assert!((found.interval.low - low).abs() < digits && (found.interval.high - high).abs() < digits, "{cells:?}: {found:?}");
    }
}

/// The same sources: the exact conditional test of `McNemar`.
#[test]
fn with_one_repeat_the_test_is_mcnemars() {
    for (cells, p) in [([1, 1, 7, 12], 0.0703), ([59, 6, 16, 80], 0.0525), ([14, 5, 0, 22], 0.0625)] {
        let found = compare(&table(cells)).unwrap();
        assert!((found.p_value - p).abs() < 5e-5, "{cells:?}: {found:?}");
        assert_eq!(found.verdict, ComparisonVerdict::NoDifferenceShown);
    }
}

#[test]
fn verdicts_need_enough_cases_and_a_significant_difference() {
    let verdict = |cells| compare(&table(cells)).unwrap().verdict;
    assert_eq!(verdict([0, 5, 0, 0]), ComparisonVerdict::TooFew);
    assert_eq!(verdict([0, 6, 0, 0]), ComparisonVerdict::Better);
    assert_eq!(verdict([0, 0, 6, 0]), ComparisonVerdict::Worse);
    assert_eq!(verdict([10, 5, 0, 10]), ComparisonVerdict::NoDifferenceShown);
    assert_eq!(verdict([10, 3, 3, 10]), ComparisonVerdict::NoDifferenceShown);
    assert_eq!(compare(&[]), None);
    assert_eq!(PassRate::of(&[]), None);
}

#[test]
fn repeats_refine_a_case_but_do_not_multiply_it() {
    let repeated: Vec<_> = (0..5).map(|_| CasePair { baseline: 0, candidate: 20, repeats: 20 }).collect();
    assert_eq!(compare(&repeated).unwrap().verdict, ComparisonVerdict::TooFew);
    let found = compare(&[CasePair { baseline: 1, candidate: 3, repeats: 4 }; 8]).unwrap();
    assert!((found.difference - 0.5).abs() < 1e-12);
    assert_eq!((found.verdict, found.improved), (ComparisonVerdict::Better, 8));
}

fn pairs() -> impl Strategy<Value = Vec<CasePair>> {
    let pair = (1_u32..6).prop_flat_map(|repeats| {
        (0..=repeats, 0..=repeats).prop_map(move |(baseline, candidate)| CasePair { baseline, candidate, repeats })
    });
    proptest::collection::vec(pair, 1..60)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(512))]

    #[test]
    fn a_rate_is_within_its_interval(cases in 1_u32..500, share in 0.0_f64..=1.0) {
        let passed = (f64::from(cases) * share).floor();
        let found = wilson(passed, f64::from(cases));
        prop_assert!(found.contains(passed / f64::from(cases)), "{found:?}");
        prop_assert!(found.low >= 0.0 && found.high <= 1.0 && found.low < found.high);
    }

    #[test]
    fn swapping_the_variants_mirrors_the_comparison(pairs in pairs()) {
        let swapped: Vec<_> =
            pairs.iter().map(|pair| CasePair { baseline: pair.candidate, candidate: pair.baseline, ..*pair }).collect();
        let (one, other) = (compare(&pairs).unwrap(), compare(&swapped).unwrap());
        prop_assert!(one.interval.contains(one.difference), "{one:?}");
        prop_assert!((one.difference + other.difference).abs() < 1e-9);
        prop_assert!((one.interval.low + other.interval.high).abs() < 1e-9, "{one:?} {other:?}");
        prop_assert!((one.p_value - other.p_value).abs() < 1e-9);
        let mirrored = match other.verdict {
            ComparisonVerdict::Better => ComparisonVerdict::Worse,
            ComparisonVerdict::Worse => ComparisonVerdict::Better,
            same => same,
        };
        prop_assert_eq!(one.verdict, mirrored);
    }

    #[test]
    fn a_p_value_is_a_probability_and_ignores_order(mut differences in proptest::collection::vec(-4_i64..=4, 0..40)) {
        let p = sign_flip_p_value(&differences);
        prop_assert!((0.0..=1.0).contains(&p) && p > 0.0);
        differences.reverse();
        prop_assert!((p - sign_flip_p_value(&differences)).abs() < 1e-9);
    }
}
