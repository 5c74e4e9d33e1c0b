export const SECTIONS = [
  { id: 'general', label: 'Appearance', about: '' },
  { id: 'editor', label: 'Editor', about: '' },
  { id: 'skills', label: 'Skills', about: '' },
  { id: 'workspaces', label: 'Workspaces', about: 'Workspace skills only run in trusted workspaces.' },
  { id: 'models', label: 'Models', about: '' },
  { id: 'runs', label: 'Runs', about: 'Old runs are deleted at startup, or when their workspace opens.' },
  { id: 'scripts', label: 'Python scripts', about: 'Scripts run in a sandbox with these limits.' },
  { id: 'dspy', label: 'DSPy', about: '' },
  { id: 'keys', label: 'Keyboard shortcuts', about: '' },
  { id: 'data', label: 'Data', about: 'All data stays on this machine.' },
] as const;

export type SettingsSection = (typeof SECTIONS)[number]['id'];
