export { Catalog, skillKey, type SkillKey } from './catalog.svelte';
export { Client } from './client';
export { asFailure, conflictOf, diagnosticsOf, Failed, missingOf, problemsOf, sentence, type ConflictFields } from './failure';
export { Feed } from './feed';
export { Models, type Offer, providerOf } from './models.svelte';
export { Scripts } from './scripts.svelte';
export { Settings } from './settings.svelte';
export { Deadline, Debounce, Latest } from './timing';
