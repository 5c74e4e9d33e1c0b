import { asFailure, type ChangeFeed, type Client, Deadline, Latest, type SkillKey, skillKey } from '$lib/api';
import type { Diagnostic, Failure } from '$lib/api/generated';
import { isTrigger } from './caseColumns';
import type { CaseChange, EvalCase } from './types';

const LIVE_MS = 200;
const EXPECTATIONS = /["']?expectations["']?\s*:/;

interface Ports {
  /** Adds a step that reverts the skill to `before`, and shows the message. */
  pushUndo: (message: string, label: string, skill: SkillKey, before: number, revision: number) => void;
  report: (what: string, cause: unknown) => void;
}

/** The cases of a skill. Each edit is a revision of the skill, which can be undone. */
export class CaseList {
  /** Null until they are read. */
  cases = $state.raw<readonly EvalCase[] | null>(null);
  diagnostics = $state.raw<readonly Diagnostic[]>([]);
  failure = $state.raw<Failure | null>(null);
  /** Whether an edit is being saved. */
  saving = $state(false);
  readonly triggers = $derived((this.cases ?? []).filter(isTrigger));
  readonly tasks = $derived((this.cases ?? []).filter((one) => !isTrigger(one)));
  #key: SkillKey | null = null;
  readonly #client: Client;
  readonly #ports: Ports;
  readonly #reading = new Latest(() => this.#read());
  readonly #live = new Deadline(LIVE_MS, () => this.#reading.ask());

  constructor(client: Client, feed: ChangeFeed, ports: Ports) {
    this.#client = client;
    this.#ports = ports;
    feed.on('skill', ({ scope, ids }) => {
      const key = this.#key;
      // Without ids anything may have changed.
      if (key !== null && (ids.length === 0 || (scope === key.scope && ids.includes(key.id)))) this.#live.touch();
    });
  }

  show(key: SkillKey | null): void {
    if (this.#isShown(key)) return;
    this.#key = key === null ? null : { scope: key.scope, id: key.id };
    [this.cases, this.diagnostics, this.failure] = [null, [], null];
    this.refresh();
  }

  refresh(): void {
    if (this.#key !== null) this.#reading.ask();
  }

  /** Saves all changes, or none; `done` and `label` as in "Deleted 2 cases" and "delete 2 cases". Null on success. */
  async edit(changes: CaseChange[], done: string, label: string): Promise<Failure | null> {
    const key = this.#key;
    if (key === null || changes.length === 0) return null;
    this.saving = true;
    try {
      const edited = await this.#client.call('eval/edit_cases', { skill: key.id, scope: key.scope, changes });
      if (this.#isShown(key)) [this.cases, this.diagnostics, this.failure] = [edited.cases, edited.diagnostics, null];
      if (edited.revision !== edited.before) this.#ports.pushUndo(done, label, key, edited.before, edited.revision);
      return null;
    } catch (cause) {
      return asFailure(cause);
    } finally {
      this.saving = false;
    }
  }

  /** `edit` that reports a failure. True on success. */
  async tryEdit(changes: CaseChange[], done: string, label: string): Promise<boolean> {
    const failure = await this.edit(changes, done, label);
    if (failure) this.#ports.report(`Couldn’t ${label}`, failure);
    return failure === null;
  }

  /** Whether a file calls its checks `expectations`. */
  async hasExpectations(file: string): Promise<boolean> {
    const key = this.#key;
    if (key === null) return false;
    const { text } = await this.#client.call('file/read', { skill: key.id, scope: key.scope, path: file });
    return EXPECTATIONS.test(text ?? '');
  }

  #isShown(key: SkillKey | null): boolean {
    return (key && skillKey(key)) === (this.#key && skillKey(this.#key));
  }

  async #read(): Promise<void> {
    const key = this.#key;
    if (key === null) return;
    try {
      const { cases, diagnostics } = await this.#client.call('eval/cases', { skill: key.id, scope: key.scope });
      if (this.#isShown(key)) [this.cases, this.diagnostics, this.failure] = [cases, diagnostics, null];
    } catch (cause) {
      if (this.#isShown(key)) this.failure = asFailure(cause);
    }
  }
}
