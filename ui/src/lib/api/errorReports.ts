import type { Client } from './client';
import { asFailure } from './failure';

/** A repeated message is reported at most this often. */
const REPEAT_MS = 10_000;
/** Of one window; the core limits all windows together. */
const MAX_PER_MINUTE = 10;
const MINUTE_MS = 60_000;
const MAX_LENGTH = 3_000;

/** Writes uncaught errors of the page to the app's log, until the returned function is called. */
export function reportErrors(client: Client, page: EventTarget): () => void {
  const reported = new Map<string, number>();

  function report(what: string, cause: unknown): void {
    const now = Date.now();
    for (const [message, at] of reported) if (now - at > MINUTE_MS) reported.delete(message);
    const message = `${what}: ${messageOf(cause)}`.slice(0, MAX_LENGTH);
    const before = reported.get(message);
    if (reported.size >= MAX_PER_MINUTE || (before !== undefined && now - before < REPEAT_MS)) return;
    reported.set(message, now);
    client.call('log/report', { level: 'error', message: message }).catch(() => undefined);
  }

  const onError = (event: Event): void => {
    const { message = '', error, filename = '', lineno = 0 } = event as { message?: string; error?: unknown; filename?: string; lineno?: number };
    // A file that doesn't load has no message; what loads it reports it.
    if (message === '' || message.startsWith('ResizeObserver loop')) return;
    report('uncaught error', error ?? `${message} at ${filename}:${lineno}`);
  };
  const onRejection = (event: Event): void => {
    if ('reason' in event) report('unhandled promise rejection', event.reason);
  };
  page.addEventListener('error', onError);
  page.addEventListener('unhandledrejection', onRejection);
  return () => {
    page.removeEventListener('error', onError);
    page.removeEventListener('unhandledrejection', onRejection);
  };
}

function messageOf(cause: unknown): string {
  if (!(cause instanceof Error)) return typeof cause === 'string' ? cause : asFailure(cause).message;
  const stack = cause.stack ?? '';
  // WebKit's stack lacks the message.
  return stack.includes(cause.message) ? stack : `${cause.name}: ${cause.message}\n${stack}`;
}
