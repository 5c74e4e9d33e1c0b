// Runs, traces and providers in memory. A run is executed when its call is answered: hold `run/start` to see it go on.
import type { Model, OutputOf, ParamsOf, Run, RunEvent, RunGate, RunOutcome, Trace, TraceFilter, Verdict } from '$lib/api/generated';
import { render, variablesOf } from './render';
import { fail, type FakeStore, type FakeSkill } from './store';

type Find = (ref: { skill: string; scope?: 'account' | 'workspace' | null }) => FakeSkill;
type Handler<N extends 'run/list'> = (params: ParamsOf<N>) => OutputOf<N>;
const KINDS: Model.ModelSetup['kinds'] = [
  { kind: 'anthropic', title: 'Anthropic', base_url: 'https://api.anthropic.com', key_variable: 'ANTHROPIC_API_KEY', local: false },
  { kind: 'openai', title: 'OpenAI', base_url: 'https://api.openai.com/v1', key_variable: 'OPENAI_API_KEY', local: false },
  { kind: 'ollama', title: 'Ollama', base_url: 'http://127.0.0.1:11434', key_variable: null, local: true },
  { kind: 'openai-compatible', title: 'OpenAI-compatible server', base_url: null, key_variable: null, local: false },
];

const uuid = (number: number): string => `00000000-0000-7000-8000-${number.toString().padStart(12, '0')}`;

/** The sum of what is known; null when nothing is. */
function known(list: readonly Trace[], of: 'input_tokens' | 'output_tokens' | 'estimated_cost'): number | null {
  const values = list.map((one) => one[of]).filter((one) => one !== null);
  return values.length === 0 ? null : values.reduce((sum, one) => sum + one, 0);
}

export class FakeRuns {
  /** What must be approved before a run. */
  gates: { key: string; label: string }[] = [];
  /** The gates that each output reaches. */
  outputGates: RunGate[] = [];
  readonly #reached = new Map<string, RunGate[]>();
  /** In the order in which they began. */
  readonly traces: Trace[] = [];
  readonly providers: Model.ProviderInfo[] = [];
  default: string | null = null;
  trusted = true;
  /** What the model answers. */
  answer = 'No contradictions.';
  verdicts: Verdict[] = [];
  readonly listeners = new Set<(event: RunEvent) => void>();
  readonly cancelled = new Set<string>();
  exported: ParamsOf<'trace/export'>[] = [];
  #count = 0;
  readonly #store: FakeStore;
  readonly #find: Find;

  constructor(store: FakeStore, find: Find) {
    this.#store = store;
    this.#find = find;
  }

  tell(event: RunEvent): void {
    for (const listener of this.listeners) listener(event);
  }

  addProvider(name = 'claude', models = ['claude-sonnet', 'claude-haiku'], more: Partial<Model.ProviderInfo> = {}): void {
    const key: Model.KeySource = { from: 'env', var: 'ANTHROPIC_API_KEY' };
    this.providers.push({ name, kind: 'anthropic', address: 'https://api.anthropic.com', base_url: null, key, key_state: 'environment', models, prices: {}, timeout_seconds: null, ...more });
    this.default ??= `${name}/${models[0] ?? 'm'}`;
  }

  /** A trace of something that ran. */
  trace(more: Partial<Trace> = {}): Trace {
    const number = ++this.#count;
    const started = Date.UTC(2026, 2, 14, 8) + number * 60_000;
    const trace: Trace = {
      id: uuid(number), session_id: uuid(1), run_id: uuid(5000 + number), parent_run_id: null,
      skill_scope: 'account', skill_id: 'skill-1', skill_slug: 'consistency-checker', skill_revision: 1,
      artifact_id: 'a', artifact_name: 'Check Prompt', artifact_path: 'prompts/check-prompt.j2', artifact_kind: 'prompt_template', variant: null,
      status: 'ok', params: { entity_name: 'Aria' }, asked_artifact: null, rendered_input: 'Given the claims', raw_output: this.answer, error: null, detail: null, log: null,
      truncated: false, cut_off: false, score: null, started_at: new Date(started).toISOString(), completed_at: new Date(started + 1500).toISOString(), duration_ms: 1500,
      input_tokens: 312, output_tokens: 40, estimated_cost: 0.0015, model_requested: null, model_id: 'claude-sonnet', assertions_run: 0, assertions_passed: 0,
      verdicts: [], fallback_of: null, replay_of: null, ...more,
    };
    this.traces.push(trace);
    return trace;
  }

