// Tests that failed or never ended and were run once more. Each file of tests is a process of its own, so they are noted in a file.
import { appendFileSync, readFileSync } from 'node:fs';
import { env } from 'node:process';

/** A machine can stall once in a while; with more than this in one run something is wrong. */
export const MOST_RETRIES = 2;

/** @param {string} name */
export function noteRetry(name) {
  if (env.INKLINGS_RETRIES) appendFileSync(env.INKLINGS_RETRIES, `${name}\n`);
}

/** @param {string} file @returns {string[]} the names that were noted */
export function retriesIn(file) {
  try {
    return readFileSync(file, 'utf8').split('\n').filter((name) => name !== '');
  } catch {
    return [];
  }
}

/**
 * The line that ends a run: how many, and which. Nothing when there were none.
 * @param {readonly string[]} names
 */
export const retryLine = (names) => (names.length === 0 ? '' : `flaky: ${names.length} of at most ${MOST_RETRIES}: ${names.join('; ')}\n`);
