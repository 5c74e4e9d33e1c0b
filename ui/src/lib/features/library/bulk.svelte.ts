import { asFailure, type Client, type SkillKey, type Tasks } from '$lib/api';
import type { Toasts } from '$lib/components';
import { plural } from '$lib/domain';
import type { Library } from '$lib/api/generated';

/** Skills per call: canceling takes effect between calls. */
const CHUNK = 100;

export interface BulkPorts {
  titleOf: (skill: SkillKey) => string | undefined;
  deleted: (skills: readonly SkillKey[]) => void;
  done: (report: Library.BulkReport) => void;
}

interface ActionLabels {
  /** "Disable 12 skills" */
  title: (count: number) => string;
  /** "Disabled 12 skills" */
  past: (what: string) => string;
}

function labelsOf(action: Library.BulkAction): ActionLabels {
  const labels = (verb: string, past: ActionLabels['past']): ActionLabels => ({ title: (count) => `${verb} ${plural(count, 'skill')}`, past });
  switch (action.do) {
    case 'enable':
      return action.on ? labels('Enable', (what) => `Enabled ${what}`) : labels('Disable', (what) => `Disabled ${what}`);
    case 'add_tag':
      return { title: (count) => `Add the tag “${action.tag}” to ${plural(count, 'skill')}`, past: (what) => `Added the tag “${action.tag}” to ${what}` };
    case 'remove_tag':
      return { title: (count) => `Remove the tag “${action.tag}” from ${plural(count, 'skill')}`, past: (what) => `Removed the tag “${action.tag}” from ${what}` };
    case 'set_category':
      return { title: (count) => `Set category of ${plural(count, 'skill')} to “${action.category}”`, past: (what) => `Set category of ${what} to “${action.category}”` };
    case 'delete':
      return labels('Delete', (what) => `Deleted ${what}`);
  }
}

/** One action on many skills, in several calls so that it can be canceled. Undo covers all of them. */
export class Bulk {
  /** Null while no action is running. */
  running = $state.raw<{ title: string; done: number; of: number } | null>(null);
  canceling = $state(false);
  /** Skills that weren’t changed, with the reasons. */
  refused = $state.raw<{ what: string; skills: readonly Library.RefusedSkill[] } | null>(null);
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

  cancel(): void {
    if (this.running) this.canceling = true;
  }

