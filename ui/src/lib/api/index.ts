export { Catalog, skillKey, type SkillKey } from './catalog.svelte';
export { Client } from './client';
export { asFailure, conflictOf, diagnosticsOf, Failed, sentence, type ConflictFields } from './failure';
export { Feed } from './feed';
export { Settings } from './settings.svelte';
export { Deadline, Debounce, Latest } from './timing';
