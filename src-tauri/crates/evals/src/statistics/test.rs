//! The exact test of sign flips.

/// The two-sided p-value of the hypothesis that each difference could as well have the opposite sign: the share of the sign
/// assignments whose sum is at least as far from 0 as the observed one. With differences of -1, 0 and 1 this is the exact `McNemar`
/// test. 1 without differences. Takes time in proportion to the number of differences times the sum of their sizes.
#[must_use]
pub fn sign_flip_p_value(differences: &[i64]) -> f64 {
    let sizes: Vec<usize> =
        differences.iter().filter_map(|one| usize::try_from(one.unsigned_abs()).ok().filter(|size| *size > 0)).collect();
    let total: usize = sizes.iter().sum();
    let observed = usize::try_from(differences.iter().sum::<i64>().unsigned_abs()).unwrap_or(usize::MAX);
    // probability[s] is that of the sum s - reached; only the reached part is in use.
    let mut probability = vec![0.0; 2 * total + 1];
    probability[0] = 1.0;
    let mut reached = 0;
    for size in sizes {
        // A plus sign moves a sum by 2 * size above the one with a minus sign.
        for at in (0..=2 * reached).rev() {
            let half = probability[at] / 2.0;
            probability[at] = half;
            probability[at + 2 * size] += half;
        }
        reached += size;
    }
    let extreme = |at: usize| at.abs_diff(total) >= observed;
    let p: f64 = probability.iter().enumerate().filter(|(at, _)| extreme(*at)).map(|(_, share)| share).sum();
    p.min(1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// All sign assignments, one by one.
    fn enumerated(differences: &[i64]) -> f64 {
        let observed = differences.iter().sum::<i64>().abs();
        let all = 1_u32 << differences.len();
        let sum =
            |signs: u32| -> i64 { differences.iter().enumerate().map(|(at, one)| if signs >> at & 1 == 1 { *one } else { -one }).sum() };
        let extreme = (0..all).filter(|signs| sum(*signs).abs() >= observed).count();
        f64::from(u32::try_from(extreme).unwrap()) / f64::from(all)
    }

    #[test]
    fn the_distribution_is_that_of_all_sign_assignments() {
        for differences in [vec![], vec![0, 0], vec![1], vec![3, -1, 2, 0, 5], vec![1, 1, 1, -1, 1, 1, 1], vec![2, 2, -3, 1, 4, -4, 1, 1]] {
            let (p, expected) = (sign_flip_p_value(&differences), enumerated(&differences));
            assert!((p - expected).abs() < 1e-12, "{differences:?}: {p} {expected}");
        }
    }
}
