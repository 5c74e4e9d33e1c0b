import { asFailure, type Catalog, type Client, Deadline, type ChangeFeed, Latest, type Settings, type SkillKey, skillKey } from '$lib/api';
import type { Failure, FileEntry, LibraryCard, RunPlan, RunSummary, SkillDetail } from '$lib/api/generated';
import { Fields } from './fields.svelte';

const RUNS = 8;
const LIVE_MS = 200;
const RUNS_MS = 1_000;

/** How an artifact stands here and now. */
export interface Readiness {
  tone: 'ok' | 'warn' | 'quiet';
  words: string;
  /** What can be done about it. */
  remedy: 'models' | 'trust' | null;
}

/** One skill as a document: what it says of itself, what it can do here, where it comes from, what it did. */
export class SkillPage {
  key = $state.raw<SkillKey | null>(null);
  card = $state.raw<LibraryCard | null>(null);
  cardFailure = $state.raw<Failure | null>(null);
  plan = $state.raw<RunPlan | null>(null);
  planFailure = $state.raw<Failure | null>(null);
  /** SKILL.md as it is stored. */
  text = $state.raw<string | null>(null);
  textFailure = $state.raw<Failure | null>(null);
  runs = $state.raw<RunSummary[] | null>(null);
  runsFailure = $state.raw<Failure | null>(null);
  readonly fields: Fields;
  readonly #client: Client;
  readonly #catalog: Catalog;
  readonly #all = new Latest(() => this.#readAll());
  readonly #someRuns = new Latest(() => this.#readRuns());
  readonly #live = new Deadline(LIVE_MS, () => this.#all.ask());
  readonly #ran = new Deadline(RUNS_MS, () => this.#someRuns.ask());

  constructor(client: Client, feed: ChangeFeed, catalog: Catalog, settings: Settings) {
    this.#client = client;
    this.#catalog = catalog;
    this.fields = new Fields(client, settings, (detail) => catalog.put(detail));
    catalog.onDetail((key, detail) => {
      if (!this.#isShown(key)) return;
      if (detail) this.fields.follow(detail);
      this.#live.touch();
    });
    feed.on('run', () => {
      if (this.key) this.#ran.touch();
    });
  }

  get detail(): SkillDetail | undefined {
    return this.key ? this.#catalog.detail(this.key) : undefined;
  }

  get failure(): Failure | undefined {
    return this.key ? this.#catalog.detailFailure(this.key) : undefined;
  }

  show(key: SkillKey): void {
    if (this.#isShown(key)) return;
    void this.fields.flush();
    this.key = { scope: key.scope, id: key.id };
    [this.card, this.plan, this.text, this.runs] = [null, null, null, null];
    [this.cardFailure, this.planFailure, this.textFailure, this.runsFailure] = [null, null, null, null];
    this.refresh();
  }

  close(): void {
    void this.fields.flush();
    this.key = null;
  }

  refresh(): void {
    if (this.key) void this.#load(this.key);
  }

  /** How an artifact stands, by its file; null while that isn't known. */
  readiness(entry: FileEntry): Readiness | null {
    const { plan } = this;
    if (!plan || !entry.artifact) return null;
    const step = plan.steps.find((one) => one.path === entry.path);
    if (!step) {
      const other = plan.steps.some((one) => one.name === entry.artifact?.name);
      const left = plan.left_out.find((one) => one.name === entry.artifact?.name);
      if (other) return { tone: 'quiet', words: `For ${entry.artifact.variant ?? 'other'} models`, remedy: null };
      return { tone: 'quiet', words: left ? `Skipped: ${left.reason}` : 'Not part of a run', remedy: null };
    }
    if (step.unavailable !== null) {
      return { tone: 'warn', words: step.fallback === null ? `Can’t run here: ${step.unavailable}` : `Can’t run here (${step.unavailable}). ${step.fallback} runs instead.`, remedy: null };
    }
    if (step.context) return { tone: 'ok', words: 'Sent with the prompts', remedy: null };
    if (plan.needs_trust) return { tone: 'warn', words: 'Needs workspace trust', remedy: 'trust' };
    if (step.kind !== 'code_template' && plan.model === null) return { tone: 'warn', words: 'No model configured', remedy: 'models' };
    const asked = plan.missing.filter((gap) => gap.artifact === step.name).map((gap) => gap.variable);
    return { tone: 'ok', words: asked.length > 0 ? `Ready. Inputs: ${asked.join(', ')}` : 'Ready', remedy: null };
  }

  async #load(key: SkillKey): Promise<void> {
    const detail = await this.#catalog.load(key, true);
    // Being told of the detail asks for the rest, a little later.
    if (!this.#isShown(key)) return;
    this.#live.cancel();
    if (detail) this.fields.follow(detail);
    this.#all.ask();
    this.#someRuns.ask();
  }

  #isShown(key: SkillKey): boolean {
    return this.key !== null && skillKey(this.key) === skillKey(key);
  }

  async #readAll(): Promise<void> {
    const key = this.key;
    if (!key) return;
    const named = { skill: key.id, scope: key.scope };
    const main = this.detail?.entries.find((entry) => entry.role === 'main')?.path;
    await Promise.all([
      this.#take(key, this.#client.call('library/card', named), (card, failure) => {
        if (card) this.card = card;
        this.cardFailure = failure;
      }),
      this.#take(key, this.#client.call('run/plan', named), (plan, failure) => {
        if (plan) this.plan = plan;
        this.planFailure = failure;
      }),
      ...(main === undefined
        ? []
        : [
            this.#take(key, this.#client.call('file/read', { ...named, path: main }), (file, failure) => {
              if (file) this.text = file.text ?? '';
              this.textFailure = failure;
            }),
          ]),
    ]);
  }

  async #readRuns(): Promise<void> {
    const key = this.key;
    const slug = this.detail?.slug;
    if (!key || slug === undefined) return;
    const read = async (account: boolean): Promise<RunSummary[]> => (await this.#client.call('run/list', { filter: { skill: slug }, account, limit: 50 })).runs;
    const both = async (): Promise<RunSummary[]> => {
      const all = this.#client.workspace === null ? await read(true) : [...(await read(false)), ...(await read(true))];
      // A skill that this one hides, or is hidden by, has the same name.
      const mine = new Map(all.filter((run) => run.skill_id === key.id).map((run) => [run.run_id, run]));
      return [...mine.values()].sort((a, b) => (a.started_at < b.started_at ? 1 : -1)).slice(0, RUNS);
    };
    await this.#take(key, both(), (runs, failure) => {
      if (runs) this.runs = runs;
      this.runsFailure = failure;
    });
  }

  /** An answer is only taken while the skill that it is about is shown. */
  async #take<T>(key: SkillKey, asked: Promise<T>, put: (answer: T | null, failure: Failure | null) => void): Promise<void> {
    try {
      const answer = await asked;
      if (this.#isShown(key)) put(answer, null);
    } catch (cause) {
      if (this.#isShown(key)) put(null, asFailure(cause));
    }
  }
}
