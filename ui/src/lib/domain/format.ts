import { now } from './clock';

/** The core's messages are lower case, so that they fit into a sentence; alone they begin with a capital, unless that would change a path. */
export const capital = (text: string): string => (/^[^\s:]*[^\s:.][/.]\w/u.test(text) ? text : text.charAt(0).toUpperCase() + text.slice(1));

/** Replaces the plain apostrophes of the core's messages. */
export const typeset = (text: string): string => text.replace(/(\p{L})'(\p{L})/gu, '$1’$2');

/** Created on first use: each formatter takes milliseconds, which would delay the start. */
export function lazy<T>(make: () => T): () => T {
  let made: T | undefined;
  return () => (made ??= make());
}

// Fields read what is written here, and expect its separators.
const number = lazy(() => new Intl.NumberFormat('en-US'));
// Dates are those of the user's language.
const localDay = lazy(() => new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short', year: 'numeric' }));
const utcDay = lazy(() => new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' }));
const exact = lazy(() => new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'medium' }));

export const formatNumber = (value: number): string => number().format(value);
export const countProgress = (done: number, total: number | null): string => (total === null ? formatNumber(done) : `${formatNumber(done)} of ${formatNumber(total)}`);

export function formatBytes(bytes: number): string {
  if (bytes < 1024) return `${bytes} B`;
  const kib = bytes / 1024;
  if (kib < 1024) return `${kib < 10 ? kib.toFixed(1) : Math.round(kib).toString()} KiB`;
  return `${(kib / 1024).toFixed(1)} MiB`;
}

/** "1.5 MiB of 20.0 MiB" */
export const byteProgress = (done: number, total: number | null): string => (total === null ? formatBytes(done) : `${formatBytes(done)} of ${formatBytes(total)}`);

/** "5 min ago" for the last day, the date before that; updated as time passes. */
export function formatAgo(iso: string, at = now()): string {
  const then = Date.parse(iso);
  if (Number.isNaN(then)) return iso;
  const seconds = Math.max(0, Math.round((at - then) / 1000));
  if (seconds < 45) return 'just now';
  const minutes = Math.round(seconds / 60);
  if (minutes < 60) return `${minutes} min ago`;
  const hours = Math.round(minutes / 60);
  if (hours < 24) return `${hours} h ago`;
  return localDay().format(then);
}

/** A day of the calendar, such as 2026-11-21, wherever the machine is. */
export function formatDay(day: string): string {
  const at = Date.parse(day);
  return Number.isNaN(at) ? day : utcDay().format(at);
}

export function formatExact(iso: string): string {
  const then = Date.parse(iso);
  return Number.isNaN(then) ? iso : exact().format(then);
}

/** The path with the home folder as ~. */
export function tildePath(path: string, home: string | null): string {
  if (home && (path === home || path.startsWith(`${home}/`))) return `~${path.slice(home.length)}`;
  return path;
}
