// The Studio is killed at seeded points of somebody's work, with all its processes, and started again.
import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import { env } from 'node:process';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { EditedFile, random, Timeline } from '../harness/strokes.mjs';
import { onMachine } from '../harness/studio.mjs';
import { until } from '../harness/wait.mjs';

/** @typedef {import('../harness/studio.mjs').Machine} Machine */
/** @typedef {import('../harness/studio.mjs').Studio} Studio */

// One of them again: INKLINGS_SEED=7.
const SEEDS = env.INKLINGS_SEED ? [Number(env.INKLINGS_SEED)] : Array.from({ length: 20 }, (_, index) => index + 1);
/** Side by side: starting leaves a core idle. */
const LANES = 2;
const WORDS = ['amber', 'birch', 'cobalt', 'dune', 'ember', 'fjord', 'grove', 'harbour', 'iris', 'juniper'];
const FILES = { 'SKILL.md': '---\nname: NAME\ndescription: Is edited until the lights go out. Use it for nothing.\n---\n\nBody.\n', 'prompts/one.j2': 'One.\n', 'prompts/two.j2': 'Two.\n' };

/** @param {Machine} machine @param {string} name */
async function skillOf(machine, name) {
  const folder = join(await machine.place('skills'), name);
  await mkdir(join(folder, 'prompts'), { recursive: true });
  const files = Object.entries(FILES).map(([path, text]) => ({ path, text: text.replace('NAME', name) }));
  for (const { path, text } of files) await writeFile(join(folder, path), text);
  await machine.command.json('import', folder);
  return files.map(({ path, text }) => new EditedFile(path, text));
}

/** The open files. @param {Studio} studio */
const tabsOf = (studio) => studio.browser.execute(() => [...document.querySelectorAll('[data-testid="tab"]')].map((tab) => tab.getAttribute('data-path') ?? ''));

/** Somebody at work, until the lights go out. */
class Work {
  /** @param {Studio} studio @param {string} skill @param {EditedFile[]} files @param {() => number} next */
  constructor(studio, skill, files, next) {
    this.studio = studio;
    this.skill = skill;
    this.files = files;
    this.next = next;
    this.dead = false;
    /** The end comes so soon after the next such deed. @type {{ deed: string, after: number } | null} */
    this.trap = null;
    /** @type {(() => void) | null} */
    this.trapped = null;
    /** Files with a tab, the one in front last. @type {Timeline<EditedFile[]>} */
    this.tabs = new Timeline([]);
    /** @type {string[]} */
    this.story = [];
  }

  get front() {
    return this.tabs.last.at(-1);
  }

  /** @template T @param {readonly T[]} list */
  pick(list) {
    return /** @type {T} */ (list[Math.floor(this.next() * list.length)]);
  }

  /** @param {string} what */
  tell(what) {
    this.story.push(`${Date.now() % 1_000_000} ${what}`);
  }

  /** What was told begins now. @param {string} deed */
  begins(deed) {
    if (this.trap?.deed === deed && this.trapped) setTimeout(this.trapped, this.trap.after);
  }

  /** @param {EditedFile} file */
  async open(file) {
    const done = this.tabs.begin([...this.tabs.last.filter((one) => one !== file), file]);
    this.tell(`open ${file.path}`);
    await this.studio.open(this.skill, file.path);
    done();
  }

  async goOn() {
    while (!this.dead) {
      const chance = this.next();
      if (!this.front) await this.open(this.pick(this.files));
      else if (chance < 0.55) await this.type();
      else if (chance < 0.7) await this.save();
      else if (chance < 0.8) await this.open(this.pick(this.files));
      else if (chance < 0.88) await this.rename();
      else if (chance < 0.94) await this.close();
      else await this.split();
    }
  }

  async type() {
    const file = /** @type {EditedFile} */ (this.front);
    await this.studio.edit();
    await this.studio.press('Ctrl+End');
    for (let words = 1 + Math.floor(this.next() * 3); words > 0 && !this.dead; words--) {
      const word = `${this.pick(WORDS)} `;
      const before = file.text.last;
      const done = file.text.begin(...[...word].map((_, index) => before + word.slice(0, index + 1)));
      this.tell(`type ${word}into ${file.path}`);
      await this.studio.type(word);
      done();
    }
  }

  async save() {
    const file = /** @type {EditedFile} */ (this.front);
    file.saved.push(file.text.last);
    this.tell(`save ${file.path}`);
    this.begins('save');
    await this.studio.press('Ctrl+S');
    await this.studio.unsaved(false);
    file.saved = [file.text.last];
    this.tell('saved');
  }

  async rename() {
    const file = this.tabs.last.findLast((one) => one.path !== 'SKILL.md');
    if (!file) return;
    const path = `prompts/${this.pick(WORDS)}-${Math.floor(this.next() * 1_000)}.j2`;
    if (file !== this.front) await this.open(file);
    this.tell(`rename ${file.path} to ${path}`);
    file.paths = [file.path, path];
    await this.studio.run('Rename file');
    const field = await this.studio.find('[data-testid="rename"] input');
    await field.click();
    await this.studio.press('Ctrl+A');
    await this.studio.paste(path);
    this.begins('rename');
    await this.studio.press('Enter');
    await this.studio.one('tab', `[data-path="${path}"]`);
    file.paths = [path];
    this.tell('renamed');
  }

