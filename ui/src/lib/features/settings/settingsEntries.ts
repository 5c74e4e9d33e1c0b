import { CODE_SIZES, plural, type Preferences, TAB_SIZES } from '$lib/domain';
import { Retention, RETENTION, RETENTION_NAMES } from '$lib/features/runs';
import { LIMIT_NAMES, LIMITS, ScriptLimits } from '$lib/features/scripts';
import type { Control, Entry } from './entry';
import type { ThemeChoice } from './theme.svelte';
import type { Services } from '$lib/workbench/services';

type Needs = Pick<Services, 'catalog' | 'models' | 'settings' | 'theme' | 'windows' | 'workspace'>;

const sizes = (all: readonly number[], unit: string): { id: string; label: string }[] => all.map((size) => ({ id: String(size), label: `${size} ${unit}` }));

/** A setting that is on or off, alone under its key or as a part of an object there. */
function flag({ settings }: Needs, key: string, label: string, usual: boolean, part?: string): Control {
  const stored = (): unknown => {
    const value = settings.get(key);
    if (part === undefined) return value;
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[part] : undefined;
  };
  const store = (on: boolean | null): void => {
    if (part === undefined) {
      settings.set(key, on);
      return;
    }
    const whole = settings.get(key);
    const rest = Object.entries(typeof whole === 'object' && whole !== null ? whole : {}).filter(([name]) => name !== part);
    const all = on === null ? rest : [...rest, [part, on] as const];
    settings.set(key, all.length === 0 ? null : Object.fromEntries(all));
  };
  const on = (): boolean => {
    const value = stored();
    return typeof value === 'boolean' ? value : usual;
  };
  return { kind: 'switch', label, on, turn: (wanted) => store(wanted === usual ? null : wanted), changed: () => on() !== usual, reset: () => store(null) };
}

