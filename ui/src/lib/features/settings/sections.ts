export type SettingsSection = 'general' | 'models' | 'runs' | 'scripts' | 'dspy' | 'keys';
