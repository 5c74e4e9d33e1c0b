import type { TaskInfo } from '$lib/api';
import type { OperationName, OutputOf, ParamsOf } from '$lib/api/generated';
import type { Contributed } from '$lib/workbench/contribution';
import type { Services } from '$lib/workbench/services';

interface Label<N extends OperationName> {
  /** Null if the call isn't listed. */
  info: (params: ParamsOf<N>, services: Services) => TaskInfo | null;
  /** Shown once it is done. Throws if the reply describes a failure. */
  outcome: (reply: OutputOf<N>, params: ParamsOf<N>) => string;
  /** Listed only if it takes long. */
  isShort?: true;
  /** Whether it can be called again with the same parameters. */
  isRepeatable?: true;
  /** How it is called again, if parameters were meant for one call only. */
  repeat?: (params: ParamsOf<N>, services: Services) => Promise<unknown>;
  /** Its `run` parameter is the id of a run, which reports its progress by events and is canceled by its id. */
  isRun?: true;
  /** Present if it reports progress and can be canceled. Returns whether the reply is that of a canceled call. */
  wasCanceled?: (reply: OutputOf<N>) => boolean;
  /** `done` and `total` are bytes. */
  isInBytes?: true;
}

interface BackgroundLabel<N extends OperationName> {
  info: (services: Services) => TaskInfo;
  /** Null once nothing runs. */
  progress: (reply: OutputOf<N>) => { done: number; total: number } | null;
  outcome: (reply: OutputOf<N>) => string;
}

/** How the calls of an operation are listed as tasks. The id is the operation. */
export type TaskLabel = Contributed & { id: OperationName } & ({ call: Label<OperationName> } | { background: BackgroundLabel<OperationName> });

/** Each call of the operation is a task. */
export function callTask<N extends OperationName>(id: N, label: Label<N>): TaskLabel {
  return { id, call: label as unknown as Label<OperationName> };
}

/** A task of the core, whose progress the replies of the operation report. */
export function backgroundTask<N extends OperationName>(id: N, label: BackgroundLabel<N>): TaskLabel {
  return { id, background: label as unknown as BackgroundLabel<OperationName> };
}
