import type { Platform } from '$lib/platform';
import type { OperationName, OutputOf, ParamsOf } from '$lib/api/generated';
import { asFailure, Failed } from './failure';
import { CallControl } from './callControl';

/** Calls operations for the open workspace. */
export class Client {
  readonly platform: Platform;
  /** The absolute path of the open workspace: every call is made in it. */
  workspace: string | null = null;
  /** Distinguishes windows without a workspace. */
  windowNumber = 0;

  /** Operations whose calls get a control unless the caller has one: they report progress and can be canceled. */
  controllable: ReadonlySet<OperationName> = new Set();
  /** Runs as each call begins. */
  onCall: ((name: OperationName, params: unknown, reply: Promise<unknown>, control: CallControl | null) => void) | null = null;

  constructor(platform: Platform) {
    this.platform = platform;
  }

  /** No other open window has the same; a later window with the same workspace has. */
  get windowKey(): string {
    return this.workspace ?? (this.windowNumber === 0 ? '' : `#${this.windowNumber}`);
  }

  /** Rejects with `Failed` only. */
  call<N extends OperationName>(name: N, params: ParamsOf<N>, control: CallControl | null = this.controllable.has(name) ? new CallControl() : null): Promise<OutputOf<N>> {
    const reply = this.#ask(name, params, control);
    this.onCall?.(name, params, reply, control);
    return reply;
  }

  async #ask<N extends OperationName>(name: N, params: ParamsOf<N>, control: CallControl | null): Promise<OutputOf<N>> {
    const { platform, workspace } = this;
    try {
      if (control === null) return (await platform.rpc(name, params, workspace)) as OutputOf<N>;
      const reply = platform.rpcWithProgress(name, params, workspace, control.id, (progress) => control.report(progress));
      control.begin((call) => void platform.rpcCancel(call).catch(() => undefined));
      return (await reply) as OutputOf<N>;
    } catch (cause) {
      throw new Failed(asFailure(cause));
    } finally {
      control?.end();
    }
  }
}
