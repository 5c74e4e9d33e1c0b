import { asFailure, type Catalog, type Client, Deadline, type ChangeFeed, Latest, type Settings, type SkillKey, skillKey } from '$lib/api';
import type { Failure, FileEntry, Library, Run, SkillDetail } from '$lib/api/generated';
import { Fields } from './fields.svelte';

const MAX_RUNS = 8;
/** Changes come in bursts: the page is reloaded at most this often. */
const SKILL_INTERVAL_MS = 200;
const RUNS_INTERVAL_MS = 1_000;

/** Whether an artifact can run here. */
export interface Readiness {
  tone: 'ok' | 'warn' | 'quiet';
  label: string;
  /** The action that makes it runnable. */
  remedy: 'models' | 'trust' | null;
}

/** A part of the page that is loaded by its own call. */
class LoadedValue<T> {
  value = $state.raw<T | null>(null);
  failure = $state.raw<Failure | null>(null);

  /** A failure keeps the value that was loaded before. */
  put(value: T | null, failure: Failure | null): void {
    if (value !== null) this.value = value;
    this.failure = failure;
  }

  clear(): void {
    [this.value, this.failure] = [null, null];
  }
}

/** The page of a skill: its capabilities, governance, files and last runs. */
export class SkillPage {
  key = $state.raw<SkillKey | null>(null);
  readonly card = new LoadedValue<Library.LibraryCard>();
  readonly plan = new LoadedValue<Run.RunPlan>();
  /** The stored text of SKILL.md. */
  readonly text = new LoadedValue<string>();
  readonly runs = new LoadedValue<Run.RunSummary[]>();
  readonly fields: Fields;
  readonly #client: Client;
  readonly #catalog: Catalog;
  readonly #parts = new Latest(() => this.#readParts());
  readonly #latestRuns = new Latest(() => this.#readRuns());
  readonly #skillChanged = new Deadline(SKILL_INTERVAL_MS, () => this.#parts.ask());
  readonly #runsChanged = new Deadline(RUNS_INTERVAL_MS, () => this.#latestRuns.ask());

  constructor(client: Client, feed: ChangeFeed, catalog: Catalog, settings: Settings) {
    this.#client = client;
    this.#catalog = catalog;
    this.fields = new Fields(client, settings, (detail) => catalog.details.put(detail));
    catalog.details.onChange((key, detail) => {
      if (!this.#isShown(key)) return;
      if (detail) this.fields.follow(detail);
      this.#skillChanged.touch();
    });
    feed.on('run', () => {
      if (this.key) this.#runsChanged.touch();
    });
  }

  get detail(): SkillDetail | undefined {
    return this.key ? this.#catalog.details.get(this.key) : undefined;
  }

  get failure(): Failure | undefined {
    return this.key ? this.#catalog.details.failureOf(this.key) : undefined;
  }

  show(key: SkillKey): void {
    if (this.#isShown(key)) return;
    void this.fields.flush();
    this.key = { scope: key.scope, id: key.id };
    for (const part of [this.card, this.plan, this.text, this.runs]) part.clear();
    this.refresh();
  }

  close(): void {
    void this.fields.flush();
    this.key = null;
  }

  refresh(): void {
    if (this.key) void this.#open(this.key);
  }

  /** The readiness of the artifact of a file; null until loaded. */
  readiness(entry: FileEntry): Readiness | null {
    const plan = this.plan.value;
    if (!plan || !entry.artifact) return null;
    const step = plan.steps.find((one) => one.path === entry.path);
    if (!step) {
      const other = plan.steps.some((one) => one.name === entry.artifact?.name);
      const left = plan.left_out.find((one) => one.name === entry.artifact?.name);
      if (other) return { tone: 'quiet', label: `For ${entry.artifact.variant ?? 'other'} models`, remedy: null };
      return { tone: 'quiet', label: left ? `Skipped: ${left.reason}` : 'Not part of a run', remedy: null };
    }
    if (step.unavailable !== null) {
      return { tone: 'warn', label: step.fallback === null ? `Can’t run here: ${step.unavailable}` : `Can’t run here (${step.unavailable}). ${step.fallback} runs instead.`, remedy: null };
    }
    if (step.context) return { tone: 'ok', label: 'Sent with the prompts', remedy: null };
    if (plan.needs_trust) return { tone: 'warn', label: 'Needs workspace trust', remedy: 'trust' };
    if (step.kind !== 'code_template' && plan.model === null) return { tone: 'warn', label: 'No model configured', remedy: 'models' };
    const asked = plan.missing.filter((gap) => gap.artifact === step.name).map((gap) => gap.variable);
    return { tone: 'ok', label: asked.length > 0 ? `Ready. Inputs: ${asked.join(', ')}` : 'Ready', remedy: null };
  }

  async #open(key: SkillKey): Promise<void> {
    const detail = await this.#catalog.details.load(key, true);
    // Loading the detail has scheduled another reload.
    if (!this.#isShown(key)) return;
    this.#skillChanged.cancel();
    if (detail) this.fields.follow(detail);
    this.#parts.ask();
    this.#latestRuns.ask();
  }

  #isShown(key: SkillKey): boolean {
    return this.key !== null && skillKey(this.key) === skillKey(key);
  }

  async #readParts(): Promise<void> {
    const key = this.key;
    if (!key) return;
    const ref = { skill: key.id, scope: key.scope };
    const main = this.detail?.entries.find((entry) => entry.role === 'main')?.path;
    const text = async (path: string): Promise<string> => (await this.#client.call('file/read', { ...ref, path })).text ?? '';
    await Promise.all([
      this.#load(key, this.#client.call('library/card', ref), this.card),
      this.#load(key, this.#client.call('run/plan', ref), this.plan),
      ...(main === undefined ? [] : [this.#load(key, text(main), this.text)]),
    ]);
  }

  async #readRuns(): Promise<void> {
    const key = this.key;
    const slug = this.detail?.slug;
    if (!key || slug === undefined) return;
    const read = async (account: boolean): Promise<Run.RunSummary[]> => (await this.#client.call('run/list', { filter: { skill: slug }, account, limit: 50 })).runs;
    const both = async (): Promise<Run.RunSummary[]> => {
      const all = this.#client.workspace === null ? await read(true) : [...(await read(false)), ...(await read(true))];
      // A skill that overrides this one, or that it overrides, has the same name.
      const mine = new Map(all.filter((run) => run.skill_id === key.id).map((run) => [run.run_id, run]));
      return [...mine.values()].sort((a, b) => (a.started_at < b.started_at ? 1 : -1)).slice(0, MAX_RUNS);
    };
    await this.#load(key, both(), this.runs);
  }

  /** Drops the reply when another skill is shown meanwhile. */
  async #load<T>(key: SkillKey, call: Promise<T>, part: LoadedValue<T>): Promise<void> {
    try {
      const value = await call;
      if (this.#isShown(key)) part.put(value, null);
    } catch (cause) {
      if (this.#isShown(key)) part.put(null, asFailure(cause));
    }
  }
}
