export type SettingsSection = 'general' | 'models' | 'scripts' | 'dspy' | 'keys';
