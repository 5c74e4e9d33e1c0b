import type { Client } from './client';
import { asFailure } from './failure';

/** The same words again within this time say nothing new. */
const AGAIN_MS = 10_000;
/** What one window reports in a minute; the core has its own bound for all of them. */
const MOST = 10;
const MINUTE_MS = 60_000;
const LETTERS = 3_000;

/** Writes what goes wrong in the page into the app's log. Returns what stops it. */
export function reportErrors(client: Client, page: EventTarget): () => void {
  const told = new Map<string, number>();

  function report(what: string, cause: unknown): void {
    const now = Date.now();
    for (const [words, at] of told) if (now - at > MINUTE_MS) told.delete(words);
    const words = `${what}: ${wordsOf(cause)}`.slice(0, LETTERS);
    const before = told.get(words);
    if (told.size >= MOST || (before !== undefined && now - before < AGAIN_MS)) return;
    told.set(words, now);
    // What can't be reported can't be reported either.
    client.call('log/report', { level: 'error', message: words }).catch(() => undefined);
  }

  const onError = (event: Event): void => {
    const { message = '', error, filename = '', lineno = 0 } = event as { message?: string; error?: unknown; filename?: string; lineno?: number };
    // A file that doesn't load has no message; whoever wanted it says so.
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

function wordsOf(cause: unknown): string {
  if (!(cause instanceof Error)) return typeof cause === 'string' ? cause : asFailure(cause).message;
  const stack = cause.stack ?? '';
  // Other engines repeat the message in the stack.
  return stack.includes(cause.message) ? stack : `${cause.name}: ${cause.message}\n${stack}`;
}
