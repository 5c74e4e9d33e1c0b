import type { Command } from '$lib/commands';
import type { Studio } from '$lib/app/studio.svelte';
import { placeOf } from '$lib/workbench/whenContext';

export function runsCommands(studio: Studio): Command[] {
  const { layout, running, runsView } = studio;
  const { inStudio, hasSkill } = placeOf(studio);

  return [
    { id: 'run.start', group: 'Run', title: 'Run', keys: ['Ctrl+Enter'], words: 'execute prompt skill start', when: () => inStudio() && running.target !== null && !running.run.going, run: () => studio.runs.start() },
    { id: 'run.stop', group: 'Run', title: 'Cancel run', words: 'cancel', when: () => running.run.going, run: () => running.run.stop() },
    { id: 'run.whole', group: 'Run', title: 'Run whole skill', keys: ['Ctrl+Shift+Enter'], when: () => hasSkill() && !running.run.going, run: () => studio.runs.start(true) },
    { id: 'run.show', group: 'Run', title: 'Show run panel', words: 'inspector inputs', when: inStudio, run: () => layout.showInspectorTab('run') },
    { id: 'run.list', group: 'Run', title: 'Show runs', keys: ['Ctrl+Shift+U'], words: 'traces history cost', run: () => studio.runs.show() },
    { id: 'run.usage', group: 'Run', title: 'Show usage', words: 'tokens cost chart', run: () => studio.runs.showUsage() },
    { id: 'run.compare', group: 'Run', title: 'Compare selected runs', words: 'diff traces', when: () => layout.view === 'runs' && runsView.runs.marked.length === 2, run: () => runsView.compareMarked() },
    { id: 'run.export', group: 'Run', title: 'Export runs', words: 'jsonl dspy examples traces', run: () => runsView.exporter.start() },
    { id: 'run.retention', group: 'Run', title: 'Set run retention', words: 'settings traces retention age days size delete old', run: () => studio.openSettings('runs') },
    { id: 'run.scriptLimits', group: 'Run', title: 'Set script limits', words: 'sandbox settings time memory cpu', run: () => studio.openSettings('scripts') },
  ];
}
