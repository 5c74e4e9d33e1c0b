// Every place that a command leads to, a line each: the picture's name, the command, and what is there then.
// Whoever adds a view adds its line; light and dark, large and small, and what axe says of it follow from that.

/**
 * @typedef {object} Place
 * @property {string} name
 * @property {string} [command]  its title in the palette
 * @property {string} [keys]  or its keys
 * @property {string} shows  a selector
 * @property {boolean} [over]  it lies over the window: Escape takes it away
 * @property {boolean} [toggle]  the same command takes it away
 * @property {string} [back]  or another command
 */

/** By kind. @type {Record<string, Place[]>} */
export const PLACES_BY_KIND = {
  view: [
    { name: 'place-library', command: 'Show library', shows: '[data-testid^="library"]' },
    { name: 'place-library-list', command: 'Show library as list', shows: '[data-testid^="library"]' },
    { name: 'place-pages', command: 'Show pages', shows: '[data-testid="page-row"]' },
    { name: 'place-link-problems', command: 'Show link problems', shows: '[data-testid="link-problems"]' },
    // Usage is what stands beside the list until a run is chosen.
    { name: 'place-runs-empty', command: 'Show runs', shows: '[data-testid="runs-empty"]' },
    { name: 'place-evals', command: 'Show evals', shows: '[data-testid="eval-skill"]' },
    { name: 'place-eval-runs', command: 'Show eval runs', shows: '[data-testid="eval-no-runs"]' },
    { name: 'place-eval-triggers', command: 'Test triggers', shows: '[data-testid="eval-triggers"], [data-testid="eval-no-triggers"]' },
    { name: 'place-proposals', command: 'Show proposals', shows: '[data-testid="proposals-empty"]' },
    { name: 'place-marketplace-empty', command: 'Show marketplace', shows: '[data-testid="no-registry"]' },
  ],
  'settings page': [
    { name: 'place-settings', command: 'Open settings', shows: 'main' },
    { name: 'place-shortcuts', command: 'Open keyboard shortcuts', shows: 'main' },
    { name: 'place-models', command: 'Set up models', shows: 'main' },
    { name: 'place-data', command: 'Show data locations', shows: 'main' },
    { name: 'place-settings-skills', command: 'Manage skills', shows: '[data-testid="settings-skill-preview"]' },
    { name: 'place-settings-agents', command: 'Manage agents', shows: '[data-testid="agents-empty"]' },
    { name: 'place-settings-actions', command: 'Manage actions', shows: '[data-testid="action"]' },
    { name: 'place-settings-access', command: 'Connect AI clients', shows: '[data-testid="ai-client"]' },
    { name: 'place-settings-marketplace', command: 'Manage registries', shows: '[data-testid="registries"]' },
    { name: 'place-settings-workspaces', command: 'Manage workspaces', shows: '[data-testid="workspace"]' },
    { name: 'place-restore', command: 'Restore account database', shows: '[data-testid="restore"]', over: true },
    { name: 'place-dspy', command: 'Show DSPy status', shows: '[data-testid="dspy-process"]' },
    { name: 'place-guide', command: 'Open guide', shows: 'main' },
    { name: 'place-about', command: 'About Inklings Skill Studio', shows: 'main' },
  ],
  pane: [
    { name: 'place-search', command: 'Search in all skills', shows: '[data-testid="search-pane"], nav[aria-label="Search"]' },
    { name: 'place-studio', command: 'Focus skill tree', shows: '[data-testid="tree-item"]' },
    { name: 'place-problems', command: 'Toggle problems', shows: '[data-testid="problems"]', toggle: true },
    { name: 'place-tasks', command: 'Toggle tasks', shows: '[role="tabpanel"], [data-testid="tasks"]', toggle: true },
    { name: 'place-log', command: 'Toggle log', shows: '[role="tabpanel"], [data-testid="log"]', toggle: true },
    { name: 'place-outline', command: 'Show outline', shows: 'main' },
    { name: 'place-history', command: 'Show history', shows: 'main' },
    { name: 'place-split', command: 'Split editor right', shows: '[data-testid="editor"]', back: 'Join all editor groups' },
    { name: 'place-manifest', command: 'Edit manifest', shows: '[data-testid="manifest-form"]', back: 'Close tab' },
  ],
  dialog: [
    { name: 'place-commands', keys: 'Ctrl+Shift+P', shows: '[data-testid="palette"]', over: true },
    { name: 'place-quick-open', keys: 'Ctrl+P', shows: '[data-testid="palette"]', over: true },
    { name: 'place-symbols', keys: 'Ctrl+Shift+O', shows: 'dialog[open], [data-testid="palette"]', over: true },
    { name: 'place-line', command: 'Go to line', shows: 'dialog[open]', over: true },
    { name: 'place-open-folder', command: 'Open folder', shows: '[data-testid="palette"]', over: true },
    { name: 'place-action', command: 'Run action', shows: '[data-testid="palette-option"]', over: true },
    { name: 'place-save-action', command: 'Save as action', shows: '[data-testid="save-action"]', over: true },
    { name: 'place-new-skill', command: 'New skill', shows: 'dialog[open]', over: true },
    { name: 'place-add-registry', command: 'Add registry', shows: '[data-testid="add-registry"]', over: true },
    { name: 'place-deleted', command: 'Show deleted skills', shows: '[data-testid="deleted"]', over: true },
    { name: 'place-import', command: 'Import skills', shows: 'dialog[open]', over: true },
    { name: 'place-export', command: 'Export skill', shows: 'dialog[open]', over: true },
    { name: 'place-export-runs', command: 'Export runs', shows: 'dialog[open]', over: true },
  ],
};

export const PLACES = Object.values(PLACES_BY_KIND).flat();

/**
 * A Studio with the sample workspace and a file in front, which every place has something to show for.
 * @param {import('../harness/studio.mjs').Machine} machine
 */
export async function ready(machine) {
  const studio = await machine.start();
  await studio.run('Open sample workspace');
  await studio.one('tree-item', '[data-kind="section"][data-scope="workspace"]');
  await studio.open('consistency-checker', 'prompts/check-prompt.j2');
  await studio.shows('preview', /tokens/);
  return studio;
}

/**
 * @param {import('../harness/studio.mjs').Studio} studio
 * @param {Place} place
 */
export async function enter(studio, { command, keys, shows }) {
  await studio.clearToasts();
  if (command) await studio.run(command);
  if (keys) await studio.press(keys);
  await studio.find(shows);
}

/**
 * @param {import('../harness/studio.mjs').Studio} studio
 * @param {Place} place
 */
export async function leave(studio, { over, toggle, command, back }) {
  if (toggle && command) await studio.run(command);
  if (back) await studio.run(back);
  if (!over) return;
  await studio.press('Escape');
  await studio.noDialog();
}