  async apply(skills: readonly SkillKey[], action: Library.BulkAction): Promise<void> {
    if (skills.length === 0 || this.running) return;
    const labels = labelsOf(action);
    // Read before the call, since a deleted skill has no title.
    const titles = new Map(skills.map((skill) => [skill.id, this.#ports.titleOf(skill)]));
    const call = (part: readonly SkillKey[]): Promise<Library.BulkReport> =>
      this.#client.call('library/apply', { skills: part.map(({ id, scope }) => ({ skill: id, scope })), action });
    const { report, left, broken } = await this.#inChunks(labels.title(skills.length), skills, call);
    if (action.do === 'delete') {
      await this.#retryDependents(report, call);
      this.#ports.deleted(report.done);
    }
    report.failed = report.failed.map((one) => (one.name === null ? deletedSkill(one, titles.get(one.skill)) : one));
    this.#ports.done(report);
    this.#report(labels, report, broken === null ? left : 0);
    if (broken !== null) this.#reportFailure(labels.title(left), broken, left > 0 ? () => this.apply(skills.slice(-left), action) : null);
  }

  /** A skill that others depend on can be deleted once they are, possibly by a later call. */
  async #retryDependents(report: Library.BulkReport, call: (part: readonly SkillKey[]) => Promise<Library.BulkReport>): Promise<void> {
    for (;;) {
      const needed = report.failed.filter((one) => one.failure.code === 'hasDependents' && one.scope !== null);
      if (needed.length === 0 || needed.length > CHUNK || report.done.length === 0) return;
      const more = await call(needed.map((one) => ({ id: one.skill, scope: one.scope ?? 'account' }))).catch(() => null);
      if (!more || more.done.length === 0) return;
      report.done.push(...more.done);
      report.failed = report.failed.filter((one) => !more.done.some(({ id, scope }) => id === one.skill && scope === one.scope));
    }
  }

  #report(labels: ActionLabels, report: Library.BulkReport, left: number): void {
    const changed = report.done.filter((one) => one.undo !== null);
    const same = report.done.length - changed.length;
    const steps = changed.flatMap((one) => (one.undo ? [{ id: one.id, scope: one.scope, undo: one.undo }] : []));
    const notes = [
      same > 0 ? `No change needed for ${plural(same, 'skill')}.` : '',
      report.failed.length > 0 ? `${plural(report.failed.length, 'skill')} not changed: ${reasons(report.failed)}` : '',
      left > 0 ? `Canceled before ${plural(left, 'skill')}.` : '',
    ].filter(Boolean);
    const what = labels.past(namesOf(changed));
    const actions = [
      ...(steps.length > 0 ? [{ label: 'Undo', run: () => this.undo(steps) }] : []),
      ...(report.failed.length > 0 ? [{ label: 'Show why', keepsToast: true as const, run: () => (this.refused = { what: `Couldn’t ${lower(labels.title(report.failed.length))}`, skills: report.failed }) }] : []),
    ];
    if (changed.length === 0 && report.failed.length === 0 && left === 0) {
      if (same > 0) this.#toasts.show(`No change needed for ${plural(same, 'skill')}`);
      return;
    }
    this.#toasts.show(changed.length === 0 ? `Couldn’t ${lower(labels.title(report.failed.length + left))}` : what, {
      tone: report.failed.length > 0 ? 'warn' : 'info',
      hint: notes.length > 0 ? notes.join(' ') : null,
      actions,
      ...(report.failed.length > 0 ? { lasts: 0 } : {}),
    });
  }

  async undo(steps: readonly Library.UndoStep[]): Promise<void> {
    if (this.running) {
      this.#toasts.show('Another change is still running.', { actions: [{ label: 'Undo', run: () => this.undo(steps) }] });
      return;
    }
    // In reverse order: a later change may depend on an earlier one.
    const order = steps.toReversed();
    const { report, left, broken } = await this.#inChunks(`Undo in ${plural(steps.length, 'skill')}`, order, (part) =>
      this.#client.call('library/undo', { steps: [...part] }),
    );
    this.#ports.done(report);
    if (report.failed.length > 0) {
      this.#toasts.show(`Couldn’t undo in ${plural(report.failed.length, 'skill')}`, {
        tone: 'error',
        hint: reasons(report.failed),
        actions: [{ label: 'Show why', keepsToast: true, run: () => (this.refused = { what: 'Couldn’t undo', skills: report.failed }) }],
      });
    }
    if (left > 0) {
      const rest = order.slice(-left);
      if (broken !== null) this.#reportFailure('Undo', broken, () => this.undo(rest.toReversed()));
      else this.#toasts.show(`Canceled with ${plural(left, 'skill')} left`, { actions: [{ label: 'Continue', run: () => this.undo(rest.toReversed()) }] });
    }
  }

  #reportFailure(what: string, cause: unknown, retry: (() => unknown) | null): void {
    const failure = asFailure(cause);
    this.#toasts.show(`Couldn’t ${lower(what)}: ${failure.message}`, { tone: 'error', hint: failure.hint, actions: retry ? [{ label: 'Continue', run: retry }] : [] });
  }

  async #inChunks<T>(title: string, all: readonly T[], call: (part: readonly T[]) => Promise<Library.BulkReport>): Promise<{ report: Library.BulkReport; left: number; broken: unknown }> {
    const report: Library.BulkReport = { done: [], failed: [] };
    this.canceling = false;
    this.running = { title, done: 0, of: all.length };
    const work = all.length > CHUNK ? this.#tasks.begin({ title, cancel: () => this.cancel() }) : null;
    let at = 0;
    let broken: unknown = null;
    while (at < all.length && !this.#isCanceled()) {
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
      this.running = { title, done: at, of: all.length };
      work?.report(`${at} of ${all.length}`, at / all.length);
    }
    this.running = null;
    if (broken === null) work?.done();
    else work?.failed(broken);
    return { report, left: all.length - at, broken };
  }

  /** A call, since TypeScript takes `this.canceling` for unchanged since it was set. */
  #isCanceled(): boolean {
    return this.canceling;
  }
}

const lower = (text: string): string => text.charAt(0).toLowerCase() + text.slice(1);

/** The core knows neither the title nor the scope of a skill that doesn’t exist, and names it by its id. */
const deletedSkill = (refused: Library.RefusedSkill, title = 'Deleted skill'): Library.RefusedSkill => ({
  ...refused,
  name: title,
  ...(refused.failure.code === 'notFound' && { failure: { ...refused.failure, message: `${title} was deleted`, hint: null, nextStep: null } }),
});

const namesOf = (done: readonly Library.ChangedSkill[]): string => (done.length === 1 ? (done[0]?.name ?? '') : plural(done.length, 'skill'));

/** Such as "2 are locked, 1 is needed by others". Other reasons are in the words of the core. */
function reasons(refused: readonly Library.RefusedSkill[]): string {
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
