export { byPlace, bySeverity, plural, tally, type Tally } from './diagnostics';
export { capital, formatAgo, formatBytes, formatExact, formatNumber, tildePath } from './format';
export { fuzzy, fuzzyWords, pieces, type Match } from './fuzzy';
export { default as KindIcon } from './KindIcon.svelte';
export { isTemplate, KIND_NAMES, kindOf, KINDS } from './kinds';
export { baseName, defaultPath, extensionOf, folderOf, kindForPath, pathProblem, slugify } from './paths';
