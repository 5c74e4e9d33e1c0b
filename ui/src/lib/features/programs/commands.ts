import type { Command } from '$lib/commands';
import { customEditorOf } from './programsController.svelte';
import type { Services } from '$lib/workbench/services';

type Needs = Pick<Services, 'context' | 'dspy' | 'layout' | 'tabs'>;

export function dspyCommands(services: Needs): Command[] {
  const { dspy, layout, tabs } = services;
  const { inEditor, canEdit, withSkill } = services.context;
  const isOpen = (): boolean => layout.view === 'proposals' && dspy.proposals.shown?.status === 'open';

  return [
    { id: 'dspy.face', group: 'DSPy', title: 'Toggle form and JSON', keys: ['Ctrl+Alt+J'], words: 'dspy module program editor text state', when: () => inEditor() && tabs.document !== null && customEditorOf(tabs.document) !== null, run: () => dspy.switchFace() },
    { id: 'dspy.optimize', group: 'DSPy', title: 'Optimize DSPy module', keys: ['Ctrl+Alt+O'], words: 'dspy examples demonstrations improve', when: () => inEditor() && dspy.program !== null, run: () => dspy.showOptimize() },
    { id: 'dspy.stop', group: 'DSPy', title: 'Cancel optimization', words: 'cancel', when: () => dspy.optimizations?.optimize.going === true, run: () => dspy.optimizations?.optimize.stop() },
    { id: 'dspy.removeState', group: 'DSPy', title: 'Remove compiled state', words: 'dspy optimized delete', when: () => canEdit() && tabs.document !== null && customEditorOf(tabs.document) === 'state', run: withSkill((one) => (dspy.removing = { skill: one, path: tabs.document?.path ?? '' })) },
    { id: 'dspy.process', group: 'DSPy', title: 'Show DSPy status', words: 'settings sidecar status log', run: () => dspy.openSettings() },
    { id: 'dspy.retry', group: 'DSPy', title: 'Start DSPy', words: 'try again sidecar', when: () => dspy.programs.status?.state !== 'ready', run: () => dspy.retry() },
    { id: 'dspy.again', group: 'DSPy', title: 'Re-optimize outdated programs', words: 'outdated update', when: () => dspy.optimizations?.again.going !== true, run: () => dspy.again() },
    { id: 'dspy.stopAgain', group: 'DSPy', title: 'Cancel re-optimization', words: 'cancel', when: () => dspy.optimizations?.again.going === true, run: () => dspy.optimizations?.again.stop() },
    { id: 'proposal.show', group: 'Proposals', title: 'Show proposals', keys: ['Ctrl+Alt+R'], words: 'review accept reject inbox', run: () => dspy.openProposals() },
    { id: 'proposal.accept', group: 'Proposals', title: 'Accept proposal', keys: ['Ctrl+Alt+Enter'], when: isOpen, run: () => dspy.decide('accept') },
    { id: 'proposal.reject', group: 'Proposals', title: 'Reject proposal', keys: ['Ctrl+Alt+X'], when: isOpen, run: () => dspy.decide('reject') },
  ];
}
