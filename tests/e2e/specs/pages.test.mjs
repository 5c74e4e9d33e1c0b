import assert from 'node:assert/strict';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { onMachine } from '../harness/studio.mjs';
import { until } from '../harness/wait.mjs';

/** @typedef {import('../harness/studio.mjs').Machine} Machine */
/** @typedef {import('../harness/studio.mjs').Studio} Studio */

/** Other programs write, and the folder is watched: meant to be two seconds, a busy test machine gets ten. */
const SEEN_WITHIN = 10_000;

/**
 * A folder of pages that is no workspace yet.
 * @param {Machine} machine
 */
async function notes(machine) {
  const folder = await machine.place('notes');
  await mkdir(join(folder, 'people'));
  await mkdir(join(folder, 'places'));
  await writeFile(join(folder, 'index.md'), '# Start\n\nSee [[Mara Venn]].\n');
  await writeFile(join(folder, 'people/mara.md'), '---\ntitle: Mara Venn\ntype: character\ntags: [keepers]\nborn: 187\n---\n# Mara Venn\n\nBorn on [[Gull Stair|the stair]].\n\nShe knows [[Nobody Here]].\n\n<script>window.harm = 1</script>\n');
  await writeFile(join(folder, 'places/stair.md'), '---\ntitle: Gull Stair\ntype: place\n---\nSteep and wet. Up there lived [[Mara Venn]].\n');
  await writeFile(join(folder, 'alone.md'), 'Nothing leads to the lighthouse.\n');
  return folder;
}

/** @param {Studio} studio @param {string} folder */
async function open(studio, folder) {
  await studio.run('Open folder');
  await studio.focused('folder-input');
  await studio.press('Ctrl+A');
  await studio.paste(folder);
  await studio.press('Enter');
  await studio.shows('status-workspace', 'notes');
}

/** @param {Studio} studio @param {string} slug */
const page = (studio, slug) => studio.one('page', `[data-slug="${slug}"]`);

test('without a folder the pages say what to do', onMachine(async (machine) => {
  const studio = await machine.start();
  await studio.run('Show pages');
  await studio.one('pages-closed');
  await studio.button('Open sample workspace', '[data-testid="pages-closed"]');
  await studio.one('page-row');
}));

test('pages are searched, opened, and followed along their links, by keyboard', onMachine(async (machine) => {
  const studio = await machine.start();
  await open(studio, await notes(machine));
  await studio.run('Show pages');
  await until(async () => (await studio.count('[data-testid="page-row"]')) === 4, 'four pages');
  await studio.shows('index-state', '4 pages');
  await studio.focused('pages-list');
  await studio.press('/');
  await studio.focused('page-search');
  await studio.type('steep');
  await studio.press('Enter');
  await page(studio, 'places/stair');
  assert.equal(await studio.count('[data-testid="page-row"]'), 1);
  await studio.shows('page-fields', /type\s+place/);

  await studio.focused('pages-list');
  await studio.press('Enter');
  await studio.focused('page-text');
  const backlink = await studio.find('[data-testid="backlinks"] [data-slug="people/mara"]');
  assert.match(await backlink.getText(), /line 9/);
  await backlink.click();
  await page(studio, 'people/mara');
  // The link that was followed back is marked where it stands.
  await studio.find('[data-testid="page-text"] a.link-target');
  await studio.shows('page-fields', /born\s+187/);
  await studio.shows('broken-links', /Nobody Here[\s\S]*line 11/);
  await studio.find('[data-testid="page-text"] a.broken');
  assert.equal(await studio.browser.execute(() => 'harm' in window), false);

  await (await studio.find('[data-testid="page-text"] a[data-target="Gull Stair"]')).click();
  await page(studio, 'places/stair');
  await studio.press('Alt+Left');
  await page(studio, 'people/mara');
  await studio.button('Copy path');
  await studio.shows('toast', 'Copied the path');
}));

test('what is loose is listed, and leads to its place', onMachine(async (machine) => {
  const studio = await machine.start();
  await open(studio, await notes(machine));
  await studio.run('Show link problems');
  await studio.shows('link-problems', /Nobody Here[\s\S]*Mara Venn[\s\S]*line 11/);
  await studio.button('Orphans 1');
  await (await studio.one('orphan', '[data-slug="alone"]')).click();
  await page(studio, 'alone');
  await studio.shows('page-text', 'the lighthouse');
}));

test('a page that another program writes appears, changes and goes by itself', onMachine(async (machine) => {
  const studio = await machine.start();
  const folder = await notes(machine);
  await open(studio, folder);
  await studio.run('Go to page');
  await studio.choose('Mara');
  await page(studio, 'people/mara');
  await studio.shows('page-text', 'Born on');

  /** @type {number[]} */
  const delays = [];
  const seen = async (/** @type {() => Promise<unknown>} */ ask, /** @type {string} */ what) => {
    const wrote = Date.now();
    await until(ask, what, { deadline: SEEN_WITHIN, every: 20 });
    delays.push(Date.now() - wrote);
  };
  await writeFile(join(folder, 'people/mara.md'), '---\ntitle: Mara Venn\n---\nRewritten elsewhere.\n');
  await seen(async () => (await studio.words('[data-testid="page-text"]')).includes('Rewritten elsewhere'), 'the new text');
  await writeFile(join(folder, 'people/bastian.md'), 'Knows [[Mara Venn]].\n');
  await seen(async () => (await studio.count('[data-testid="page-row"][data-slug="people/bastian"]')) === 1, 'the new page');
  await studio.find('[data-testid="backlinks"] [data-slug="people/bastian"]');
  await rm(join(folder, 'people/mara.md'));
  await seen(async () => (await studio.count('[data-testid="page-deleted"]')) === 1, 'the word that it is gone');
  console.log(`seen ${delays.join(', ')} ms after the file was written`);
  await studio.button('Close');
  await studio.absent('page-deleted');
}));

test('ten thousand pages scroll to their end', onMachine(async (machine) => {
  const studio = await machine.start();
  const folder = await machine.place('notes');
  for (let part = 0; part < 100; part++) {
    await mkdir(join(folder, `p${part}`));
    await Promise.all(Array.from({ length: 100 }, (_, n) => writeFile(join(folder, `p${part}/n${n}.md`), `# Page ${String(part * 100 + n).padStart(5, '0')}\n\nSee [[n${(n + 1) % 100}]].\n`)));
  }
  await open(studio, folder);
  await studio.run('Show pages');
  await studio.shows('index-state', '10,000 pages');
  await studio.focused('pages-list');
  await studio.press('End');
  await page(studio, 'p99/n99');
  await studio.shows('page-row', 'Page 09999');
  assert.ok((await studio.count('[data-testid="page-row"]')) < 60);
  await studio.press('Home');
  await page(studio, 'p0/n0');
}));
