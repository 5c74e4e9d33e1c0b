import type { Failure } from '$lib/api/generated';
import { asFailure } from './failure';

export type TaskState = 'running' | 'canceling' | 'done' | 'failed' | 'canceled';

export interface Task {
  readonly id: string;
  /** A verb first: "Run Check claims". */
  readonly title: string;
  /** A skill's name or a folder. */
  readonly subject: string;
  /** By `performance.now()`, since the clock may be changed. */
  readonly startedAt: number;
  readonly endedAt: number | null;
  readonly state: TaskState;
  /** From 0 to 1; null while unknown. */
  readonly fraction: number | null;
  /** Progress in words, or the outcome. */
  readonly note: string;
  readonly failure: Failure | null;
  /** Absent if it can't be canceled. */
  readonly cancel?: (() => unknown) | undefined;
  /** Opens the view that shows it. */
  readonly show?: (() => unknown) | undefined;
  readonly retry?: (() => unknown) | undefined;
}

export interface TaskInfo {
  title: string;
  subject?: string;
  cancel?: (() => unknown) | undefined;
  show?: (() => unknown) | undefined;
  retry?: (() => unknown) | undefined;
}

class TaskEntry implements Task {
  readonly id = crypto.randomUUID();
  readonly startedAt = performance.now();
  readonly title: string;
  readonly subject: string;
  readonly cancel: (() => unknown) | undefined;
  readonly show: (() => unknown) | undefined;
  readonly retry: (() => unknown) | undefined;
  state = $state<TaskState>('running');
  endedAt = $state<number | null>(null);
  fraction = $state<number | null>(null);
  note = $state('');
  failure = $state.raw<Failure | null>(null);

  constructor({ title, subject = '', cancel, show, retry }: TaskInfo) {
    this.title = title;
    this.subject = subject;
    this.show = show;
    this.retry = retry;
    this.cancel =
      cancel &&
      (() => {
        if (this.state !== 'running') return;
        this.state = 'canceling';
        cancel();
      });
  }
}

/** Reports the progress and the end of a task. */
export class Work {
  readonly #task: TaskEntry;

  constructor(info: TaskInfo) {
    this.#task = new TaskEntry(info);
  }

  get task(): Task {
    return this.#task;
  }

  report(note: string, fraction: number | null = this.#task.fraction): void {
    this.#task.note = note;
    this.#task.fraction = fraction;
  }

  /** `canceled`: overrides the state, which doesn't know whether the call ended before it was canceled. */
  done(note = this.#task.note, canceled = this.#task.state === 'canceling'): void {
    this.#end(canceled ? 'canceled' : 'done', note);
  }

  failed(cause: unknown): void {
    const failure = asFailure(cause);
    this.#task.failure = failure;
    this.#end(failure.code === 'cancelled' ? 'canceled' : 'failed', this.#task.note);
  }

  #end(state: TaskState, note: string): void {
    if (this.#task.endedAt !== null) return;
    this.#task.note = note;
    this.#task.endedAt = performance.now();
    this.#task.state = state;
  }
}

const MAX_ENDED = 100;

/** Newest first. Ended tasks stay until they are cleared, up to `MAX_ENDED`. */
export class Tasks {
  list = $state.raw<readonly Task[]>([]);
  readonly running = $derived(this.list.filter((task) => task.endedAt === null));
  readonly ended = $derived(this.list.filter((task) => task.endedAt !== null));

  add(task: Task): void {
    const all = [task, ...this.list];
    const spare = all.filter((one) => one.endedAt !== null).slice(MAX_ENDED);
    this.list = spare.length === 0 ? all : all.filter((one) => !spare.includes(one));
  }

  begin(info: TaskInfo): Work {
    const work = new Work(info);
    this.add(work.task);
    return work;
  }

  /** Adds a task for the promise, whose result it returns. */
  async during<T>(info: TaskInfo, run: (work: Work) => Promise<T>): Promise<T> {
    const work = this.begin(info);
    try {
      const result = await run(work);
      work.done();
      return result;
    } catch (cause) {
      work.failed(cause);
      throw cause;
    }
  }

  clear(task?: Task): void {
    this.list = this.list.filter((one) => (task ? one !== task : one.endedAt === null));
  }
}
