import type { Platform } from '$lib/platform';
import type { OperationName, OutputOf, ParamsOf } from '$lib/wire';
import { asFailure, Failed } from './failure';

/** Calls operations for the open workspace. */
export class Client {
  readonly platform: Platform;
  /** The absolute path of the open workspace: every call is made in it. */
  workspace: string | null = null;
  /** Tells windows without a workspace from each other. */
  number = 0;

  /** Told of each call as it begins. */
  onCall: ((name: OperationName, params: unknown, reply: Promise<unknown>) => void) | null = null;

  constructor(platform: Platform) {
    this.platform = platform;
  }

  /** Where this window works, as what it keeps for its own is filed: no other window has the same. */
  get place(): string {
    return this.workspace ?? (this.number === 0 ? '' : `#${this.number}`);
  }

  /** Rejects with `Failed`, never with anything else. */
  call<N extends OperationName>(name: N, params: ParamsOf<N>): Promise<OutputOf<N>> {
    const reply = this.#ask(name, params);
    this.onCall?.(name, params, reply);
    return reply;
  }

  async #ask<N extends OperationName>(name: N, params: ParamsOf<N>): Promise<OutputOf<N>> {
    try {
      return (await this.platform.rpc(name, params, this.workspace)) as OutputOf<N>;
    } catch (cause) {
      throw new Failed(asFailure(cause));
    }
  }
}
