export type SettingsSection = 'general' | 'models' | 'scripts' | 'keys';
