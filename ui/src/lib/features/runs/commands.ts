import type { Command } from '$lib/commands';
import type { Services } from '$lib/workbench/services';

type Needs = Pick<Services, 'context' | 'layout' | 'runView' | 'runs' | 'runsView' | 'settingsPage'>;

export function runsCommands(services: Needs): Command[] {
  const { layout, runView, runsView } = services;
  const { inEditor, hasSkill } = services.context;

  return [
    { id: 'run.start', group: 'Run', title: 'Run', keys: ['Ctrl+Enter'], words: 'execute prompt skill start', when: () => inEditor() && runView.target !== null && !runView.run.going, run: () => services.runs.start() },
    { id: 'run.stop', group: 'Run', title: 'Cancel run', words: 'cancel', when: () => runView.run.going, run: () => runView.run.stop() },
    { id: 'run.whole', group: 'Run', title: 'Run whole skill', keys: ['Ctrl+Shift+Enter'], when: () => hasSkill() && !runView.run.going, run: () => services.runs.start(true) },
    { id: 'run.show', group: 'Run', title: 'Show run panel', words: 'inspector inputs', when: inEditor, run: () => layout.showInspectorTab('run') },
    { id: 'run.list', group: 'Run', title: 'Show runs', keys: ['Ctrl+Shift+U'], words: 'traces history cost', run: () => services.runs.show() },
    { id: 'run.usage', group: 'Run', title: 'Show usage', words: 'tokens cost chart', run: () => services.runs.showUsage() },
    { id: 'run.compare', group: 'Run', title: 'Compare selected runs', words: 'diff traces', when: () => layout.view === 'runs' && runsView.runs.marked.length === 2, run: () => runsView.compareMarked() },
    { id: 'run.export', group: 'Run', title: 'Export runs', words: 'jsonl dspy examples traces', run: () => runsView.exporter.start() },
    { id: 'run.retention', group: 'Run', title: 'Set run retention', words: 'settings traces retention age days size delete old', run: () => services.settingsPage.open('runs') },
    { id: 'run.scriptLimits', group: 'Run', title: 'Set script limits', words: 'sandbox settings time memory cpu', run: () => services.settingsPage.open('scripts') },
  ];
}
