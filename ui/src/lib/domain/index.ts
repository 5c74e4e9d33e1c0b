export { byPlace, bySeverity, plural, tally, type Tally } from './diagnostics';
export { formatAgo, formatBytes, formatExact, formatNumber, tildePath } from './format';
export { fuzzy, pieces, type Match } from './fuzzy';
export { default as KindIcon } from './KindIcon.svelte';
export { isTemplate, KIND_NAMES, kindOf, KINDS } from './kinds';
export { baseName, defaultPath, extensionOf, folderOf, pathProblem, slugify } from './paths';
