export { Again, type AgainItem } from './again.svelte';
export { Optimise, type OptimisePorts, type Target } from './optimise.svelte';
export { default as OptimisePanel } from './OptimisePanel.svelte';
export { default as ProcessSection } from './ProcessSection.svelte';
export { default as ProgramEditor } from './ProgramEditor.svelte';
export { ProgramForm } from './programForm.svelte';
export { default as RemoveState } from './RemoveState.svelte';
export { default as StateEditor } from './StateEditor.svelte';
export { StateFile } from './stateFile.svelte';
