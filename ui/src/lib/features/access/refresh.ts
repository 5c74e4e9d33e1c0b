import type { Services } from '$lib/workbench/services';

const INTERVAL_MS = 2_000;
/** Tokens and the audit log change elsewhere, too. */
const FULL_EVERY = 5;

type Needs = Pick<Services, 'auditLog' | 'localServer' | 'tokens'>;

/** Keeps the lists of the page current until the returned function is called. Nothing is asked while the window isn’t visible. */
export function refresh({ auditLog, localServer, tokens }: Needs, isVisible = () => document.visibilityState === 'visible'): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let ended = false;
  let round = 0;
  const loadRest = (): Promise<unknown> => Promise.all([tokens.load(), auditLog.load()]);
  const next = async (): Promise<void> => {
    if (isVisible()) {
      const before = localServer.status;
      await localServer.load();
      if (round++ % FULL_EVERY === 0 || localServer.status !== before) await loadRest();
    }
    if (!ended) timer = setTimeout(() => void next(), INTERVAL_MS);
  };
  auditLog.reset();
  void next();
  return () => {
    ended = true;
    clearTimeout(timer);
  };
}
