// Cases in the JSON files of skills, and eval runs in memory. A run is executed when its call is answered: hold `eval/start` to see it go on.
import type { Diagnostic, OutputOf, ParamsOf, Scope } from '$lib/api/generated';
import type { FakeRuns } from './runs';
import type { SeedFile } from './seed';
import { fail, type FakeSkill, type FakeStore, type Handlers } from './store';

type EvalOperations = Pick<Handlers, Extract<keyof Handlers, `eval/${string}`>>;
type Case = OutputOf<'eval/cases'>['cases'][number];
type Change = ParamsOf<'eval/edit_cases'>['changes'][number];
type Report = OutputOf<'eval/get'>;
type Result = Report['cases'][number]['results'][number][number];
type Variant = Report['variants'][number];
type Rewrite = OutputOf<'eval/rewrite'>;
type Entry = Record<string, unknown>;

interface Plan {
  cases: Case[];
  variants: Pick<Variant, 'label' | 'revision' | 'model' | 'baseline'>[];
  repeat: number;
  cells: number;
}

/** What the store lets this file do. */
interface Hands {
  get: (ref: { skill: string; scope?: Scope | null }) => FakeSkill;
  write: (skill: FakeSkill, files: Map<string, SeedFile>, why: string) => { revision: number };
  /** Whether the current call was canceled. */
  isCanceled: () => boolean;
  /** Proposes other instructions; returns the proposal’s id. */
  propose: (slug: string, text: string) => string;
}

const DEFAULT_FILE = 'evals/evals.json';
const NO_USAGE = { input_tokens: null, output_tokens: null, estimated_cost: null };

export class FakeEvals {
  /** Newest first. */
  readonly reports: Report[] = [];
  /** Whether a result passes, by the case’s key, the variant’s revision and the repeat. Without the skill nothing passes. */
  passes: (key: string, revision: number | null, repeat: number) => boolean = (_, revision) => revision !== null;
  /** Slugs that fire, best first. */
  ranking: (query: string) => string[] = () => [];
  cached = 0;
  /** Whether a case passes with the candidate of a rewrite. */
  candidatePasses: (key: string) => boolean = () => true;
  /** What a rewrite finds, instead of what it would. */
  rewritten: Partial<Rewrite> = {};
  loop: OutputOf<'eval/loop'> = { stages: [], ready: 0 };
  #count = 0;
  readonly #store: FakeStore;
  readonly #runs: FakeRuns;
  readonly #hands: Hands;

  constructor(store: FakeStore, runs: FakeRuns, hands: Hands) {
    this.#store = store;
    this.#runs = runs;
    this.#hands = hands;
  }

  /** Gives a skill cases, as another program would. */
  seed(slug: string, entries: readonly Entry[], file = DEFAULT_FILE, scope: Scope = 'account'): void {
    this.#store.writeElsewhere(slug, file, textOf(entries), scope);
  }

