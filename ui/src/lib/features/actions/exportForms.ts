import type { ExportForm } from './exporter.svelte';

interface FormLabel {
  id: ExportForm;
  label: string;
  about: string;
}

/** The forms that hold most of a skill come first. */
export const EXPORT_FORMS: readonly { title: string; forms: readonly FormLabel[] }[] = [
  {
    title: 'Whole skill',
    forms: [
      { id: 'folder', label: 'Folder', about: 'for Claude Code, Codex, Cursor and other agents' },
      { id: 'skill', label: 'Archive', about: 'one .skill file to share or upload' },
      { id: 'json', label: 'JSON package', about: 'one file for Inklings and other programs' },
    ],
  },
  {
    title: 'Instructions only',
    forms: [
      { id: 'claude-skill', label: 'Claude skill', about: 'a folder with only SKILL.md' },
      { id: 'markdown', label: 'Markdown', about: 'one .md file that starts with the title and description' },
      { id: 'amble', label: 'Amble', about: 'JSON with instructions and manifest' },
    ],
  },
  {
    title: 'Summary (instructions if there’s no summary)',
    forms: [
      { id: 'openai-gpt', label: 'Custom GPT', about: 'text for a custom GPT' },
      { id: 'cowork', label: 'Cowork', about: 'text for a Cowork plugin' },
    ],
  },
];
