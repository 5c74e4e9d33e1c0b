import { asFailure, type Client } from '$lib/api';
import { type ProgramState, readState, statePathOf } from '$lib/domain';
import type { Failure, Scope } from '$lib/api/generated';

export interface StateOwner {
  scope: Scope;
  skillId: string;
  /** The program's path. */
  path: string;
}

/** The compiled state of a program. */
export class StateFile {
  /** Null if there is none, or while unknown. */
  path = $state.raw<string | null>(null);
  state = $state.raw<ProgramState | null>(null);
  failure = $state.raw<Failure | null>(null);
  loaded = $state(false);
  readonly #client: Client;
  #asked = 0;

  constructor(client: Client) {
    this.#client = client;
  }

  async follow({ scope, skillId, path }: StateOwner): Promise<void> {
    const asked = ++this.#asked;
    try {
      const { entries } = await this.#client.call('skill/get', { skill: skillId, scope });
      const manifest = entries.find((entry) => entry.role === 'manifest');
      const read = async (file: string): Promise<string> => (await this.#client.call('file/read', { skill: skillId, scope, path: file })).text ?? '';
      const found = manifest ? statePathOf(await read(manifest.path), path) : null;
      const state = found === null ? null : readState(await read(found));
      if (asked !== this.#asked) return;
      [this.path, this.state, this.failure] = [found, state, null];
    } catch (cause) {
      if (asked !== this.#asked) return;
      [this.path, this.state, this.failure] = [null, null, asFailure(cause)];
    }
    this.loaded = true;
  }
}
