export type SettingsSection = 'general' | 'models' | 'keys';