/** Every setting of the window, in the order in which it is shown. */
export function settingsEntries(services: Needs, preferences: Preferences): Entry[] {
  const { theme, settings, workspace, models } = services;
  const limits = new ScriptLimits(settings);
  const retention = new Retention(settings);
  const folder = (...parts: string[]): string => parts.join('/');
  const home = (): string | null => workspace.status?.home ?? null;
  const open = (): string | null => workspace.current?.path ?? null;
  const below = (base: () => string | null, name: string) => (): string | null => {
    const path = base();
    return path === null ? null : folder(path, name);
  };
  // The path of the workspace that is open is said once.
  const sample = (): string | null => {
    const path = workspace.status?.sample_workspace ?? null;
    return path === open() ? null : path;
  };
  const part: Control = { kind: 'part' };

  return [
    {
      id: 'theme',
      section: 'general',
      title: 'Theme',
      about: 'Light, dark, or the same as the system.',
      words: 'dark light color colour appearance',
      control: {
        kind: 'choice',
        options: [
          { id: 'system', label: 'System' },
          { id: 'light', label: 'Light' },
          { id: 'dark', label: 'Dark' },
        ],
        value: () => theme.choice,
        choose: (id) => theme.choose(id as ThemeChoice),
        changed: () => theme.choice !== 'system',
        reset: () => theme.choose('system'),
      },
    },
    { id: 'zoom', section: 'general', title: 'Zoom', about: 'Zoom level of all windows.', words: 'scale bigger smaller', control: { kind: 'commands', ids: ['view.zoomOut', 'view.zoomIn', 'view.zoomReset'], value: () => `${services.windows.zoom.percent} %` } },
    {
      id: 'motion',
      section: 'general',
      title: 'Reduced motion',
      about: 'Follows the system setting.',
      words: 'animation accessibility',
      control: { kind: 'fact', text: () => (matchMedia('(prefers-reduced-motion: reduce)').matches ? 'Currently on' : 'Currently off') },
    },
    {
      id: 'code-size',
      section: 'editor',
      title: 'Font size',
      about: 'Font size in pixels in editors.',
      words: 'code letters bigger smaller',
      control: {
        kind: 'choice',
        options: sizes(CODE_SIZES, 'px'),
        value: () => String(preferences.codeSize),
        choose: (id) => preferences.setCodeSize(Number(id)),
        changed: () => preferences.codeSize !== 13,
        reset: () => preferences.setCodeSize(null),
      },
    },
    {
      id: 'tab-size',
      section: 'editor',
      title: 'Tab size',
      about: 'Number of spaces per tab character.',
      words: 'indent width spaces',
      control: {
        kind: 'choice',
        options: sizes(TAB_SIZES, 'characters'),
        value: () => String(preferences.tabSize),
        choose: (id) => preferences.setTabSize(Number(id)),
        changed: () => preferences.tabSize !== 4,
        reset: () => preferences.setTabSize(null),
      },
    },
    { id: 'wrap-prose', section: 'editor', title: 'Word wrap in prose', about: 'Wrap long lines in Markdown and plain text.', words: 'word wrap markdown', control: flag(services, 'ui.wrap', 'Wrap', true, 'prose') },
    { id: 'wrap-code', section: 'editor', title: 'Word wrap in code', about: 'Wrap long lines in templates, scripts and data.', words: 'word wrap python json', control: flag(services, 'ui.wrap', 'Wrap', false, 'code') },
    { id: 'format', section: 'editor', title: 'Format on save', about: 'Format files on save. Files with errors are saved unformatted.', words: 'prettier beautify', control: flag(services, 'ui.format_on_save', 'Format', false) },
    {
      id: 'drafts',
      section: 'editor',
      title: 'Drafts',
      about: 'Unsaved changes are kept as drafts and restored after a crash.',
      words: 'autosave unsaved crash recovery',
      control: { kind: 'fact', text: () => (services.catalog.drafts.length === 0 ? 'No drafts' : plural(services.catalog.drafts.length, 'draft')) },
    },
    { id: 'skills', section: 'skills', title: 'Skills', about: 'Enable, preview, create, edit and delete skills.', words: 'enable disable toggle list', control: part },
    { id: 'workspaces', section: 'workspaces', title: 'Workspaces', about: 'Recently opened folders and their trust.', words: 'recent folders trusted revoke forget', control: part },
    { id: 'model', section: 'models', title: 'Default model', about: 'The model for runs that don’t set their own.', words: 'llm', control: part },
    { id: 'providers', section: 'models', title: 'Providers', about: 'Anthropic, OpenAI, Ollama and OpenAI-compatible servers.', words: 'api key openai anthropic ollama llama token', control: part },
    { id: 'local-models', section: 'models', title: 'Local models', about: 'Find Ollama, llama.cpp and LM Studio.', words: 'local server discover', control: part },
    { id: 'model-keys', section: 'models', title: 'API keys', about: 'Keys are stored in the system keychain or an encrypted file.', words: 'secret password keychain', control: part },
    ...RETENTION_NAMES.map(
      (name): Entry => ({ id: `retention-${name}`, section: 'runs', title: RETENTION[name].label, about: RETENTION[name].help, words: `retention keep traces history ${RETENTION[name].unit}`, control: { kind: 'number', setting: retention, name, testid: 'retention-field' } }),
    ),
    ...LIMIT_NAMES.map(
      (name): Entry => ({ id: `script-${name}`, section: 'scripts', title: LIMITS[name].label, about: LIMITS[name].help, words: `sandbox limit cpu ${LIMITS[name].unit}`, control: { kind: 'number', setting: limits, name, testid: 'script-limit' } }),
    ),
    { id: 'dspy-process', section: 'dspy', title: 'DSPy process', about: 'Status and log of the process that runs DSPy modules.', words: 'sidecar start restart status', control: part },
    { id: 'dspy-again', section: 'dspy', title: 'Outdated programs', about: 'Re-optimize programs that were compiled with another DSPy version.', words: 'outdated update state', control: part },
    { id: 'keys', section: 'keys', title: 'Keyboard shortcuts', about: 'View and change keyboard shortcuts.', words: 'keybindings hotkeys', control: part },
    { id: 'home', section: 'data', title: 'Account folder', about: 'Your skills, settings, drafts and runs. To move it, set the environment variable INKLINGS_HOME.', words: 'where is my data home path backup', control: { kind: 'fact', text: home, path: true } },
    { id: 'database', section: 'data', title: 'Account database', about: 'Your skills with their history, runs and settings.', words: 'agents.db sqlite backup restore check integrity', control: { kind: 'fact', text: below(home, 'agents.db'), path: true, commands: { 'data.backup': 'Back up…', 'data.restore': 'Restore from a backup…', 'data.check': 'Check now' } } },
    { id: 'workspace', section: 'data', title: 'Open workspace', about: 'The open folder.', words: 'folder path', control: { kind: 'fact', text: open, path: true, none: 'No folder is open' } },
    { id: 'workspace-database', section: 'data', title: 'Workspace database', about: 'The workspace skills with their history and runs.', words: 'agents.db sqlite backup restore check integrity', control: { kind: 'fact', text: below(open, 'agents.db'), path: true, none: 'No folder is open', commands: { 'data.backupWorkspace': 'Back up…', 'data.restoreWorkspace': 'Restore from a backup…', 'data.checkWorkspace': 'Check now' } } },
    { id: 'log', section: 'data', title: 'Log and diagnostics', about: 'The app log and a diagnostics report for bug reports. No keys, no content.', words: 'errors bug support version', control: { kind: 'commands', ids: ['view.log', 'help.diagnostics'], labels: { 'view.log': 'Show log' } } },
    { id: 'export', section: 'data', title: 'Export', about: 'Export skills as folders or packages, and runs as JSON Lines.', words: 'backup save copy', control: { kind: 'commands', ids: ['data.exportAll', 'skill.export', 'run.export', 'library.show'], labels: { 'data.exportAll': 'Export all skills…', 'skill.export': 'Export skill…', 'run.export': 'Export runs…', 'library.show': 'Select skills in the library' } } },
    { id: 'sample', section: 'data', title: 'Sample workspace', about: 'A folder with example skills and pages.', words: 'example folder', control: { kind: 'fact', text: sample, path: true, none: 'Open now, see above' } },
    { id: 'key-file', section: 'data', title: 'API keys of providers', about: 'Never stored with settings.', words: 'secret keychain', control: { kind: 'fact', text: () => (models.setup ? (models.setup.key_place.path ?? 'In the system keychain') : null) } },
  ];
}
