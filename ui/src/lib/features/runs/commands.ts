import type { Command } from '$lib/commands';
import type { Services } from '$lib/workbench/services';

type Needs = Pick<Services, 'context' | 'layout' | 'runView' | 'runs' | 'runsView' | 'settingsPage' | 'tabs'>;

export function runsCommands(services: Needs): Command[] {
  const { layout, runView, runsView } = services;
  const { inEditor, shown } = services.context;

  return [
    { id: 'run.start', group: 'Run', title: 'Run', keys: ['Ctrl+Enter'], keywords: 'execute prompt skill start', when: () => inEditor() && services.tabs.active?.kind !== 'view' && runView.target !== null && !runView.run.running, run: () => services.runs.start() },
    { id: 'run.stop', group: 'Run', title: 'Cancel run', keywords: 'cancel', when: () => runView.run.running, run: () => runView.run.cancel() },
    { id: 'run.whole', group: 'Run', title: 'Run whole skill', keys: ['Ctrl+Shift+Enter'], when: () => shown.exists() && !runView.run.running, run: () => services.runs.start(true) },
    { id: 'run.show', group: 'Run', title: 'Show run panel', inGuide: true, keywords: 'inspector inputs', when: inEditor, run: () => layout.inspector.show('run') },
    { id: 'run.list', group: 'Run', title: 'Show runs', inGuide: true, keys: ['Ctrl+Shift+U'], keywords: 'traces history cost', run: () => services.runs.show() },
    { id: 'run.usage', group: 'Run', title: 'Show usage', inGuide: true, keywords: 'tokens cost chart', run: () => services.runs.showUsage() },
    { id: 'run.compare', group: 'Run', title: 'Compare selected runs', keywords: 'diff traces', when: () => layout.view === 'runs' && runsView.runs.selection.marked.length === 2, run: () => runsView.compareMarked() },
    { id: 'run.export', group: 'Run', title: 'Export runs', keywords: 'jsonl dspy examples traces', run: () => runsView.exporter.start() },
    { id: 'run.retention', group: 'Run', title: 'Set run retention', inGuide: true, keywords: 'settings traces retention age days size delete old', run: () => services.settingsPage.open('runs') },
    { id: 'run.scriptLimits', group: 'Run', title: 'Set script limits', inGuide: true, keywords: 'sandbox settings time memory cpu', run: () => services.settingsPage.open('scripts') },
  ];
}
