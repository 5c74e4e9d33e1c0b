import { asFailure, type Client, type SkillKey, type Tasks } from '$lib/api';
import type { Toasts } from '$lib/components';
import { plural } from '$lib/domain';
import type { Applied, BulkAction, BulkReport, Refused, UndoStep } from '$lib/api/generated';

/** Skills of one call: few enough to be stopped in between, enough to be quick. */
const CHUNK = 100;

/** What the bulk changes need of the window. */
export interface BulkPorts {
  /** These were changed. */
  done: (report: BulkReport) => void;
}

interface Words {
  /** "Disable 12 skills" */
  title: (count: number) => string;
  /** "Disabled 12 skills" */
  past: (what: string) => string;
}

function wordsOf(action: BulkAction): Words {
  const words = (verb: string, past: Words['past']): Words => ({ title: (count) => `${verb} ${plural(count, 'skill')}`, past });
  switch (action.do) {
    case 'enable':
      return action.on ? words('Enable', (what) => `Enabled ${what}`) : words('Disable', (what) => `Disabled ${what}`);
    case 'add_tag':
      return { title: (count) => `Add the tag “${action.tag}” to ${plural(count, 'skill')}`, past: (what) => `Added the tag “${action.tag}” to ${what}` };
    case 'remove_tag':
      return { title: (count) => `Remove the tag “${action.tag}” from ${plural(count, 'skill')}`, past: (what) => `Removed the tag “${action.tag}” from ${what}` };
    case 'set_category':
      return { title: (count) => `Set category of ${plural(count, 'skill')} to “${action.category}”`, past: (what) => `Set category of ${what} to “${action.category}”` };
    case 'delete':
      return words('Delete', (what) => `Deleted ${what}`);
  }
}

/** One change to many skills: in parts, so that it can be stopped; each skill as a whole or not at all; one step back for all of it. */
export class Bulk {
  /** What goes on: its words, and how much of it is done. */
  going = $state.raw<{ title: string; done: number; of: number } | null>(null);
  stopping = $state(false);
  /** Skills that were left as they are, to be looked at. */
  refused = $state.raw<{ what: string; skills: readonly Refused[] } | null>(null);
  readonly #client: Client;
  readonly #toasts: Toasts;
  readonly #tasks: Tasks;
  readonly #ports: BulkPorts;

  constructor(client: Client, toasts: Toasts, tasks: Tasks, ports: BulkPorts) {
    this.#client = client;
    this.#toasts = toasts;
    this.#tasks = tasks;
    this.#ports = ports;
  }

  stop(): void {
    if (this.going) this.stopping = true;
  }

  async apply(skills: readonly SkillKey[], action: BulkAction): Promise<void> {
    if (skills.length === 0 || this.going) return;
    const words = wordsOf(action);
    const call = (part: readonly SkillKey[]): Promise<BulkReport> =>
      this.#client.call('library/apply', { skills: part.map(({ id, scope }) => ({ skill: id, scope })), action });
    const { report, left, broken } = await this.#inParts(words.title(skills.length), skills, call);
    if (action.do === 'delete') await this.#again(report, call);
    this.#ports.done(report);
    this.#tell(words, report, broken === null ? left : 0);
    if (broken !== null) this.#broke(words.title(left), broken, left > 0 ? () => this.apply(skills.slice(-left), action) : null);
  }

