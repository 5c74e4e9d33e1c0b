import type { Command } from '$lib/commands';
import { customEditorOf } from './programsController.svelte';
import type { Services } from '$lib/workbench/services';

type Needs = Pick<Services, 'context' | 'dspy' | 'tabs'>;

export function dspyCommands(services: Needs): Command[] {
  const { dspy, tabs } = services;
  const { inEditor, shown } = services.context;

  return [
    { id: 'dspy.optimize', group: 'DSPy', title: 'Optimize DSPy module', inGuide: true, keys: ['Ctrl+Alt+O'], keywords: 'dspy examples demonstrations improve', when: () => inEditor() && dspy.program !== null, run: () => dspy.showOptimize() },
    { id: 'dspy.stop', group: 'DSPy', title: 'Cancel optimization', keywords: 'cancel', when: () => dspy.optimizations?.optimize.running === true, run: () => dspy.optimizations?.optimize.cancel() },
    { id: 'dspy.removeState', group: 'DSPy', title: 'Remove compiled state', keywords: 'dspy optimized delete', when: () => shown.canEdit() && tabs.document !== null && customEditorOf(tabs.document) === 'state', run: shown.with((one) => (dspy.removing = { skill: one, path: tabs.document?.file.path ?? '' })) },
    { id: 'dspy.process', group: 'DSPy', title: 'Show DSPy status', inGuide: true, keywords: 'settings sidecar status log', run: () => dspy.openSettings() },
    { id: 'dspy.retry', group: 'DSPy', title: 'Start DSPy', keywords: 'try again sidecar', when: () => dspy.programs.status?.state !== 'ready', run: () => dspy.retry() },
    { id: 'dspy.reoptimize', group: 'DSPy', title: 'Re-optimize outdated programs', keywords: 'outdated update', when: () => dspy.optimizations?.reoptimization.running !== true, run: () => dspy.reoptimize() },
    { id: 'dspy.stopReoptimizing', group: 'DSPy', title: 'Cancel re-optimization', keywords: 'cancel', when: () => dspy.optimizations?.reoptimization.running === true, run: () => dspy.optimizations?.reoptimization.cancel() },
  ];
}
