// A registry in a folder, which the command line writes and signs.
import { chmod, mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/** @typedef {import('./studio.mjs').Machine} Machine */

const ID = 'skills.example.org';

/**
 * @typedef {object} Release
 * @property {string} version
 * @property {string} [title]
 * @property {string} [description]
 * @property {string} body  what SKILL.md says
 * @property {Record<string, string>} [files]  more files by path; shell scripts are executable
 */

export class Registry {
  /** @param {Machine} machine @param {string} folder @param {string} fingerprint */
  constructor(machine, folder, fingerprint) {
    this.machine = machine;
    this.folder = folder;
    this.fingerprint = fingerprint;
    this.keys = join(machine.folder, 'registry-keys');
  }

  /** @param {Machine} machine */
  static async create(machine) {
    const folder = join(machine.folder, 'registry');
    const { fingerprint } = await machine.command.json('registry', 'init', folder, '--id', ID, '--title', 'Example skills', '--publisher', 'Ada Books', '--keys', join(machine.folder, 'registry-keys'));
    return new Registry(machine, folder, fingerprint);
  }

  /**
   * Publishes a version of a skill.
   * @param {string} name
   * @param {Release} release
   */
  async publish(name, { version, title, description = `Does ${name} as the desk wants it. Use it when somebody asks for ${name}.`, body, files = {} }) {
    const skill = join(this.machine.folder, 'published', name);
    await rm(skill, { recursive: true, force: true });
    await mkdir(skill, { recursive: true });
    await writeFile(join(skill, 'SKILL.md'), `---\nname: ${name}\ndescription: ${description}\nmetadata:\n  version: "${version}"\n---\n\n# ${title ?? name}\n\n${body}`);
    for (const [path, text] of Object.entries(files)) {
      await mkdir(dirname(join(skill, path)), { recursive: true });
      await writeFile(join(skill, path), text);
      if (path.endsWith('.sh')) await chmod(join(skill, path), 0o755);
    }
    await this.machine.command.json('registry', 'publish', this.folder, '--from', skill, '--keys', this.keys);
  }

  /** @param {string} name @param {string} version @param {string} reason */
  async revoke(name, version, reason) {
    await this.machine.command.json('registry', 'revoke', this.folder, name, version, '--reason', reason, '--keys', this.keys);
  }

  /** Its disk is removed. */
  async unplug() {
    await rename(this.folder, `${this.folder}.unplugged`);
  }

  async plugIn() {
    await rename(`${this.folder}.unplugged`, this.folder);
  }
}
