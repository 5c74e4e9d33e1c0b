import type { CaseReport, EvalReport, EvalResult, RunComparison, VariantReport } from './types';

const shareOf = (results: readonly EvalResult[]): number | null => {
  const graded = results.filter(({ outcome }) => outcome === 'passed' || outcome === 'failed');
  return graded.length === 0 ? null : graded.filter(({ outcome }) => outcome === 'passed').length / graded.length;
};

/** Two runs as one report of two variants: the last one of each, for the cases that both have. The first run is the baseline. */
export function comparedReport(earlier: EvalReport, later: EvalReport, { comparison }: RunComparison): EvalReport | null {
  const [before, after] = [earlier.variants.length - 1, later.variants.length - 1];
  const [one, other] = [earlier.variants[before], later.variants[after]];
  if (!one || !other) return null;
  const known = new Map(earlier.cases.map((each) => [each.key, each]));
  const cases = later.cases.flatMap<CaseReport>((each) => {
    const same = known.get(each.key);
    if (!same) return [];
    const results = [same.results[before] ?? [], each.results[after] ?? []].map((list, variant) => list.map((result) => ({ ...result, variant })));
    const [was, is] = results.map(shareOf);
    return [{ ...each, results, regressions: was != null && is != null && is < was ? [1] : [] }];
  });
  const variant = (report: VariantReport, label: string, more: Pick<VariantReport, 'baseline' | 'comparison'>): VariantReport => ({ ...report, label: `${report.label} (${label} run)`, ...more });
  const cells = cases.reduce((sum, { results }) => sum + results.reduce((count, list) => count + list.length, 0), 0);
  return {
    ...later,
    repeat: Math.max(earlier.repeat, later.repeat),
    variants: [variant(one, 'earlier', { baseline: null, comparison: null }), variant(other, 'later', { baseline: 0, comparison })],
    cases,
    cells,
    done: cells,
  };
}
