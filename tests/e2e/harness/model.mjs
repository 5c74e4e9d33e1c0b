// A model server that answers what a test tells it to, and remembers what it was asked.
import { dirname, join } from 'node:path';
import { Helper } from './processes.mjs';
import { until } from './wait.mjs';

/**
 * @typedef {{ user?: string, system?: string, anywhere?: string, model?: string }} When
 * @typedef {{ when?: When, repeat?: number, then: Record<string, unknown> }} Step
 */

export class Model {
  /**
   * @param {Helper} helper
   * @param {number} port
   */
  constructor(helper, port) {
    this.helper = helper;
    this.port = port;
  }

  /** @param {Step[]} steps */
  static async start(...steps) {
    const program = process.env.INKLINGS_BIN;
    if (!program) throw new Error('INKLINGS_BIN is not set: start these tests with `cargo xtask test`');
    const script = JSON.stringify({ steps });
    // It ends when its standard input does, so that nothing of a test that was cut off stays behind.
    const helper = new Helper(join(dirname(program), 'scripted-model'), ['--script', script], { stdio: ['pipe', 'pipe', 'pipe'] });
    const port = await until(() => {
      if (!helper.running) throw new Error(`the scripted model ended: ${helper.output}`);
      const line = helper.output.split('\n').find((text) => text.startsWith('{'));
      return line ? JSON.parse(line).port : null;
    }, 'the scripted model');
    return new Model(helper, port);
  }

  get address() {
    return `http://127.0.0.1:${this.port}/v1`;
  }

  /** @param {Step[]} steps */
  async script(...steps) {
    const reply = await fetch(`http://127.0.0.1:${this.port}/__script`, { method: 'POST', body: JSON.stringify({ steps }) });
    if (!reply.ok) throw new Error(`the script was refused: ${await reply.text()}`);
  }

  /** What it was asked, without questions about itself. @returns {Promise<{ path: string, body: any }[]>} */
  async asked() {
    const all = await (await fetch(`http://127.0.0.1:${this.port}/__requests`)).json();
    const list = Array.isArray(all) ? all : all.requests;
    return list.filter((/** @type {{ path: string }} */ one) => one.path.includes('chat/completions'));
  }

  async end() {
    await this.helper.end();
  }
}
