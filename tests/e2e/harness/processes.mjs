// Starting helpers, and ending exactly those with everything they started.
import { spawn, spawnSync } from 'node:child_process';
import { readFileSync, readdirSync, readlinkSync } from 'node:fs';
import { createServer } from 'node:net';

/** @type {Set<Helper>} */
const running = new Set();

/** Ends whatever a test started and not ended: what waits for one of them fails then, instead of waiting for ever. */
export function endAll() {
  for (const helper of running) helper.kill();
}

/** Every process with its state and what it waits for in the kernel. */
export function processes() {
  return spawnSync('ps', ['-eo', 'pid,ppid,stat,wchan:24,etimes,args', '--forest'], { encoding: 'utf8', timeout: 10_000 }).stdout;
}

/** A process in a group of its own, so that it can be ended together with its children. */
export class Helper {
  /**
   * @param {string} program
   * @param {string[]} args
   * @param {import('node:child_process').SpawnOptions} options
   */
  constructor(program, args, options) {
    this.program = program;
    /** What it printed, for the message of a failing test. */
    this.output = '';
    this.child = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'], ...options, detached: true });
    this.child.stdout?.on('data', (data) => (this.output += data));
    this.child.stderr?.on('data', (data) => (this.output += data));
    this.ended = new Promise((resolve) => {
      this.child.once('exit', resolve);
      this.child.once('error', (error) => {
        this.output += `${program}: ${error.message}`;
        resolve(null);
      });
    });
    this.running = true;
    void this.ended.then(() => (this.running = false));
    running.add(this);
  }

  get id() {
    if (this.child.pid === undefined) throw new Error(`${this.program} did not start: ${this.output}`);
    return this.child.pid;
  }

  async end() {
    this.#signal('SIGTERM');
    const late = setTimeout(() => this.#signal('SIGKILL'), 3_000);
    await this.ended;
    clearTimeout(late);
    // The group's leader is gone; its children may not be.
    this.#signal('SIGKILL');
    running.delete(this);
  }

  kill() {
    this.#signal('SIGKILL');
  }

  /** @param {NodeJS.Signals} signal */
  #signal(signal) {
    if (this.child.pid === undefined) return;
    try {
      process.kill(-this.child.pid, signal);
    } catch (error) {
      if (/** @type {NodeJS.ErrnoException} */ (error).code !== 'ESRCH') throw error;
    }
  }
}

// Whatever happens to this test run, nothing of it stays behind.
process.once('exit', endAll);

/**
 * The process below `ancestor` that runs `program`.
 * @param {number} ancestor
 * @param {string} program
 */
export function findBelow(ancestor, program) {
  const parents = new Map();
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    try {
      const stat = readFileSync(`/proc/${name}/stat`, 'utf8');
      parents.set(Number(name), Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]));
    } catch {
      // It ended while we looked.
    }
  }
  const isBelow = (/** @type {number | undefined} */ id) => {
    for (let at = id; at !== undefined && at > 1; at = parents.get(at)) if (at === ancestor) return true;
    return false;
  };
  for (const id of parents.keys()) {
    try {
      if (isBelow(id) && readlinkSync(`/proc/${id}/exe`) === program) return id;
    } catch {
      // It ended while we looked.
    }
  }
  return undefined;
}

/** @returns {Promise<number>} */
export function freePort() {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => (typeof address === 'object' && address ? resolve(address.port) : reject(new Error('no free port'))));
    });
  });
}
