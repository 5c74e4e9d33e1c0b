import { type GuidePage, keyboard, PAGES } from '$lib/features/help';
import { EDITOR_KEYS } from '$lib/features/keys';
import { SECTIONS, settingsEntries } from '$lib/features/settings';
import type { Services } from '$lib/workbench/services';

type Needs = Pick<Services, 'catalog' | 'commands' | 'models' | 'preferences' | 'settings' | 'theme' | 'windows' | 'workspace'>;

/** Commands that a page of the guide may run: they show something, and change nothing. */
const SHOWN: ReadonlySet<string> = new Set([
  'go.commands', 'go.quick', 'go.page', 'go.tree', 'workspace.open', 'workspace.sample', 'view.settings', 'view.keys', 'view.tasks', 'view.problems', 'view.studio',
  'skill.new', 'skill.deleted', 'skill.import', 'skill.export', 'skill.review', 'skill.history', 'search.show', 'search.replace', 'run.show', 'run.list', 'run.usage', 'run.retention', 'run.scriptLimits',
  'dspy.process', 'dspy.optimize', 'proposal.show', 'page.show', 'page.loose', 'model.setup', 'model.choose', 'view.preview', 'view.data', 'data.skills', 'data.workspaces', 'library.show', 'view.log', 'help.diagnostics', 'view.outline',
]);

export const isShown = (command: string): boolean => SHOWN.has(command);

const cell = (text: string): string => text.replaceAll('|', '\\|').replace(/[<&]/g, (sign) => `&#${sign.charCodeAt(0)};`);

/** Every command with its keys, as they are now. */
function keysPage(services: Needs): GuidePage {
  const { commands } = services;
  const groups = [...new Set(commands.list.map((command) => command.group))];
  const rows = groups.flatMap((group) => [
    `## ${group}`,
    '',
    '| Command | Shortcut |',
    '| --- | --- |',
    ...commands.list
      .filter((command) => command.group === group)
      .map((command) => `| ${cell(command.title)} | ${commands.keysOf(command.id).map(keyboard).join(' ') || '–'} |`),
    '',
  ]);
  const own = ['## Text editor', '', '| Command | Shortcut |', '| --- | --- |', ...EDITOR_KEYS.map(([title, keys]) => `| ${cell(title)} | ${keys.map(keyboard).join(' ')} |`)];
  const text = `# Keyboard shortcuts\n\nThe command palette ({key:go.commands}) lists every command with its shortcut. To search or change shortcuts, open the settings. [Show me](#run/view.keys)\n\n${rows.join('\n')}\n${own.join('\n')}\n`;
  return { slug: 'keys', title: 'Keyboard shortcuts', text };
}

/** Every setting, from the table that the settings page shows. */
function settingsPage(services: Needs): GuidePage {
  const entries = settingsEntries(services, services.preferences);
  const parts = SECTIONS.map(({ id, label }) => {
    const rows = entries.filter((entry) => entry.section === id).map((entry) => `- **${entry.title}**: ${entry.about}`);
    return `## ${label}\n\n${rows.join('\n')}`;
  });
  const text = `# Settings\n\n{key:view.settings} opens the settings. Changes apply immediately, in every folder. Modified settings are marked and can be reset. [Show me](#run/view.settings)\n\n${parts.join('\n\n')}\n`;
  return { slug: 'settings', title: 'Settings', text };
}

/** All pages: those that are written, with those that the window's own tables give in their place. */
export function guide(services: Needs): GuidePage[] {
  const made = new Map([keysPage(services), settingsPage(services)].map((page) => [page.slug, page]));
  return PAGES.map((page) => made.get(page.slug) ?? page);
}