  plan(params: ParamsOf<'run/plan'>): Run.RunPlan {
    const skill = this.#find(params);
    const wanted = [...skill.files].filter(([path, file]) => (params.artifact ? path === params.artifact : file.kind === 'prompt_template' && !file.variant));
    const steps = wanted.map(([path, file]): Run.RunPlan['steps'][number] => ({
      name: file.name ?? path, path, kind: file.kind ?? 'prompt_template', context: false,
      needs: variablesOf(file.text ?? '').map((one) => one.name), fallback: null, unavailable: null,
    }));
    const given = params.params ?? {};
    const missing = steps.flatMap((step) => step.needs.filter((name) => !(name in given)).map((variable) => ({ artifact: step.name, variable })));
    const needs_trust = skill.summary.scope === 'workspace' && !this.trusted;
    return { steps, left_out: [], missing, model: params.model ?? this.default, input_tokens: missing.length > 0 ? null : 312, input_cost: this.default ? 0.0009 : null, needs_trust };
  }

  start(params: ParamsOf<'run/start'>): RunOutcome {
    const plan = this.plan(params);
    this.#ensureApproved(params);
    if (plan.needs_trust) throw fail('notTrusted', 'the workspace isn’t trusted, so its skills can’t run', { hint: 'review its skills, then trust the workspace', nextStep: 'trustWorkspace' });
    if (plan.missing.length > 0) throw fail('invalid', 'missing values: Ask needs "question"', { fields: { missing: plan.missing } });
    const run = params.run ?? uuid(9000 + ++this.#count);
    const skill = this.#find(params);
    const stopped = this.cancelled.has(run);
    const error = stopped
      ? fail('cancelled', 'stopped')
      : plan.model === null
        ? fail('noModel', 'no model is configured', { hint: 'add a model provider', nextStep: 'addModel' })
        : this.verdicts.some((one) => one.severity === 'hard' && one.outcome === 'failed')
          ? fail('assertion', 'Check Prompt: no names: it has a name')
          : null;
    const traces = plan.steps.map((step) => this.trace({
      run_id: run, skill_scope: skill.summary.scope, skill_id: skill.summary.id, skill_slug: skill.summary.slug, skill_revision: skill.summary.revision,
      artifact_name: step.name, artifact_path: step.path, artifact_kind: step.kind, params: params.params ?? {}, asked_artifact: params.artifact ?? null,
      rendered_input: render(skill.files.get(step.path)?.text ?? '', params.params ?? {}).text,
      raw_output: error && error.code !== 'assertion' ? null : this.answer, error: error?.message ?? null,
      status: stopped ? 'cancelled' : error ? 'error' : 'ok', verdicts: this.verdicts,
      assertions_run: this.verdicts.filter((one) => one.outcome !== 'not_run').length,
      assertions_passed: this.verdicts.filter((one) => one.outcome === 'passed').length,
    }));
    queueMicrotask(() => this.#store.emit('run', [run], this.#store.workspace === null ? 'account' : 'workspace'));
    const text = error ? null : this.answer;
    if (!error) this.#reached.set(run, this.outputGates);
    return { run, session: uuid(1), status: stopped ? 'cancelled' : error ? 'error' : 'ok', text, value: null, error, traces, gates: this.gatesOf(run), input_tokens: 312, output_tokens: 40, estimated_cost: 0.0015 };
  }

  replay({ trace: id, run, model, approve }: ParamsOf<'run/replay'>): RunOutcome {
    this.#ensureApproved({ approve });
    const first = this.get(id);
    const trace = this.trace({ ...first, id: uuid(++this.#count), run_id: run ?? uuid(9000 + this.#count), model_id: model?.split('/')[1] ?? first.model_id, raw_output: this.answer, replay_of: id });
    queueMicrotask(() => this.#store.emit('run', [trace.run_id]));
    this.#reached.set(trace.run_id, this.outputGates);
    return { run: trace.run_id, session: trace.session_id, status: 'ok', text: this.answer, value: null, error: null, traces: [trace], gates: this.outputGates, input_tokens: 312, output_tokens: 40, estimated_cost: 0.0015 };
  }

  readonly list: Handler<'run/list'> = ({ filter, before, limit }) => {
    const found = this.#filtered(filter ?? {});
    const ids = [...new Set(found.map((one) => one.run_id))].reverse();
    const from = before ?? 0;
    const page = ids.slice(from, from + (limit ?? 100));
    const more = ids.length > from + page.length;
    return { runs: page.map((id) => this.summary(id)), next: more ? from + page.length : null };
  };

  tracesOf({ filter, before, limit }: ParamsOf<'trace/list'>): OutputOf<'trace/list'> {
    const found = this.#filtered(filter ?? {}).toReversed();
    const from = before ?? 0;
    const traces = found.slice(from, from + (limit ?? 100));
    return { traces, next: found.length > from + traces.length ? from + traces.length : null };
  }

  get(id: string): Trace {
    const trace = this.traces.find((one) => one.id === id);
    if (!trace) throw fail('notFound', 'trace not found');
    return trace;
  }

  run(id: string): OutputOf<'run/get'> {
    const executions = this.traces.filter((one) => one.run_id === id);
    if (executions.length === 0) throw fail('notFound', 'run not found');
    const called = [...new Set(this.traces.filter((one) => one.parent_run_id === id).map((one) => one.run_id))];
    return { ...this.summary(id), executions, called: called.map((one) => this.summary(one)), gates: this.gatesOf(id) };
  }

  gatesOf(run: string): RunGate[] {
    return this.#reached.get(run) ?? [];
  }

  decide({ run, gate: key, approved, reason }: ParamsOf<'run/decide'>): OutputOf<'run/decide'> {
    const gate = this.gatesOf(run).find((one) => one.key === key);
    if (!gate) throw fail('notFound', `the run doesn't wait at a gate "${key}"`);
    if (gate.decision) throw fail('exists', 'this gate was already decided');
    const decision = { approved, actor: 'local', reason: reason ?? gate.label, decided_at: new Date(this.#store.now).toISOString() };
    this.#reached.set(run, this.gatesOf(run).map((one) => (one === gate ? { ...one, decision } : one)));
    return this.run(run);
  }

  remove(runs: string[]): number {
    const before = this.traces.length;
    const kept = this.traces.filter((one) => !runs.includes(one.run_id) || one.status === 'running');
    this.traces.splice(0, this.traces.length, ...kept);
    queueMicrotask(() => this.#store.emit('run', runs));
    return before - kept.length;
  }

  stats({ by, filter }: ParamsOf<'trace/stats'>): Trace.StatsRow[] {
    const groups = new Map<string, Trace[]>();
    for (const trace of this.#filtered(filter ?? {})) {
      const key = by === 'day' ? trace.started_at.slice(0, 10) : by === 'model' ? (trace.model_id ?? '') : by === 'skill' ? trace.skill_slug : `${trace.skill_slug}/${trace.artifact_path}`;
      groups.set(key, [...(groups.get(key) ?? []), trace]);
    }
    const sum = (list: Trace[], of: 'assertions_run' | 'assertions_passed'): number => list.reduce((total, one) => total + one[of], 0);
    return [...groups].map(([key, list]) => ({
      key, runs: new Set(list.map((one) => one.run_id)).size, traces: list.length, errors: list.filter((one) => one.status === 'error').length,
      input_tokens: known(list, 'input_tokens'), output_tokens: known(list, 'output_tokens'), estimated_cost: known(list, 'estimated_cost'), mean_ms: 1500,
      unpriced: list.filter((one) => one.model_id !== null && one.estimated_cost === null).length,
      assertions_run: sum(list, 'assertions_run'), assertions_passed: sum(list, 'assertions_passed'),
    }));
  }

  setup(): Model.ModelSetup {
    return {
      providers: this.providers, default: this.default, default_price: this.default ? { input: 3, output: 15 } : null,
      key_location: { kind: 'file', path: '/home/ada/.inklings/keys.age', protects: 'it keeps keys from programs that read your files by chance' }, kinds: KINDS,
    };
  }

  put(params: ParamsOf<'model/put'>): Model.ProviderInfo {
    if (!/^[a-z0-9-]+$/.test(params.name)) {
      throw fail('invalid', 'the provider can’t be set up', { fields: { problems: [{ field: 'name', message: 'a name has small letters, digits and hyphens' }] } });
    }
    const kind = KINDS.find((one) => one.kind === params.kind);
    const key = params.key ?? (kind?.key_variable ? { from: 'env' as const, var: kind.key_variable } : { from: 'none' as const });
    const info: Model.ProviderInfo = {
      name: params.name, kind: params.kind, address: params.base_url ?? kind?.base_url ?? null, base_url: params.base_url ?? null, key,
      key_state: key.from === 'none' ? 'none' : 'missing', models: params.models ?? [], prices: params.prices ?? {}, timeout_seconds: params.timeout_seconds ?? null,
    };
    const at = this.providers.findIndex((one) => one.name === params.name);
    if (at < 0) this.providers.push(info);
    else this.providers[at] = info;
    if (this.default === null && info.models[0]) this.default = `${info.name}/${info.models[0]}`;
    queueMicrotask(() => this.#store.emit('setting', ['models']));
    return info;
  }

  provider(name: string): Model.ProviderInfo {
    const provider = this.providers.find((one) => one.name === name);
    if (!provider) throw fail('notFound', `no provider ${name}`);
    return provider;
  }

  summary(id: string): Run.RunSummary {
    const all = this.traces.filter((one) => one.run_id === id);
    const [first] = all;
    const last = all.at(-1);
    if (!first || !last) throw fail('notFound', 'run not found');
    const bad = all.find((one) => one.status !== 'ok' && one.status !== 'fallback');
    return {
      run_id: id, session_id: first.session_id, parent_run_id: first.parent_run_id, skill_scope: first.skill_scope, skill_id: first.skill_id, skill_slug: first.skill_slug, skill_revision: first.skill_revision, status: bad?.status ?? 'ok', started_at: first.started_at,
      completed_at: last.completed_at, duration_ms: last.duration_ms, input_tokens: known(all, 'input_tokens'), output_tokens: known(all, 'output_tokens'), estimated_cost: known(all, 'estimated_cost'), traces: all.length, model_id: last.model_id,
      artifact_name: last.artifact_name, assertions_run: last.assertions_run, assertions_passed: last.assertions_passed,
      fell_back: all.some((one) => one.status === 'fallback'), error: all.find((one) => one.error)?.error ?? null,
    };
  }

  #ensureApproved({ approve }: Pick<ParamsOf<'run/replay'>, 'approve'>): void {
    const gates = this.gates.filter(({ key }) => !approve?.includes(key));
    if (gates.length > 0) throw fail('approvalRequired', 'it needs approval before it runs', { fields: { gates } });
  }

  #filtered(filter: TraceFilter): Trace[] {
    return this.traces.filter((one) =>
      (!filter.skill || one.skill_slug === filter.skill) &&
      (!filter.artifact || one.artifact_path === filter.artifact) &&
      (!filter.kind || one.artifact_kind === filter.kind) &&
      (!filter.status?.length || filter.status.includes(one.status)) &&
      (!filter.model || one.model_id === filter.model) &&
      (!filter.since || one.started_at >= filter.since) &&
      (!filter.text || `${one.rendered_input ?? ''} ${one.raw_output ?? ''}`.includes(filter.text)) &&
      (!filter.failed_assertions || one.assertions_passed < one.assertions_run),
    );
  }
}
