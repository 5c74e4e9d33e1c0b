import type { Command } from '$lib/commands';
import type { Services } from '$lib/workbench/services';

type Needs = Pick<Services, 'chat' | 'evals' | 'layout' | 'runsView'>;

export function evalsCommands({ chat, evals, layout, runsView }: Needs): Command[] {
  const isShown = (): boolean => layout.view === 'evals' && evals.view?.skill !== undefined;
  const canEdit = (): boolean => isShown() && evals.view?.readOnlyReason === null;
  const shownRun = () => (layout.view === 'runs' && runsView.view.run?.status !== 'running' ? runsView.view.run : null);

  return [
    { id: 'eval.show', group: 'Evals', title: 'Show evals', inGuide: true, keys: ['Ctrl+Alt+E'], keywords: 'test cases evaluation benchmark regression', run: () => evals.open() },
    { id: 'eval.cases', group: 'Evals', title: 'Show eval cases', inGuide: true, keywords: 'table examples edit', run: () => evals.open('cases') },
    { id: 'eval.runs', group: 'Evals', title: 'Show eval runs', inGuide: true, keywords: 'results pass rate matrix history', run: () => evals.open('runs') },
    { id: 'eval.triggers', group: 'Evals', title: 'Test triggers', inGuide: true, keywords: 'fire description which skill confusion', run: () => evals.open('triggers') },
    { id: 'eval.run', group: 'Evals', title: 'Run evals', inGuide: true, keywords: 'start compare with without skill revisions models', run: () => evals.setUp() },
    { id: 'eval.cancel', group: 'Evals', title: 'Cancel eval run', when: () => evals.view?.job.call.busy === true, run: () => evals.view?.job.call.cancel() },
    {
      id: 'eval.delete',
      group: 'Evals',
      title: 'Delete eval run',
      keywords: 'remove results',
      when: () => isShown() && evals.view?.part === 'runs' && evals.view.runs.report.value !== null && evals.view.runs.report.value.run.status !== 'running',
      run: () => {
        const { runs } = evals.view ?? {};
        if (runs?.report.value) runs.deletion.ask(runs.report.value.run);
      },
    },
    {
      id: 'eval.rewrite',
      group: 'Evals',
      title: 'Rewrite instructions',
      inGuide: true,
      keywords: 'optimize improve edit skill instructions training cases proposal',
      when: () => evals.view?.rewriting.call.busy !== true,
      run: () => evals.open('rewrite').then(() => (evals.view?.skill ? evals.view.rewriting.setup.open() : undefined)),
    },
    { id: 'eval.cancelRewrite', group: 'Evals', title: 'Cancel rewrite', when: () => evals.view?.rewriting.call.busy === true, run: () => evals.view?.rewriting.call.cancel() },
    { id: 'eval.skill', group: 'Evals', title: 'Choose skill of evals', when: () => layout.view === 'evals', run: () => evals.chooseSkill() },
    { id: 'eval.add', group: 'Evals', title: 'Add eval case', keywords: 'new', when: canEdit, run: () => evals.open('cases').then(() => evals.view?.table.editor.add('task')) },
    { id: 'eval.paste', group: 'Evals', title: 'Paste eval cases', keywords: 'csv table json lines import', when: canEdit, run: () => evals.open('cases').then(() => evals.view?.table.pasting.open()) },
    {
      id: 'eval.saveRun',
      group: 'Evals',
      title: 'Save run as eval case',
      keywords: 'keep test',
      when: () => shownRun() !== null,
      run: () => {
        const run = shownRun();
        return run ? evals.saveRun(run) : undefined;
      },
    },
    {
      id: 'eval.saveAnswer',
      group: 'Evals',
      title: 'Save answer as eval case',
      keywords: 'keep test chat',
      when: () => layout.view === 'chat' && !chat.conversation.running && chat.conversation.last !== null,
      run: () => {
        const { last } = chat.conversation;
        return last ? evals.saveAnswer(last) : undefined;
      },
    },
  ];
}
