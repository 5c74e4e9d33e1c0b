import { asFailure, type Client, type SkillKey } from '$lib/api';
import type { Failure } from '$lib/api/generated';
import type { CaseChange } from './types';

/** A run, or an answer in a chat, that is saved as a case. */
export type CaseSource = { run: string } | { session: string; message: string };

interface Ports {
  saved: (skill: SkillKey, before: number, revision: number) => void;
}

/** Saves a run or an answer as a case of a skill. */
export class CaseSaving {
  /** Null while nothing is saved. */
  source = $state.raw<CaseSource | null>(null);
  skill = $state.raw<SkillKey | null>(null);
  name = $state('');
  busy = $state(false);
  failure = $state.raw<Failure | null>(null);
  readonly #client: Client;
  readonly #ports: Ports;

  constructor(client: Client, ports: Ports) {
    this.#client = client;
    this.#ports = ports;
  }

  start(source: CaseSource, skill: SkillKey | null): void {
    this.source = source;
    this.skill = skill && { scope: skill.scope, id: skill.id };
    [this.name, this.failure] = ['', null];
  }

  close(): void {
    this.source = null;
  }

  async save(): Promise<void> {
    const { source, skill } = this;
    if (source === null || skill === null || this.busy) return;
    const name = this.name.trim() === '' ? {} : { name: this.name.trim() };
    const change: CaseChange = 'run' in source ? { change: 'add_run', run: source.run, ...name } : { change: 'add_answer', ...source, ...name };
    this.busy = true;
    try {
      const { before, revision } = await this.#client.call('eval/edit_cases', { skill: skill.id, scope: skill.scope, changes: [change] });
      this.close();
      this.#ports.saved(skill, before, revision);
    } catch (cause) {
      this.failure = asFailure(cause);
    } finally {
      this.busy = false;
    }
  }
}
