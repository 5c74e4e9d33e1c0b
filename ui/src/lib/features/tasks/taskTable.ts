import { asFailure, Failed, type Tasks, type TaskWords, type Watch, type Work } from '$lib/api';
import { byteWords, farWords, formatUsd, plural } from '$lib/domain';
import type { OperationName, OptimizeOutcome, OutputOf, ParamsOf, RunEvent, RunOutcome, Scope } from '$lib/api/generated';
import type { Services } from '$lib/workbench/services';

type Needs = Pick<Services, 'catalog' | 'client' | 'dspy' | 'feed' | 'pages' | 'runs' | 'search' | 'workspace'>;

/** Calls that are usually short are listed once they took this long. */
const SOON_MS = 600;

interface Listed<N extends OperationName> {
  /** Null: this call isn't listed. */
  words: (params: ParamsOf<N>, services: Needs) => TaskWords | null;
  /** What came of it. Throws what a good reply says of a failure. */
  outcome: (reply: OutputOf<N>, params: ParamsOf<N>) => string;
  /** Usually short: listed only when it takes long. */
  short?: boolean;
  /** It may be done again as it is. */
  repeats?: boolean;
  /** It is a run: told of by events, and stopped by its id. */
  run?: boolean;
  /** It tells how far it is and can be stopped; what it says of itself when it was. */
  watched?: (reply: OutputOf<N>) => boolean;
  /** How far it is, in words. */
  far?: typeof farWords;
}

type Table = { [N in OperationName]?: Listed<N> };

const names = (paths: readonly string[]): string => (paths.length === 1 ? (paths[0] ?? '') : plural(paths.length, 'folder'));

interface Executed {
  skill: string;
  scope?: Scope | null;
  artifact?: string | null;
}

/** What runs, in the words of the tree. */
function runWords(verb: string, { skill, scope, artifact }: Executed, services: Needs): TaskWords {
  const known = services.catalog.skills.find((one) => one.id === skill && (scope == null || one.scope === scope));
  const name = known?.name ?? skill;
  return artifact == null ? { title: `${verb} ${name}` } : { title: `${verb} ${artifact}`, place: name };
}

function ran({ status, error, estimated_cost: cost }: RunOutcome): string {
  if (error) throw new Failed(error);
  const words = status === 'fallback' ? 'used fallback' : '';
  return [words, cost === null || cost === 0 ? '' : formatUsd(cost)].filter(Boolean).join(', ');
}

function proposed({ run, proposal }: OptimizeOutcome): string {
  const spent = ran(run);
  return [proposal ? 'proposal ready' : run.status === 'ok' ? 'no better state found' : '', spent].filter(Boolean).join(', ');
}

/** The calls that are tasks. A new operation that takes long is a line here. */
const LISTED: Table = {
  'run/start': { run: true, repeats: true, words: (params, services) => runWords('Run', params, services), outcome: ran },
  'run/replay': { run: true, repeats: true, words: () => ({ title: 'Run again' }), outcome: ran },
  'optimize/start': {
    run: true,
    repeats: true,
    words: (params, services) => ({ ...runWords('Optimize', params, services), show: () => services.dspy.openProposals() }),
    outcome: proposed,
  },
  'optimize/again': {
    run: true,
    repeats: true,
    words: (params, services) => ({ ...runWords('Optimize again', params, services), show: () => services.dspy.openProposals() }),
    outcome: proposed,
  },
  'skill/import': {
    repeats: true,
    words: ({ paths, dry_run: dry }) => (dry ? null : { title: 'Import skills', place: names(paths) }),
    watched: ({ stopped }) => stopped,
    outcome: ({ items, found }) => {
      const taken = items.filter(({ stored }) => stored).length;
      const refused = items.filter(({ status }) => status === 'refused').length;
      return `${taken} of ${plural(found, 'skill')}${refused > 0 ? `, ${refused} failed` : ''}`;
    },
  },
  'check/folders': {
    short: true,
    repeats: true,
    words: ({ paths }) => ({ title: 'Check skills', place: names(paths) }),
    watched: ({ stopped }) => stopped,
    outcome: ({ skills }) => `${skills.filter(({ ok }) => ok).length} of ${plural(skills.length, 'skill')} valid`,
  },
  'skill/export': {
    repeats: true,
    words: ({ skills, out, dry_run: dry }) => (dry ? null : { title: `Export ${plural(skills.length, 'skill')}`, place: out ?? '' }),
    watched: ({ stopped }) => stopped,
    outcome: ({ items }) => `${plural(items.reduce((sum, one) => sum + one.files, 0), 'file')} exported`,
  },
  'db/backup': {
    short: true,
    words: ({ scope, to }) => ({ title: `Back up the ${scope ?? 'account'} database`, place: to }),
    watched: () => false,
    far: byteWords,
    outcome: ({ copy }) => copy,
  },
  'db/restore': {
    short: true,
    words: ({ scope, from }) => ({ title: `Restore the ${scope ?? 'account'} database`, place: from }),
    watched: () => false,
    far: byteWords,
    outcome: () => '',
  },
  'db/check': {
    short: true,
    repeats: true,
    words: ({ scope }) => ({ title: `Check the ${scope ?? 'account'} database` }),
    watched: () => false,
    outcome: ({ ok, findings }) => (ok ? 'intact' : plural(findings.length, 'problem')),
  },
  'text/replace': {
    words: ({ query, files }, services) => ({
      title: `Replace “${query.text}”`,
      place: plural(files.length, 'file'),
      show: () => services.search.show(true),
    }),
    outcome: ({ changed, kept }) => `${plural(changed.length, 'skill')} changed${kept.length > 0 ? `, ${kept.length} not changed` : ''}`,
  },
  'run/delete': { words: ({ runs }) => ({ title: `Delete ${plural(runs.length, 'run')}` }), outcome: () => '' },
  'trace/export': {
    repeats: true,
    words: ({ out }) => ({ title: 'Export runs', place: out ?? '' }),
    outcome: ({ lines }) => plural(lines, 'line'),
  },
  'page/refresh': {
    short: true,
    repeats: true,
    words: (_, services) => ({ title: 'Refresh pages', place: services.workspace.current?.name ?? '', show: () => services.pages.open() }),
    outcome: ({ added, changed, removed }) => plural(added.length + changed.length + removed.length, 'change'),
  },
  'program/retry': {
    repeats: true,
    words: (_, services) => ({ title: 'Start DSPy', show: () => services.dspy.openSettings() }),
    outcome: ({ state }) => state,
  },
};