  /** What others need goes once those are gone, also when they were asked for in a later part. */
  async #again(report: BulkReport, call: (part: readonly SkillKey[]) => Promise<BulkReport>): Promise<void> {
    for (;;) {
      const needed = report.failed.filter((one) => one.failure.code === 'hasDependents' && one.scope !== null);
      if (needed.length === 0 || needed.length > CHUNK || report.done.length === 0) return;
      const more = await call(needed.map((one) => ({ id: one.skill, scope: one.scope ?? 'account' }))).catch(() => null);
      if (!more || more.done.length === 0) return;
      report.done.push(...more.done);
      report.failed = report.failed.filter((one) => !more.done.some((gone) => gone.id === one.skill && gone.scope === one.scope));
    }
  }

  #tell(words: Words, report: BulkReport, left: number): void {
    const changed = report.done.filter((one) => one.undo !== null);
    const same = report.done.length - changed.length;
    const steps = changed.flatMap((one) => (one.undo ? [{ id: one.id, scope: one.scope, undo: one.undo }] : []));
    const notes = [
      same > 0 ? `No change needed for ${plural(same, 'skill')}.` : '',
      report.failed.length > 0 ? `${plural(report.failed.length, 'skill')} not changed: ${reasons(report.failed)}` : '',
      left > 0 ? `Canceled before ${plural(left, 'skill')}.` : '',
    ].filter(Boolean);
    const what = words.past(namesOf(changed));
    const actions = [
      ...(steps.length > 0 ? [{ label: 'Undo', run: () => this.undo(steps) }] : []),
      ...(report.failed.length > 0 ? [{ label: 'Show why', run: () => (this.refused = { what: `Couldn’t ${lower(words.title(report.failed.length))}`, skills: report.failed }) }] : []),
    ];
    if (changed.length === 0 && report.failed.length === 0 && left === 0) {
      if (same > 0) this.#toasts.show(`No change needed for ${plural(same, 'skill')}`);
      return;
    }
    this.#toasts.show(changed.length === 0 ? `Couldn’t ${lower(words.title(report.failed.length + left))}` : what, {
      tone: report.failed.length > 0 ? 'warn' : 'info',
      hint: notes.length > 0 ? notes.join(' ') : null,
      actions,
      ...(report.failed.length > 0 ? { lasts: 0 } : {}),
    });
  }

  /** Takes all of it back. */
  async undo(steps: readonly UndoStep[]): Promise<void> {
    if (this.going) {
      this.#toasts.show('Another change is still running.', { actions: [{ label: 'Undo', run: () => this.undo(steps) }] });
      return;
    }
    // The last one first: what it changed, an earlier one may have been under.
    const order = steps.toReversed();
    const { report, left, broken } = await this.#inParts(`Undo in ${plural(steps.length, 'skill')}`, order, (part) =>
      this.#client.call('library/undo', { steps: [...part] }),
    );
    this.#ports.done(report);
    if (report.failed.length > 0) {
      this.#toasts.show(`Couldn’t undo in ${plural(report.failed.length, 'skill')}`, {
        tone: 'error',
        hint: reasons(report.failed),
        actions: [{ label: 'Show why', run: () => (this.refused = { what: 'Couldn’t undo', skills: report.failed }) }],
      });
    }
    if (left > 0) {
      const rest = order.slice(-left);
      if (broken !== null) this.#broke('Undo', broken, () => this.undo(rest.toReversed()));
      else this.#toasts.show(`Canceled with ${plural(left, 'skill')} left`, { actions: [{ label: 'Continue', run: () => this.undo(rest.toReversed()) }] });
    }
  }

  #broke(what: string, cause: unknown, retry: (() => unknown) | null): void {
    const failure = asFailure(cause);
    this.#toasts.show(`Couldn’t ${lower(what)}: ${failure.message}`, { tone: 'error', hint: failure.hint, actions: retry ? [{ label: 'Continue', run: retry }] : [] });
  }

  async #inParts<T>(title: string, all: readonly T[], call: (part: readonly T[]) => Promise<BulkReport>): Promise<{ report: BulkReport; left: number; broken: unknown }> {
    const report: BulkReport = { done: [], failed: [] };
    this.stopping = false;
    this.going = { title, done: 0, of: all.length };
    const work = all.length > CHUNK ? this.#tasks.begin({ title, stop: () => this.stop() }) : null;
    let at = 0;
    let broken: unknown = null;
    while (at < all.length && !this.#stopped()) {
      const part = all.slice(at, at + CHUNK);
      try {
        const { done, failed } = await call(part);
        report.done.push(...done);
        report.failed.push(...failed);
      } catch (cause) {
        broken = cause;
        break;
      }
      at += part.length;
      this.going = { title, done: at, of: all.length };
      work?.tell(`${at} of ${all.length}`, at / all.length);
    }
    this.going = null;
    if (broken === null) work?.done();
    else work?.failed(broken);
    return { report, left: all.length - at, broken };
  }

  /** Asked anew: it may change while a part is under way. */
  #stopped(): boolean {
    return this.stopping;
  }
}

const lower = (text: string): string => text.charAt(0).toLowerCase() + text.slice(1);

const namesOf = (done: readonly Applied[]): string => (done.length === 1 ? (done[0]?.name ?? '') : plural(done.length, 'skill'));

/** "2 are locked", in the core's words where they are all the same. */
function reasons(refused: readonly Refused[]): string {
  const locked = refused.filter((one) => one.failure.code === 'locked').length;
  const needed = refused.filter((one) => one.failure.code === 'hasDependents').length;
  const rest = refused.length - locked - needed;
  const first = refused.find((one) => !['locked', 'hasDependents'].includes(one.failure.code));
  const are = (count: number): string => (refused.length === 1 ? 'it is' : count === 1 ? '1 is' : `${count} are`);
  return `${[
    locked > 0 ? `${are(locked)} locked` : '',
    needed > 0 ? `${are(needed)} needed by others` : '',
    rest > 0 && first ? first.failure.message : '',
  ]
    .filter(Boolean)
    .join(', ')}.`;
}
