import type { ExportForm } from './exporter.svelte';

interface FormWords {
  id: ExportForm;
  label: string;
  about: string;
}

/** The forms in the order of how much of a skill they hold. */
export const EXPORT_FORMS: readonly { title: string; forms: readonly FormWords[] }[] = [
  {
    title: 'The whole skill',
    forms: [
      { id: 'folder', label: 'Folder', about: 'SKILL.md and its files, as Claude Code, Codex, Cursor and others read it' },
      { id: 'skill', label: 'Archive', about: 'the same in one .skill file, to send or upload' },
      { id: 'json', label: 'JSON package', about: 'everything in one file that another Studio or a program reads' },
    ],
  },
  {
    title: 'Its instructions',
    forms: [
      { id: 'claude-skill', label: 'Claude skill', about: 'a folder with SKILL.md alone' },
      { id: 'markdown', label: 'Markdown', about: 'one .md file with title and description in front' },
      { id: 'amble', label: 'Amble', about: 'JSON with instructions and manifest' },
    ],
  },
  {
    title: 'For others, without the instructions where a summary is given',
    forms: [
      { id: 'openai-gpt', label: 'Custom GPT', about: 'text for the instructions of a GPT' },
      { id: 'cowork', label: 'Cowork', about: 'text for a Cowork plugin' },
    ],
  },
];