/** Lists the longer calls of the window as tasks, whoever makes them. */
export function trackTasks(tasks: Tasks, services: Needs): void {
  const { client, feed } = services;
  let pages: Work | null = null;

  client.watched = new Set((Object.keys(LISTED) as OperationName[]).filter((name) => LISTED[name]?.watched !== undefined));
  client.onCall = (name, params, reply, watch) => {
    if (name === 'page/status') void reply.then((status) => indexed(status as OutputOf<'page/status'>)).catch(() => undefined);
    const listed = LISTED[name] as Listed<OperationName> | undefined;
    if (listed) follow(name, listed, params as never, reply, watch);
  };

  function follow<N extends OperationName>(name: N, listed: Listed<N>, params: ParamsOf<N>, reply: Promise<unknown>, watch: Watch | null): void {
    const words = listed.words(params, services);
    if (!words) return;
    const id = listed.run === true ? ((params as { run?: string | null }).run ?? null) : null;
    const all: TaskWords = { ...words };
    if (id !== null) {
      all.stop = () => client.call('run/cancel', { run: id }).catch(() => undefined);
      all.show ??= () => services.runs.show(id);
    }
    if (watch) all.stop = () => watch.stop();
    if (listed.repeats === true) {
      // Its failure is told by the task that it becomes.
      all.retry = () => client.call(name, id === null ? params : { ...params, run: crypto.randomUUID() }).catch(() => undefined);
    }
    let work: Work | null = null;
    const begin = (): Work => (work ??= tasks.begin(all));
    const timer = listed.short === true ? setTimeout(begin, SOON_MS) : null;
    if (timer === null) begin();
    watch?.hear(({ done, total }) => {
      work?.tell((listed.far ?? farWords)(done, total), total === null || total === 0 ? null : done / total);
    });
    const unsubscribe = id === null ? null : feed.onRun(id, (event) => heard(begin(), event));
    reply
      .then(
        (answer) => {
          const output = answer as OutputOf<N>;
          work?.done(listed.outcome(output, params), listed.watched?.(output));
        },
        (cause: unknown) => begin().failed(cause),
      )
      .catch((cause: unknown) => work?.failed(asFailure(cause)))
      .finally(() => {
        if (timer !== null) clearTimeout(timer);
        unsubscribe?.();
      });
  }

  function heard(work: Work, event: RunEvent): void {
    if (event.kind === 'began') work.tell(event.name);
    else if (event.kind === 'progress') work.tell(event.text, event.fraction);
  }

  /** The index of the pages is made by whoever asks first; how far it is comes with its status. */
  function indexed({ progress, pages: count }: OutputOf<'page/status'>): void {
    if (progress === null) {
      pages?.done(plural(count, 'page'));
      pages = null;
      return;
    }
    pages ??= tasks.begin({ title: 'Index pages', place: services.workspace.current?.name ?? '', show: () => services.pages.open() });
    pages.tell(farWords(progress.done, progress.total), progress.total === 0 ? null : progress.done / progress.total);
  }
}
