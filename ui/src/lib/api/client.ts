import type { Platform } from '$lib/platform';
import type { OperationName, OutputOf, ParamsOf } from '$lib/api/generated';
import { asFailure, Failed } from './failure';
import { Watch } from './watch';

/** Calls operations for the open workspace. */
export class Client {
  readonly platform: Platform;
  /** The absolute path of the open workspace: every call is made in it. */
  workspace: string | null = null;
  /** Tells windows without a workspace from each other. */
  number = 0;

  /** Operations that tell how far they are and can be stopped: each call of them is watched. */
  watched: ReadonlySet<OperationName> = new Set();
  /** Told of each call as it begins. */
  onCall: ((name: OperationName, params: unknown, reply: Promise<unknown>, watch: Watch | null) => void) | null = null;

  constructor(platform: Platform) {
    this.platform = platform;
  }

  /** Where this window works, as what it keeps for its own is filed: no other window has the same. */
  get place(): string {
    return this.workspace ?? (this.number === 0 ? '' : `#${this.number}`);
  }

  /** Rejects with `Failed`, never with anything else. Whoever wants to hear how far it is, or to stop it, brings a watch. */
  call<N extends OperationName>(name: N, params: ParamsOf<N>, watch: Watch | null = this.watched.has(name) ? new Watch() : null): Promise<OutputOf<N>> {
    const reply = this.#ask(name, params, watch);
    this.onCall?.(name, params, reply, watch);
    return reply;
  }

  async #ask<N extends OperationName>(name: N, params: ParamsOf<N>, watch: Watch | null): Promise<OutputOf<N>> {
    const { platform, workspace } = this;
    try {
      if (watch === null) return (await platform.rpc(name, params, workspace)) as OutputOf<N>;
      const reply = platform.rpcWatched(name, params, workspace, watch.id, (progress) => watch.tell(progress));
      watch.begin((call) => void platform.rpcStop(call).catch(() => undefined));
      return (await reply) as OutputOf<N>;
    } catch (cause) {
      throw new Failed(asFailure(cause));
    } finally {
      watch?.end();
    }
  }
}
