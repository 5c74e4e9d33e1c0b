import type { Platform } from '$lib/platform';
import type { OperationName, OutputOf, ParamsOf } from '$lib/wire';
import { asFailure, Failed } from './failure';

/** Calls operations for the open workspace. */
export class Client {
  readonly platform: Platform;
  /** The absolute path of the open workspace: every call is made in it. */
  workspace: string | null = null;

  constructor(platform: Platform) {
    this.platform = platform;
  }

  /** Rejects with `Failed`, never with anything else. */
  async call<N extends OperationName>(name: N, params: ParamsOf<N>): Promise<OutputOf<N>> {
    try {
      return (await this.platform.rpc(name, params, this.workspace)) as OutputOf<N>;
    } catch (cause) {
      throw new Failed(asFailure(cause));
    }
  }
}
