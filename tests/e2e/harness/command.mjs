// The command line, as a second program on the same data.
import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const execute = promisify(execFile);
let count = 0;

/**
 * @typedef {{ number: number, why: string | null, changed: { path: string, change: string }[] }} Revision
 */

export class Command {
  /**
   * @param {string} program
   * @param {string} home
   * @param {string} [workspace]
   */
  constructor(program, home, workspace) {
    this.program = program;
    this.home = home;
    this.workspace = workspace;
  }

  /**
   * The same command on a workspace.
   * @param {string} workspace
   */
  in(workspace) {
    return new Command(this.program, this.home, workspace);
  }

  /**
   * What it prints with `--json`.
   * @param {...string} args
   * @returns {Promise<any>}
   */
  async json(...args) {
    const where = ['--home', this.home, ...(this.workspace ? ['--workspace', this.workspace] : [])];
    const { stdout } = await execute(this.program, [...args, '--json', ...where], {
      timeout: 30_000,
      maxBuffer: 64 * 1024 * 1024,
      // There is no keychain here, and none of the person's is to be touched.
      env: { ...process.env, INKLINGS_KEYS: 'file' },
    });
    return stdout.trim() === '' ? null : JSON.parse(stdout);
  }

  /** @param {string} skill @returns {Promise<Revision[]>} newest first */
  async history(skill) {
    return (await this.json('skill', 'history', skill)).revisions;
  }

  /** @param {string} skill */
  async revision(skill) {
    return (await this.json('skill', 'show', skill)).revision;
  }

  /** @param {string} skill @param {string} path @returns {Promise<string>} */
  async read(skill, path) {
    return (await this.json('skill', 'show', skill, '--path', path)).text;
  }

  /**
   * Writes a file of a skill, and gives the moment at which the command had ended.
   * @param {string} skill
   * @param {string} path
   * @param {string} text
   */
  async write(skill, path, text) {
    const from = join(tmpdir(), `inklings-edit-${process.pid}-${count++}`);
    await writeFile(from, text);
    await this.json('skill', 'edit', skill, '--path', path, '--from', from);
    return Date.now();
  }

  /** A copy of a shipped skill that may be edited; gives its slug. @param {string} skill @returns {Promise<string>} */
  async fork(skill) {
    return (await this.json('skill', 'fork', skill)).slug;
  }
}