  async close() {
    const file = this.front;
    const done = this.tabs.begin(this.tabs.last.slice(0, -1));
    this.tell(`close ${file?.path}`);
    this.begins('close');
    await this.studio.press('Ctrl+W');
    await until(async () => !(await tabsOf(this.studio)).includes(file?.path ?? ''), 'the tab to be gone');
    done();
    const left = this.front;
    if (left) await this.open(left);
  }

  async split() {
    this.tell('split');
    await this.studio.press('Ctrl+\\');
  }

  /** Works until the end, and gives its moment. @param {number} time at most, in milliseconds */
  async until(time) {
    const working = this.goOn().catch((error) => error);
    await new Promise((resolve) => {
      const late = setTimeout(resolve, time);
      this.trapped = () => {
        clearTimeout(late);
        resolve(undefined);
      };
    });
    this.dead = true;
    const end = Date.now();
    this.tell('the end');
    await this.studio.window.cut();
    const error = await working;
    // What the end cut off fails; what failed before is a fault.
    if (error && this.studio.window.cutAt === undefined) throw error;
    return end;
  }
}

/** @param {Machine} machine @param {number} seed @param {Studio} studio @returns {Promise<Studio>} the one after */
async function once(machine, seed, studio) {
  const next = random(seed);
  const skill = `seed-${seed}`;
  const files = await skillOf(machine, skill);
  await studio.one('tree-item', `[data-skill="${skill}"]`);
  const work = new Work(studio, skill, files, next);
  try {
    await work.open(/** @type {EditedFile} */ (files[1]));
    // Where several things are written, one after the other, the end is aimed at what lies between them.
    if (seed % 2 === 1) work.trap = { deed: work.pick(['save', 'rename', 'rename', 'close']), after: Math.floor(next() * 60) };
    const end = await work.until(work.trap ? 6_000 : 100 + Math.floor(next() * 2_600));
    // Either of them meets the files as they were left.
    if (seed % 3 === 0) await machine.command.json('db', 'check');
    const after = await machine.start();
    await check(machine, after, work, end);
    return after;
  } catch (error) {
    throw new Error(`seed ${seed}: ${error instanceof Error ? error.message : error}\n${work.story.join('\n')}`);
  }
}

/** @param {Machine} machine @param {Studio} studio @param {Work} work @param {number} end */
async function check(machine, studio, { skill, files, tabs }, end) {
  await machine.command.json('db', 'check');
  const stored = (await machine.command.json('skill', 'show', skill)).entries.map((/** @type {{ path: string }} */ entry) => entry.path);
  for (const file of files) {
    const path = file.paths.find((one) => stored.includes(one));
    assert.ok(path !== undefined, `${file.paths.join(' or ')} is gone, there are ${stored.join(', ')}`);
    assert.ok(file.paths.filter((one) => stored.includes(one)).length === 1, `it is there twice: ${stored.join(', ')}`);
    file.paths = [path, ...file.paths.filter((one) => one !== path)];
  }
  await until(() => studio.browser.execute(() => document.querySelector('[data-testid="shell"]')?.getAttribute('data-ready') === 'true'), 'the window to be ready');
  const wanted = tabs.possible(end).map((state) => state.map((file) => file.path).sort().join(' '));
  // A tab of a file that was being renamed may still have its old name.
  const named = (/** @type {string} */ path) => files.find((file) => file.paths.includes(path))?.path ?? path;
  const open = async () => [...new Set((await tabsOf(studio)).map(named))].sort().join(' ');
  await until(async () => wanted.includes(await open()), async () => `tabs ${wanted.join(' or ')}, there are: ${await open()}`, { deadline: 5_000 });
  for (const file of files) {
    const texts = file.text.possible(end);
    const saved = await machine.command.read(skill, file.path);
    assert.ok(file.saved.includes(saved), `${file.path} is stored as ${JSON.stringify(saved)}, not as ${JSON.stringify(file.saved)}`);
    await studio.open(skill, file.path);
    const shown = async () => `${(await studio.text()).trimEnd()}`;
    await until(
      async () => {
        const text = await shown();
        return texts.some((one) => one.trimEnd() === text);
      },
      async () => `${file.path} with ${JSON.stringify(texts)}, it shows ${JSON.stringify(await shown())}`,
      { deadline: 5_000 },
    );
  }
  await studio.run('Close all tabs');
}

describe('a kill at any point of an edit loses at most the last second of typing', { concurrency: LANES }, () => {
  for (let lane = 0; lane < Math.min(LANES, SEEDS.length); lane++) {
    const seeds = SEEDS.filter((_, index) => index % LANES === lane);
    test(`seeds ${seeds.join(', ')}`, onMachine(async (machine) => {
      let studio = await machine.start();
      for (const seed of seeds) studio = await once(machine, seed, studio);
    }));
  }
});
