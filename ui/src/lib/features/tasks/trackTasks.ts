import { asFailure, missingOf, type Tasks, type TaskInfo, type CallControl, type Work } from '$lib/api';
import { byteProgress, countProgress } from '$lib/domain';
import type { OperationName, RunEvent } from '$lib/api/generated';
import type { Services } from '$lib/workbench/services';
import type { TaskLabel } from './taskLabel';

/** Calls marked as short are listed after this time. */
const SHORT_MS = 600;

type Call = Extract<TaskLabel, { call: unknown }>['call'];
type Background = Extract<TaskLabel, { background: unknown }>['background'];

/** Lists the calls of labeled operations as tasks. */
export function trackTasks(tasks: Tasks, services: Services): void {
  const { client, contributions, feed } = services;
  const labels = new Map(contributions.of('tasks').map((label) => [label.id, label]));
  const inBackground = new Map<OperationName, Work>();

  client.controllable = new Set([...labels.values()].filter((label) => 'call' in label && label.call.wasCanceled !== undefined).map(({ id }) => id));
  client.onCall = (name, params, reply, control) => {
    const label = labels.get(name);
    if (label === undefined) return;
    if ('call' in label) follow(name, label.call, params as never, reply, control);
    else void reply.then((status) => updateBackground(name, label.background, status as never)).catch(() => undefined);
  };

  function follow(name: OperationName, label: Call, params: never, reply: Promise<unknown>, control: CallControl | null): void {
    const info = label.info(params, services);
    if (!info) return;
    const id = label.isRun === true ? ((params as { run?: string | null }).run ?? null) : null;
    const all: TaskInfo = { ...info };
    if (id !== null) {
      all.cancel = () => client.call('run/cancel', { run: id }).catch(() => undefined);
      all.show ??= () => services.runs.show(id);
    }
    if (control) all.cancel = () => control.cancel();
    if (label.isRepeatable === true) {
      // The new task reports the failure.
      all.retry = () => {
        const repeated = { ...(params as object), run: crypto.randomUUID() };
        const reply = label.repeat?.(params, services) ?? client.call(name, id === null ? params : (repeated as never));
        return reply.catch(() => undefined);
      };
    }
    let work: Work | null = null;
    const begin = (): Work => (work ??= tasks.begin(all));
    const timer = label.isShort === true ? setTimeout(begin, SHORT_MS) : null;
    if (timer === null) begin();
    control?.onProgress(({ done, total }) => {
      work?.report((label.isInBytes === true ? byteProgress : countProgress)(done, total), total === null || total === 0 ? null : done / total);
    });
    const unsubscribe = id === null ? null : feed.onRun(id, (event) => reportEvent(begin(), event));
    reply
      .then(
        (output) => work?.done(label.outcome(output as never, params), label.wasCanceled?.(output as never)),
        (cause: unknown) => {
          const failure = asFailure(cause);
          // Nothing was executed: the caller asks for the approval, or for the missing values.
          if (failure.code !== 'approvalRequired' && missingOf(failure).length === 0) begin().failed(cause);
          else if (work) tasks.clear(work.task);
        },
      )
      .catch((cause: unknown) => work?.failed(asFailure(cause)))
      .finally(() => {
        if (timer !== null) clearTimeout(timer);
        unsubscribe?.();
      });
  }

  function reportEvent(work: Work, event: RunEvent): void {
    if (event.kind === 'began') work.report(event.name);
    else if (event.kind === 'progress') work.report(event.text, event.fraction);
  }

  function updateBackground(name: OperationName, label: Background, reply: never): void {
    const progress = label.progress(reply);
    if (progress === null) {
      inBackground.get(name)?.done(label.outcome(reply));
      inBackground.delete(name);
      return;
    }
    const { done, total } = progress;
    const work = inBackground.get(name) ?? tasks.begin(label.info(services));
    inBackground.set(name, work);
    work.report(countProgress(done, total), total === 0 ? null : done / total);
  }
}