  readonly handlers: EvalOperations = {
    'eval/cases': (ref) => casesOf(this.#hands.get(ref)),
    'eval/edit_cases': ({ changes, ...ref }) => this.#edit(this.#hands.get(ref), changes),
    'eval/triggers': (ref) => this.#triggers(this.#hands.get(ref)),
    'eval/model_triggers': ({ model, ...ref }) => ({ model: model ?? this.#model(), input_tokens: 900, output_tokens: 30, estimated_cost: 0.01, ...this.#triggers(this.#hands.get(ref)) }),
    'eval/estimate': (params) => {
      const cells = this.#plan(params).cells;
      return { cells, cached: Math.min(cells, this.cached), unknown: 0, input_tokens: 100 * Math.max(0, cells - this.cached), input_cost: 0.0012 * Math.max(0, cells - this.cached) };
    },
    'eval/start': (params) => {
      const plan = this.#plan(params);
      const run = this.#run(this.#hands.get(params), this.#hands.isCanceled() ? 'cancelled' : 'complete');
      return this.#put(this.#report({ ...run, id: params.run ?? run.id }, plan));
    },
    'eval/resume': ({ run }) => {
      const report = this.#find(run);
      if (report.run.status === 'complete') throw fail('invalid', 'this eval run is complete or still in progress');
      report.run.status = 'complete';
      queueMicrotask(() => this.#store.emit('eval', [run]));
      return report;
    },
    'eval/list': ({ skill, limit }) => {
      const found = skill == null ? null : this.#hands.get({ skill }).summary.id;
      const reports = this.reports.filter(({ run }) => found === null || run.skill_id === found).slice(0, limit ?? 20);
      return { runs: reports.map(({ run, variants, cells, done }) => ({ run, variants, cells, done })) };
    },
    'eval/get': ({ run }) => this.#find(run),
    'eval/compare': ({ baseline, candidate }) => {
      const [one, other] = [this.#find(baseline), this.#find(candidate)].map((report) => report.variants.at(-1));
      return { baseline: one?.label ?? '', candidate: other?.label ?? '', comparison: compare(one?.rate?.rate ?? 0, other?.rate?.rate ?? 0, 8), regressed: [], improved: [], unmatched: 1 };
    },
    'eval/loop': () => this.loop,
    'eval/rewrite': (params) => this.#rewrite(this.#hands.get(params), params.model ?? this.#model()),
    'eval/delete': ({ runs }) => {
      const found = this.reports.filter(({ run }) => runs.includes(run.id) && run.status !== 'running');
      for (const report of found) this.reports.splice(this.reports.indexOf(report), 1);
      queueMicrotask(() => this.#store.emit('eval', runs));
      return { deleted: found.length };
    },
    'eval/export': ({ run, format, out }) => ({ text: out == null ? `${format} of ${this.#find(run).run.id}` : null, out: out ?? null }),
  };

  #model(): string {
    if (this.#runs.default === null) throw fail('noModel', 'no model is configured', { hint: 'add a model provider', nextStep: 'addModel' });
    return this.#runs.default;
  }

  #find(id: string): Report {
    const report = this.reports.find(({ run }) => run.id === id);
    if (!report) throw fail('notFound', 'eval run not found');
    return report;
  }

  #run({ summary }: FakeSkill, status: Report['run']['status']): Report['run'] {
    return {
      id: `eval-${++this.#count}`, workspace: this.#store.workspace ?? '', skill_scope: summary.scope, skill_id: summary.id, skill_slug: summary.slug, skill_revision: summary.revision,
      status, error: null, created_at: new Date(this.#store.now + this.reports.length * 60_000).toISOString(), completed_at: null,
    };
  }

  /** One attempt that helps. */
  #rewrite(skill: FakeSkill, model: string): Rewrite {
    const { revision, name, slug } = skill.summary;
    const run = (split: 'train' | 'validation'): Report | null => {
      const cases = casesOf(skill).cases.filter((one) => one.split === split && !('should_trigger' in one));
      const variants = [`revision ${revision}`, 'candidate'].map((label, at) => ({ label, revision, model, baseline: at === 0 ? null : 0 }));
      return cases.length === 0 ? null : this.#put(this.#report(this.#run(skill, 'complete'), { cases, variants, repeat: 1, cells: 2 * cases.length }));
    };
    const scores = (report: Report): { before: number; after: number } => ({ before: report.variants[0]?.rate?.rate ?? 0, after: report.variants[1]?.rate?.rate ?? 0 });
    const train = run('train');
    if (!train) throw fail('invalid', `no training case of ${name} fails`);
    const validation = run('validation');
    const edits = [{ find: 'Order the events.', replace: 'Order the events by date.' }];
    return {
      attempts: [{ outcome: 'kept', reason: 'says by what to order', edits, train: scores(train).after, run: train.run.id }],
      train: scores(train), validation: validation && scores(validation), validation_run: validation?.run.id ?? null, proposal: this.#hands.propose(slug, 'Order the events by date.\n'),
      promoted: null, over_budget: false, input_tokens: 1200, output_tokens: 90, estimated_cost: 0.02, ...this.rewritten,
    };
  }

  #put(report: Report): Report {
    this.reports.unshift(report);
    queueMicrotask(() => this.#store.emit('eval', [report.run.id]));
    return report;
  }

  #plan(params: ParamsOf<'eval/start'>): Plan {
    const skill = this.#hands.get(params);
    const { cases: keys = [], tags = [], revisions = [], models = [] } = params;
    const cases = casesOf(skill).cases.filter((one) => !('should_trigger' in one) && (keys.length === 0 || keys.includes(one.key)) && (tags.length === 0 || one.tags.some((tag) => tags.includes(tag))) && (params.split == null || one.split === params.split));
    if (cases.length === 0) throw fail('invalid', `no case of ${skill.summary.name} matches`);
    const subjects: (number | null)[] = [...(params.without_baseline !== true && revisions.length < 2 ? [null] : []), ...(revisions.length > 0 ? revisions : [skill.summary.revision])];
    const asked = models.length > 0 ? models : [this.#model()];
    const variants = asked.flatMap((model, at) => subjects.map((revision, index) => {
      const subject = revision === null ? 'without skill' : `revision ${revision}`;
      const baseline = index === 0 ? (subjects.length === 1 && at > 0 ? 0 : null) : at * subjects.length;
      return { label: asked.length > 1 ? `${subject}, ${model}` : subject, revision, model, baseline };
    }));
    const repeat = params.repeat ?? 1;
    return { cases, variants, repeat, cells: cases.length * variants.length * repeat };
  }

  #report(run: Report['run'], { cases, variants, repeat }: Plan): Report {
    const result = (one: Case, at: number, number: number): Result => {
      const revision = variants[at]?.revision ?? null;
      const passed = variants[at]?.label === 'candidate' ? this.candidatePasses(one.key) : this.passes(one.key, revision, number);
      return {
        case: one.key, variant: at, repeat: number, outcome: passed ? 'passed' : 'failed', output: passed ? 'good' : 'bad', error: null,
        verdicts: [{ description: 'is good', assertion: 'equals', severity: 'hard', weight: 1, outcome: passed ? 'passed' : 'failed', score: null, explanation: passed ? '' : 'it is bad' }],
        usage: { input_tokens: 40, output_tokens: 5, estimated_cost: 0.001 }, judge_usage: NO_USAGE, paid: { input_tokens: 40, output_tokens: 5, estimated_cost: 0.001 },
        duration_ms: 1200, model_id: 'small', run: `run-${one.key}`, created_at: run.created_at,
      };
    };
    const reports = cases.map((one) => {
      const results = variants.map((_, at) => Array.from({ length: repeat }, (__, number) => result(one, at, number)));
      const regressions = variants.flatMap(({ baseline }, at) => (baseline !== null && shareOf(results[at]) < shareOf(results[baseline]) ? [at] : []));
      return { key: one.key, title: one.name ?? ('query' in one ? one.query : (one.input['message'] as string | undefined) ?? one.key), split: one.split, tags: one.tags, results, regressions };
    });
    const rateOf = (at: number): number => reports.reduce((sum, one) => sum + shareOf(one.results[at]), 0) / reports.length;
    return {
      run, repeat, cells: reports.length * variants.length * repeat, done: reports.length * variants.length * repeat, cases: reports,
      variants: variants.map((variant, at) => ({
        ...variant, rate: { rate: rateOf(at), interval: { low: Math.max(0, rateOf(at) - 0.3), high: Math.min(1, rateOf(at) + 0.3) }, cases: reports.length },
        comparison: variant.baseline === null ? null : compare(rateOf(variant.baseline), rateOf(at), reports.length),
        flaky: reports.filter((one) => ![0, 1].includes(shareOf(one.results[at]))).map((one) => one.key),
        not_graded: 0, usage: { input_tokens: 320, output_tokens: 40, estimated_cost: 0.008 }, judge_usage: NO_USAGE, mean_ms: 1200,
      })),
      paid: { input_tokens: 640, output_tokens: 80, estimated_cost: 0.016 },
    };
  }

  #triggers(skill: FakeSkill): OutputOf<'eval/triggers'> {
    const { slug } = skill.summary;
    const results = casesOf(skill).cases.flatMap((one) => {
      if (!('should_trigger' in one)) return [];
      const ranking = this.ranking(one.query);
      return [{ case: one.key, query: one.query, should_trigger: one.should_trigger, ranking, passed: (ranking[0] === slug) === one.should_trigger }];
    });
    if (results.length === 0) throw fail('invalid', `${skill.summary.name} has no trigger cases`);
    const failed = (should: boolean) => results.filter((one) => !one.passed && one.should_trigger === should);
    const instead = new Map<string | null, string[]>();
    for (const { ranking, query } of failed(true)) instead.set(ranking[0] ?? null, [...(instead.get(ranking[0] ?? null) ?? []), query]);
    const rate = results.filter((one) => one.passed).length / results.length;
    return { rate: { rate, interval: { low: 0, high: 1 }, cases: results.length }, results, confusions: [...instead].map(([name, queries]) => ({ skill: name, queries })), false_alarms: failed(false).map(({ query }) => query) };
  }

  #edit(skill: FakeSkill, changes: readonly Change[]): OutputOf<'eval/edit_cases'> {
    if (skill.summary.locked) throw fail('locked', `${skill.summary.name} is locked`);
    const before = skill.summary.revision;
    const files = new Map(skill.files);
    for (const change of changes) this.#apply(files, change);
    const { revision } = this.#hands.write(skill, files, 'changed eval cases');
    return { ...casesOf(skill), revision, before };
  }

  #apply(files: Map<string, SeedFile>, change: Change): void {
    if (change.change === 'duplicate' || change.change === 'remove' || change.change === 'set') {
      const [path, id] = change.key.split('#');
      const entries = entriesOf(files.get(path ?? ''));
      const at = entries.findIndex((one) => idOf(one) === id);
      const entry = entries[at];
      if (path === undefined || !entry) throw fail('notFound', `case ${change.key} not found`);
      if (change.change === 'remove') entries.splice(at, 1);
      else if (change.change === 'duplicate') entries.splice(at + 1, 0, { ...entry, id: entries.length + 1 });
      else if (change.value == null) entries[at] = Object.fromEntries(Object.entries(entry).filter(([key]) => key !== change.field));
      else entries[at] = { ...entry, [change.field]: change.value };
      files.set(path, { text: textOf(entries) });
      return;
    }
    const path = change.file ?? DEFAULT_FILE;
    const entries = entriesOf(files.get(path));
    files.set(path, { text: textOf([...entries, ...this.#added(change, entries.length)]) });
  }

  #added(change: Exclude<Change, { key: string }>, count: number): Entry[] {
    const name = 'name' in change && change.name != null ? { name: change.name } : {};
    if (change.change === 'paste') {
      const [head, ...rows] = change.text.trim().split('\n').map((line) => line.split(/[,\t]/));
      if (!head?.includes('prompt')) throw fail('invalid', 'line 2: no prompt and no input', { hint: 'correct the line and paste again' });
      return rows.map((row, index) => ({ id: count + index + 1, ...Object.fromEntries(head.map((column, at) => [column, row[at] ?? ''])) }));
    }
    if (change.change === 'add_run') {
      const [trace] = this.#runs.run(change.run).executions;
      return [{ id: count + 1, ...name, artifact: trace?.artifact_path, input: trace?.params ?? {}, expected_output: trace?.raw_output, assertions: [] }];
    }
    if (change.change === 'add_answer') return [{ id: count + 1, ...name, prompt: 'What was asked', expected_output: 'What was answered', assertions: [] }];
    const { case: one } = change;
    if ('query' in one) return [{ query: one.query, should_trigger: one.should_trigger }];
    return [{ id: count + 1, ...name, prompt: one.input?.['message'], assertions: [...(one.criteria ?? []), ...(one.assertions ?? [])] }];
  }
}

const textOf = (entries: readonly Entry[]): string => `${JSON.stringify({ evals: entries }, null, 2)}\n`;
const idOf = (entry: Entry): string => String(entry['id'] ?? entry['name'] ?? entry['query'] ?? entry['prompt']);

function entriesOf(file: SeedFile | undefined): Entry[] {
  return file?.text == null ? [] : (JSON.parse(file.text) as { evals: Entry[] }).evals;
}

const shareOf = (results: readonly Result[] | undefined): number => (results?.filter((one) => one.outcome === 'passed').length ?? 0) / Math.max(1, results?.length ?? 0);

function compare(before: number, after: number, cases: number): NonNullable<Variant['comparison']> {
  const difference = after - before;
  const verdict = cases < 6 ? 'too_few' : difference > 0.5 ? 'better' : difference < -0.5 ? 'worse' : 'no_difference_shown';
  return { cases, difference, interval: { low: difference - 0.19, high: Math.min(1, difference + 0.19) }, p_value: 0.0312, verdict, improved: difference > 0 ? 2 : 0, regressed: difference < 0 ? 1 : 0 };
}

function casesOf(skill: FakeSkill): { cases: Case[]; diagnostics: Diagnostic[] } {
  const [cases, diagnostics]: [Case[], Diagnostic[]] = [[], []];
  for (const [path, file] of skill.files) {
    if (!path.startsWith('evals/')) continue;
    for (const [index, entry] of entriesOf(file).entries()) {
      const shared = { key: `${path}#${idOf(entry)}`, file: path, pointer: `/evals/${index}`, name: (entry['name'] as string | undefined) ?? null, tags: (entry['tags'] as string[] | undefined) ?? [], split: index % 2 === 0 ? ('train' as const) : ('validation' as const) };
      if (typeof entry['should_trigger'] === 'boolean') {
        cases.push({ ...shared, kind: 'trigger', query: String(entry['query'] ?? entry['prompt']), should_trigger: entry['should_trigger'] });
        continue;
      }
      const prompt = entry['prompt'] ?? entry['query'];
      const input = { ...(entry['input'] as Entry | undefined), ...(prompt === undefined ? {} : { message: prompt }) };
      if (Object.keys(input).length === 0) {
        diagnostics.push({ rule: 'eval/entry', severity: 'error', message: 'the case has no "prompt"', hint: 'add the request as "prompt", or values as "input"', file: path, line: index + 3, column: 5, end_line: null, end_column: null, pointer: `/evals/${index}` });
        continue;
      }
      const checks = [...((entry['assertions'] as unknown[] | undefined) ?? []), ...((entry['expectations'] as unknown[] | undefined) ?? [])];
      cases.push({
        ...shared, ...{ kind: 'task' as const }, artifact: (entry['artifact'] as string | undefined) ?? null, input, expected_output: (entry['expected_output'] as string | undefined) ?? null,
        criteria: checks.filter((one) => typeof one === 'string'), assertions: checks.filter((one) => typeof one !== 'string'), files: [],
      });
    }
  }
  return { cases, diagnostics };
}
