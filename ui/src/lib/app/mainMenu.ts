import type { Command } from '$lib/commands';
import type { MenuItem } from '$lib/components';
import type { Services } from '$lib/workbench/services';

type Needs = Pick<Services, 'commands' | 'contextMenu'>;

/** The groups that come first, as in other editors. */
const FIRST = ['File', 'Skill', 'Text', 'View', 'Go', 'Run'];
const LAST = ['Window', 'Help'];

/** Every command that can run now, by group: a menu of menus, in place of a menu bar. */
export function showMainMenu({ commands, contextMenu }: Needs, at: { x: number; y: number }): void {
  const available = commands.available();
  const groups = new Map([...new Set(available.map(({ group }) => group))].map((name) => [name, available.filter(({ group }) => group === name)]));
  const names = [...groups.keys()].filter((name) => !FIRST.includes(name) && !LAST.includes(name)).sort();
  const ordered = [...FIRST, ...names, ...LAST].filter((name) => groups.has(name));
  const items = ordered.map((name): MenuItem => ({
    label: `${name}…`,
    separated: name === names[0] || name === LAST[0],
    run: () => contextMenu.show(at, name, (groups.get(name) ?? []).map(itemOf)),
  }));
  contextMenu.show(at, 'Menu', items);

  function itemOf(command: Command): MenuItem {
    return { label: command.title, shortcut: commands.keyOf(command.id), run: () => command.run() };
  }
}
