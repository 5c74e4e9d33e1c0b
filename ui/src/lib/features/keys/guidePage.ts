import { keyboard, tableCell } from '$lib/features/help';
import type { Services } from '$lib/workbench/services';
import { EDITOR_KEYS } from './editorKeys';

/** Every command with its keys, as they are now. */
export default function page(services: Pick<Services, 'commands'>): string {
  const { commands } = services;
  const groups = [...new Set(commands.list.map((command) => command.group))];
  const rows = groups.flatMap((group) => [
    `## ${group}`,
    '',
    '| Command | Shortcut |',
    '| --- | --- |',
    ...commands.list
      .filter((command) => command.group === group)
      .map((command) => `| ${tableCell(command.title)} | ${commands.keysOf(command.id).map(keyboard).join(' ') || '–'} |`),
    '',
  ]);
  const own = ['## Text editor', '', '| Command | Shortcut |', '| --- | --- |', ...EDITOR_KEYS.map(([title, keys]) => `| ${tableCell(title)} | ${keys.map(keyboard).join(' ')} |`)];
  return `# Keyboard shortcuts\n\nThe command palette ({key:go.commands}) lists every command with its shortcut. To search or change shortcuts, open the settings. [Show me](#run/view.keys)\n\n${rows.join('\n')}\n${own.join('\n')}\n`;
}
