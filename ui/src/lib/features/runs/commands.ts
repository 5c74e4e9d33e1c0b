import type { Command } from '$lib/commands';
import type { Studio } from '$lib/app/studio.svelte';
import { placeOf } from '$lib/workbench/whenContext';

export function runsCommands(studio: Studio): Command[] {
  const { layout, running, runsView } = studio;
  const { inStudio, hasSkill } = placeOf(studio);

  return [
    { id: 'run.start', group: 'Run', title: 'Run', keys: ['Ctrl+Enter'], words: 'execute prompt skill start', when: () => inStudio() && running.target !== null && !running.run.going, run: () => studio.runs.start() },
    { id: 'run.stop', group: 'Run', title: 'Stop the run', words: 'cancel', when: () => running.run.going, run: () => running.run.stop() },
    { id: 'run.whole', group: 'Run', title: 'Run the whole skill', keys: ['Ctrl+Shift+Enter'], when: () => hasSkill() && !running.run.going, run: () => studio.runs.start(true) },
    { id: 'run.show', group: 'Run', title: 'Show the run', words: 'inspector inputs', when: inStudio, run: () => layout.showInspectorTab('run') },
    { id: 'run.list', group: 'Run', title: 'Open runs', keys: ['Ctrl+Shift+U'], words: 'traces history cost', run: () => studio.runs.show() },
    { id: 'run.usage', group: 'Run', title: 'Show usage', words: 'tokens cost chart', run: () => studio.runs.showUsage() },
    { id: 'run.compare', group: 'Run', title: 'Compare the marked runs', words: 'diff traces', when: () => layout.view === 'runs' && runsView.runs.marked.length === 2, run: () => runsView.compareMarked() },
    { id: 'run.export', group: 'Run', title: 'Export runs', words: 'jsonl dspy examples traces', run: () => runsView.exporter.start() },
    { id: 'run.retention', group: 'Run', title: 'Set how long runs are kept', words: 'settings traces retention age days size delete old', run: () => studio.openSettings('runs') },
    { id: 'run.scriptLimits', group: 'Run', title: 'Set limits of Python scripts', words: 'sandbox settings time memory cpu', run: () => studio.openSettings('scripts') },
  ];
}
