export const SECTIONS = [
  { id: 'general', label: 'Appearance', about: '' },
  { id: 'editor', label: 'Editor', about: '' },
  { id: 'models', label: 'Models', about: '' },
  { id: 'runs', label: 'Runs', about: 'Older runs are removed when the Studio starts; those of a workspace, which are counted by themselves, when it is opened.' },
  { id: 'scripts', label: 'Python scripts', about: 'Scripts run in a sandbox, within these limits. A run says when one was reached.' },
  { id: 'dspy', label: 'DSPy', about: '' },
  { id: 'keys', label: 'Keyboard shortcuts', about: '' },
  { id: 'data', label: 'Data', about: 'Everything is on this machine, in these places.' },
] as const;

export type SettingsSection = (typeof SECTIONS)[number]['id'];
