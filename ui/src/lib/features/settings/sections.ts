export const SECTIONS = [
  { id: 'general', label: 'Appearance', about: '' },
  { id: 'editor', label: 'Editor', about: '' },
  { id: 'skills', label: 'Skills', about: '' },
  { id: 'workspaces', label: 'Workspaces', about: 'Skills of a workspace run only while you trust it.' },
  { id: 'models', label: 'Models', about: '' },
  { id: 'runs', label: 'Runs', about: 'Old runs are deleted when the Studio starts; those of a workspace, when it is opened.' },
  { id: 'scripts', label: 'Python scripts', about: 'Scripts run in a sandbox within these limits. A run says which limit it reached.' },
  { id: 'dspy', label: 'DSPy', about: '' },
  { id: 'keys', label: 'Keyboard shortcuts', about: '' },
  { id: 'data', label: 'Data', about: 'Everything is on this machine, in these places.' },
] as const;

export type SettingsSection = (typeof SECTIONS)[number]['id'];
