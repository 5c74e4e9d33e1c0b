//! Seeded simulations: how often intervals cover the truth, and how often noise is called an improvement.

use fastrand::Rng;
use inklings_evals::statistics::{ALPHA, CONFIDENCE, CasePair, ComparisonVerdict, PassRate, compare};

const EXPERIMENTS: u32 = 1_000;

fn passes(rng: &mut Rng, rate: f64, repeats: u32) -> u32 {
    u32::try_from((0..repeats).filter(|_| rng.f64() < rate).count()).unwrap()
}

/// Cases of all difficulties, which both variants share; the candidate passes each with `effect` more probability.
fn experiment(rng: &mut Rng, cases: usize, repeats: u32, effect: f64) -> Vec<CasePair> {
    let pair = |_| {
        let difficulty = rng.f64() * (1.0 - effect);
        let (baseline, candidate) = (passes(rng, difficulty, repeats), passes(rng, difficulty + effect, repeats));
        CasePair { baseline, candidate, repeats }
    };
    (0..cases).map(pair).collect()
}

fn share(hits: u32) -> f64 {
    f64::from(hits) / f64::from(EXPERIMENTS)
}

#[test]
fn intervals_of_rates_cover_the_truth() {
    let mut rng = Rng::with_seed(1927);
    for cases in [10_u32, 40, 200] {
        let mut covered = 0;
        for _ in 0..EXPERIMENTS {
            let truth = rng.f64();
            let shares: Vec<_> = (0..cases).map(|_| f64::from(passes(&mut rng, truth, 1))).collect();
            covered += u32::from(PassRate::of(&shares).unwrap().interval.contains(truth));
        }
        println!("{cases} cases: {:.3} of the intervals of a rate cover it", share(covered));
        assert!(share(covered) >= CONFIDENCE - 0.015, "{cases}: {covered}");
    }
}

#[test]
fn intervals_of_differences_cover_the_truth() {
    let mut rng = Rng::with_seed(1998);
    for (cases, repeats, effect) in [(20, 1, 0.0), (40, 1, 0.2), (100, 1, 0.1), (40, 3, 0.2), (40, 5, 0.0)] {
        let covered =
            (0..EXPERIMENTS).filter(|_| compare(&experiment(&mut rng, cases, repeats, effect)).unwrap().interval.contains(effect)).count();
        let covered = u32::try_from(covered).unwrap();
        println!("{cases} cases x {repeats}, difference {effect}: {:.3} of the intervals cover it", share(covered));
        assert!(share(covered) >= CONFIDENCE - 0.015, "{cases} x {repeats}: {covered}");
    }
}

#[test]
fn noise_is_not_called_an_improvement() {
    let mut rng = Rng::with_seed(1947);
    for (cases, repeats) in [(6, 1), (20, 1), (60, 1), (20, 3), (60, 5)] {
        let (mut better, mut worse) = (0, 0);
        for _ in 0..EXPERIMENTS {
            match compare(&experiment(&mut rng, cases, repeats, 0.0)).unwrap().verdict {
                ComparisonVerdict::Better => better += 1,
                ComparisonVerdict::Worse => worse += 1,
                ComparisonVerdict::NoDifferenceShown | ComparisonVerdict::TooFew => {}
            }
        }
        println!("{cases} cases x {repeats}, no effect: {:.3} claimed better, {:.3} worse", share(better), share(worse));
        assert!(share(better) <= ALPHA && share(better) + share(worse) <= ALPHA + 0.02, "{cases} x {repeats}: {better} {worse}");
    }
}

#[test]
fn a_real_improvement_is_found() {
    let mut rng = Rng::with_seed(1935);
    let found =
        (0..EXPERIMENTS).filter(|_| compare(&experiment(&mut rng, 60, 3, 0.3)).unwrap().verdict == ComparisonVerdict::Better).count();
    println!("60 cases x 3, difference 0.3: found in {:.3}", share(u32::try_from(found).unwrap()));
    assert!(found > 900, "{found}");
}
