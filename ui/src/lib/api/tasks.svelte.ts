import type { Failure } from '$lib/api/generated';
import { asFailure } from './failure';

export type TaskState = 'going' | 'stopping' | 'done' | 'failed' | 'stopped';

/** A longer piece of work, as the list of tasks shows it. */
export interface Task {
  readonly id: string;
  /** A verb first: "Run Check claims". */
  readonly title: string;
  /** What it belongs to: a skill, a folder. */
  readonly place: string;
  /** When it began and ended, by `performance.now()`: the clock may be set meanwhile. */
  readonly startedAt: number;
  readonly endedAt: number | null;
  readonly state: TaskState;
  /** From 0 to 1; null while nobody knows. */
  readonly fraction: number | null;
  /** How far it is, or what came of it. */
  readonly note: string;
  readonly failure: Failure | null;
  /** Absent: it can't be stopped. */
  readonly stop?: (() => unknown) | undefined;
  /** Goes to where it is shown in full. */
  readonly show?: (() => unknown) | undefined;
  /** Does it once more, after it failed. */
  readonly retry?: (() => unknown) | undefined;
}

/** What is known of a task from its beginning. */
export interface TaskWords {
  title: string;
  place?: string;
  stop?: (() => unknown) | undefined;
  show?: (() => unknown) | undefined;
  retry?: (() => unknown) | undefined;
}

/** A task that is told how far its work is. */
export class Work implements Task {
  readonly id = crypto.randomUUID();
  readonly startedAt = performance.now();
  readonly title: string;
  readonly place: string;
  readonly stop: (() => unknown) | undefined;
  readonly show: (() => unknown) | undefined;
  readonly retry: (() => unknown) | undefined;
  state = $state<TaskState>('going');
  endedAt = $state<number | null>(null);
  fraction = $state<number | null>(null);
  note = $state('');
  failure = $state.raw<Failure | null>(null);

  constructor({ title, place = '', stop, show, retry }: TaskWords) {
    this.title = title;
    this.place = place;
    this.show = show;
    this.retry = retry;
    this.stop =
      stop &&
      (() => {
        if (this.state !== 'going') return;
        this.state = 'stopping';
        stop();
      });
  }

  tell(note: string, fraction: number | null = this.fraction): void {
    this.note = note;
    this.fraction = fraction;
  }

  /** It came to its end, or to the one that was asked for; some say which of them it was. */
  done(note = this.note, stopped = this.state === 'stopping'): void {
    this.#end(stopped ? 'stopped' : 'done', note);
  }

  failed(cause: unknown): void {
    this.failure = asFailure(cause);
    this.#end(this.failure.code === 'cancelled' ? 'stopped' : 'failed', this.note);
  }

  #end(state: TaskState, note: string): void {
    if (this.endedAt !== null) return;
    this.note = note;
    this.endedAt = performance.now();
    this.state = state;
  }
}

/** Those that ended stay until they are cleared, but not without end. */
const KEPT = 100;

/** Every longer piece of work of the window, the newest first. Whoever starts one adds it here. */
export class Tasks {
  list = $state.raw<readonly Task[]>([]);
  readonly going = $derived(this.list.filter((task) => task.endedAt === null));
  readonly ended = $derived(this.list.filter((task) => task.endedAt !== null));

  add(task: Task): void {
    const all = [task, ...this.list];
    const spare = all.filter((one) => one.endedAt !== null).slice(KEPT);
    this.list = spare.length === 0 ? all : all.filter((one) => !spare.includes(one));
  }

  /** A task that its caller keeps current. */
  begin(words: TaskWords): Work {
    const work = new Work(words);
    this.add(work);
    return work;
  }

  /** A task as long as a promise; what it rejects with is passed on. */
  async during<T>(words: TaskWords, run: (work: Work) => Promise<T>): Promise<T> {
    const work = this.begin(words);
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
