// Waiting for a condition with a deadline: the only way these tests wait.

/** A busy machine paints ten times slower than an idle one. */
export const DEADLINE = 30_000;

/**
 * Asks again and again until the answer is truthy, and gives that answer.
 * @template T
 * @param {() => T | Promise<T>} ask
 * @param {string | (() => string | Promise<string>)} what  said when the deadline passes
 * @param {{ deadline?: number, every?: number }} [options]
 * @returns {Promise<NonNullable<Awaited<T>>>}
 */
export async function until(ask, what, { deadline = DEADLINE, every = 50 } = {}) {
  const started = Date.now();
  let problem = '';
  for (;;) {
    try {
      const answer = await ask();
      if (answer) return /** @type {NonNullable<Awaited<T>>} */ (answer);
      problem = '';
    } catch (error) {
      // A driver that is gone doesn't come back.
      if (error instanceof Error && /error code (ECONNREFUSED|ECONNRESET|UND_ERR_SOCKET)/.test(error.message)) throw error;
      problem = ` (${error instanceof Error ? error.message : error})`;
    }
    if (Date.now() - started > deadline) {
      const text = typeof what === 'string' ? what : await what();
      throw new Error(`not within ${deadline / 1000} s: ${text}${problem}`);
    }
    await new Promise((resolve) => setTimeout(resolve, every));
  }
}
