export { Reoptimization } from './reoptimization.svelte';
export { OptimizeState, type OptimizePorts, type Target } from './optimize.svelte';
export { default as OptimizePanel } from './OptimizePanel.svelte';
export { default as ProcessSection } from './ProcessSection.svelte';
export { default as ProgramEditor } from './ProgramEditor.svelte';
export { ProgramForm } from './programForm.svelte';
export { default as StateEditor } from './StateEditor.svelte';
export { StateFile } from './stateFile.svelte';
