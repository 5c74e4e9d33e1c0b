// What is known of earlier runs: which files of tests passed on the same programs, and how long each takes.
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

/** @typedef {{ seconds: number, passed: number, inputs: string }} Result  of a file whose tests all passed at their first attempt */

export class Results {
  /** @type {Record<string, Result>} */
  #known;

  /**
   * @param {string} file  where results are kept
   * @param {string | undefined} inputs  the hash of everything that tests depend on but for their own file; without it nothing is up to date
   */
  constructor(file, inputs) {
    this.file = file;
    this.inputs = inputs;
    this.#known = read(file);
  }

  /** How long the tests of a file took. @param {string} spec */
  seconds(spec) {
    return this.#known[spec]?.seconds;
  }

  /** How many tests of a file passed on exactly these inputs. @param {string} spec @returns {number | undefined} */
  passed(spec) {
    const known = this.#known[spec];
    return this.inputs !== undefined && known?.inputs === this.#key(spec) ? known.passed : undefined;
  }

  /**
   * Kept at once: a run may be ended at any time.
   * @param {string} spec
   * @param {number} passed
   * @param {number} seconds
   */
  add(spec, passed, seconds) {
    this.#known = { ...read(this.file), [spec]: { seconds, passed, inputs: this.#key(spec) } };
    mkdirSync(dirname(this.file), { recursive: true });
    writeFileSync(this.file, JSON.stringify(this.#known, null, 1));
  }

  /** @param {string} spec */
  #key(spec) {
    return createHash('sha256').update(this.inputs ?? '').update('\0').update(readFileSync(new URL(`../${spec}`, import.meta.url))).digest('hex');
  }
}

/** @param {string} file @returns {Record<string, Result>} */
function read(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return {};
  }
}
