import type { Command } from '$lib/commands';
import { faceOf } from './dspyDoor.svelte';
import type { Studio } from './studio.svelte';

/** Every action of the window. The palette, the key bindings, the menus and the settings page read this list. */
export function commandsOf(studio: Studio): Command[] {
  const { tabs, layout, theme, workspace, running, runsPlace, dspy } = studio;
  const inStudio = (): boolean => layout.view === 'studio';
  const inPages = (): boolean => layout.view === 'pages';
  const page = (): { path: string } | null => studio.pages.place?.reader.detail?.page ?? null;
  const inProposals = (): boolean => layout.view === 'proposals';
  const isOpen = (): boolean => inProposals() && dspy.proposals.shown?.status === 'open';
  const hasTab = (): boolean => inStudio() && tabs.activeId !== null;
  const hasText = (): boolean => inStudio() && tabs.document?.saved != null;
  const isDirty = (): boolean => tabs.document?.dirty === true;
  const skill = (): NonNullable<typeof studio.skill> | null => studio.skill;
  const hasSkill = (): boolean => inStudio() && skill() !== null;
  const canEdit = (): boolean => hasSkill() && skill()?.locked === false;
  const withSkill = (run: (one: NonNullable<typeof studio.skill>) => unknown) => (): unknown => {
    const one = skill();
    return one ? run(one) : undefined;
  };

  return [
    { id: 'go.commands', group: 'Go', title: 'Show all commands', keys: ['Ctrl+Shift+P', 'Ctrl+K'], hidden: true, run: () => studio.showOverlay('commands') },
    { id: 'go.quick', group: 'Go', title: 'Go to skill or file', keys: ['Ctrl+P'], words: 'quick open search', run: () => studio.showOverlay('quick') },
    { id: 'go.page', group: 'Go', title: 'Go to page', keys: ['Ctrl+Shift+G'], words: 'open markdown wiki note', when: () => workspace.current !== null, run: () => studio.pages.find() },
    { id: 'go.tree', group: 'Go', title: 'Go to the skill tree', keys: ['Ctrl+Shift+E'], run: () => studio.focusTree() },
    { id: 'go.editor', group: 'Go', title: 'Go to the editor', keys: ['Ctrl+1'], when: hasTab, run: () => studio.focusEditor() },
    { id: 'go.nextProblem', group: 'Go', title: 'Next problem', keys: ['F8'], when: inStudio, run: () => studio.stepProblem(1) },
    { id: 'go.previousProblem', group: 'Go', title: 'Previous problem', keys: ['Shift+F8'], when: inStudio, run: () => studio.stepProblem(-1) },
    { id: 'go.nextTab', group: 'Go', title: 'Next tab', keys: ['Ctrl+Tab', 'Ctrl+PageDown'], when: hasTab, run: () => tabs.step(1) },
    { id: 'go.previousTab', group: 'Go', title: 'Previous tab', keys: ['Ctrl+Shift+Tab', 'Ctrl+PageUp'], when: hasTab, run: () => tabs.step(-1) },

    { id: 'file.save', group: 'File', title: 'Save', keys: ['Ctrl+S'], when: isDirty, run: () => studio.save() },
    { id: 'file.saveAll', group: 'File', title: 'Save all', keys: ['Ctrl+Alt+S'], when: () => tabs.documents.some((one) => one.dirty), run: () => studio.saveAll() },
    { id: 'file.discard', group: 'File', title: 'Discard unsaved changes', words: 'revert', when: isDirty, run: () => studio.discard() },
    { id: 'file.drafts', group: 'File', title: 'Open all unsaved drafts', when: () => studio.catalog.drafts.length > 0, run: () => studio.openDrafts() },
    { id: 'file.close', group: 'File', title: 'Close tab', keys: ['Ctrl+W', 'Ctrl+F4'], when: hasTab, run: () => studio.closeTab() },
    { id: 'file.closeAll', group: 'File', title: 'Close all tabs', when: hasTab, run: () => studio.closeTabs(() => true) },
    { id: 'file.reopen', group: 'File', title: 'Reopen closed tab', keys: ['Ctrl+Shift+T'], when: () => inStudio() && tabs.canReopen, run: () => tabs.reopen() },
    { id: 'file.find', group: 'File', title: 'Find in file', keys: ['Ctrl+F'], when: hasText, run: () => studio.findInText('search') },
    { id: 'file.replace', group: 'File', title: 'Find and replace in file', keys: ['Ctrl+H'], when: hasText, run: () => studio.findInText('replace') },
    { id: 'file.copyPath', group: 'File', title: 'Copy path of file', when: hasText, run: () => studio.copy(tabs.document?.path ?? '', 'the path') },
    {
      id: 'file.rename',
      group: 'File',
      title: 'Rename file',
      words: 'move',
      when: () => hasText() && canEdit() && tabs.document?.entry?.role !== 'main' && tabs.document?.entry?.role !== 'manifest',
      run: withSkill((one) => studio.renameFile(one, tabs.document?.path ?? '')),
    },
    {
      id: 'file.delete',
      group: 'File',
      title: 'Delete file',
      when: () => hasText() && canEdit() && tabs.document?.entry?.role !== 'main',
      run: withSkill((one) => studio.deleteFile(one, tabs.document?.path ?? '')),
    },

    { id: 'skill.new', group: 'Skill', title: 'New skill', keys: ['Ctrl+Alt+N'], words: 'create', run: () => studio.newSkill() },
    { id: 'skill.newFile', group: 'Skill', title: 'New file', keys: ['Ctrl+N'], words: 'create artifact prompt script', when: canEdit, run: withSkill((one) => studio.newFile(one)) },
    { id: 'skill.duplicate', group: 'Skill', title: 'Duplicate to edit', words: 'fork copy override', when: hasSkill, run: withSkill((one) => studio.actions.duplicate(one, tabs.document?.path)) },
    { id: 'skill.enable', group: 'Skill', title: 'Enable skill', when: () => hasSkill() && skill()?.enabled === false, run: withSkill((one) => studio.actions.enable(one, true)) },
    { id: 'skill.disable', group: 'Skill', title: 'Disable skill', when: () => hasSkill() && skill()?.enabled === true, run: withSkill((one) => studio.actions.enable(one, false)) },
    {
      id: 'skill.history',
      group: 'Skill',
      title: 'Show history',
      words: 'revisions rollback',
      when: hasSkill,
      run: () => layout.set({ showInspector: true, inspectorTab: 'info' }),
    },
    { id: 'skill.export', group: 'Skill', title: 'Export to folder', words: 'SKILL.md', when: hasSkill, run: withSkill((one) => studio.exportSkill(one)) },
    { id: 'skill.import', group: 'Skill', title: 'Import folder', words: 'SKILL.md claude', run: () => studio.importFolder() },
    { id: 'skill.review', group: 'Skill', title: 'Review skills of other agents', words: 'import claude codex cursor gemini found', run: () => studio.agents.show() },
    { id: 'skill.delete', group: 'Skill', title: 'Delete skill', when: hasSkill, run: withSkill((one) => studio.actions.deleteSkill(one)) },

    { id: 'search.show', group: 'Search', title: 'Search in all skills', keys: ['Ctrl+Shift+F'], words: 'find text everywhere', run: () => studio.search.show() },
    { id: 'search.replace', group: 'Search', title: 'Replace in all skills', keys: ['Ctrl+Shift+H'], words: 'find text everywhere', run: () => studio.search.show(true) },
    { id: 'search.replaceAll', group: 'Search', title: 'Replace all that was found', keys: ['Ctrl+Alt+Enter'], when: () => studio.search.canReplace, run: () => studio.search.replaceAll() },
    { id: 'search.next', group: 'Search', title: 'Next match', keys: ['F4'], when: () => inStudio() && studio.search.hasMatches, run: () => studio.search.step(1) },
    { id: 'search.previous', group: 'Search', title: 'Previous match', keys: ['Shift+F4'], when: () => inStudio() && studio.search.hasMatches, run: () => studio.search.step(-1) },

    { id: 'run.start', group: 'Run', title: 'Run', keys: ['Ctrl+Enter'], words: 'execute prompt skill start', when: () => inStudio() && running.target !== null && !running.run.going, run: () => studio.startRun() },
    { id: 'run.stop', group: 'Run', title: 'Stop the run', words: 'cancel', when: () => running.run.going, run: () => running.run.stop() },
    { id: 'run.whole', group: 'Run', title: 'Run the whole skill', keys: ['Ctrl+Shift+Enter'], when: () => hasSkill() && !running.run.going, run: () => studio.startRun(true) },
    { id: 'run.show', group: 'Run', title: 'Show the run', words: 'inspector inputs', when: inStudio, run: () => layout.set({ showInspector: true, inspectorTab: 'run' }) },
    { id: 'run.list', group: 'Run', title: 'Open runs', keys: ['Ctrl+Shift+U'], words: 'traces history cost', run: () => studio.openRuns() },
    { id: 'run.usage', group: 'Run', title: 'Show usage', words: 'tokens cost chart', run: () => studio.openUsage() },
    { id: 'run.compare', group: 'Run', title: 'Compare the marked runs', words: 'diff traces', when: () => layout.view === 'runs' && runsPlace.runs.marked.length === 2, run: () => runsPlace.compareMarked() },
    { id: 'run.export', group: 'Run', title: 'Export runs', words: 'jsonl dspy examples traces', run: () => runsPlace.exporter.start() },
    { id: 'run.retention', group: 'Run', title: 'Set how long runs are kept', words: 'settings traces retention age days size delete old', run: () => studio.openSettings('runs') },
    { id: 'run.scriptLimits', group: 'Run', title: 'Set limits of Python scripts', words: 'sandbox settings time memory fuel', run: () => studio.openSettings('scripts') },
    { id: 'dspy.face', group: 'DSPy', title: 'Switch between form and JSON', keys: ['Ctrl+Alt+J'], words: 'dspy module program editor text state', when: () => inStudio() && tabs.document !== null && faceOf(tabs.document) !== null, run: () => dspy.switchFace() },
    { id: 'dspy.optimise', group: 'DSPy', title: 'Optimise this program', keys: ['Ctrl+Alt+O'], words: 'dspy examples demonstrations improve', when: () => inStudio() && dspy.program !== null, run: () => dspy.showOptimise() },
    { id: 'dspy.stop', group: 'DSPy', title: 'Stop the optimisation', words: 'cancel', when: () => dspy.place?.optimise.going === true, run: () => dspy.place?.optimise.stop() },
    { id: 'dspy.removeState', group: 'DSPy', title: 'Remove this state', words: 'dspy optimised delete', when: () => canEdit() && tabs.document !== null && faceOf(tabs.document) === 'State', run: withSkill((one) => (dspy.removing = { skill: one, path: tabs.document?.path ?? '' })) },
    { id: 'dspy.process', group: 'DSPy', title: 'Show the DSPy process', words: 'settings sidecar status log', run: () => dspy.openSettings() },
    { id: 'dspy.retry', group: 'DSPy', title: 'Start the DSPy process', words: 'try again sidecar', when: () => dspy.programs.status?.state !== 'ready', run: () => dspy.retry() },
    { id: 'dspy.again', group: 'DSPy', title: 'Optimise again what another DSPy version optimised', words: 'outdated update', when: () => dspy.place?.again.going !== true, run: () => dspy.again() },
    { id: 'dspy.stopAgain', group: 'DSPy', title: 'Stop optimising again', words: 'cancel', when: () => dspy.place?.again.going === true, run: () => dspy.place?.again.stop() },
    { id: 'proposal.show', group: 'Proposals', title: 'Show proposals', keys: ['Ctrl+Alt+R'], words: 'review accept reject inbox', run: () => dspy.openProposals() },
    { id: 'proposal.accept', group: 'Proposals', title: 'Accept this proposal', keys: ['Ctrl+Alt+Enter'], when: isOpen, run: () => dspy.decide('accept') },
    { id: 'proposal.reject', group: 'Proposals', title: 'Reject this proposal', keys: ['Ctrl+Alt+X'], when: isOpen, run: () => dspy.decide('reject') },
    { id: 'page.show', group: 'Pages', title: 'Show pages', keys: ['Ctrl+Alt+P'], words: 'markdown wiki notes browser', run: () => studio.pages.open() },
    { id: 'page.search', group: 'Pages', title: 'Search pages', words: 'find text', when: () => workspace.current !== null, run: () => studio.pages.search() },
    { id: 'page.loose', group: 'Pages', title: 'Show loose ends', words: 'broken links orphans', when: () => workspace.current !== null, run: () => studio.pages.looseEnds() },
    { id: 'page.back', group: 'Pages', title: 'Back to the page before', keys: ['Alt+Left'], when: () => inPages() && studio.pages.place?.reader.canGoBack === true, run: () => studio.pages.place?.reader.back() },
    { id: 'page.forward', group: 'Pages', title: 'Forward to the next page', keys: ['Alt+Right'], when: () => inPages() && studio.pages.place?.reader.canGoOn === true, run: () => studio.pages.place?.reader.forward() },
    { id: 'page.copyPath', group: 'Pages', title: 'Copy path of page', when: () => inPages() && page() !== null, run: () => studio.copy(page()?.path ?? '', 'the path') },
    { id: 'page.refresh', group: 'Pages', title: 'Look for changed files', words: 'refresh index', when: () => workspace.current !== null, run: () => studio.pages.refresh() },
    { id: 'model.choose', group: 'Model', title: 'Choose the default model', words: 'provider', run: () => studio.chooseModel() },
    { id: 'model.setup', group: 'Model', title: 'Set up models', words: 'provider key settings ollama', run: () => studio.openSettings('models') },

    { id: 'workspace.open', group: 'Workspace', title: 'Open folder', keys: ['Ctrl+O'], words: 'recent workspace', run: () => studio.openFolder() },
    { id: 'workspace.sample', group: 'Workspace', title: 'Open the sample workspace', run: () => studio.openSample() },
    { id: 'workspace.trust', group: 'Workspace', title: 'Trust this workspace', when: () => workspace.current?.trusted === false, run: () => studio.setTrust(true) },
    { id: 'workspace.distrust', group: 'Workspace', title: 'Stop trusting this workspace', when: () => workspace.current?.trusted === true, run: () => studio.setTrust(false) },
    { id: 'workspace.close', group: 'Workspace', title: 'Close folder', when: () => workspace.current !== null, run: () => workspace.close() },

    { id: 'view.studio', group: 'View', title: 'Show the Studio', when: () => !inStudio(), run: () => (layout.view = 'studio') },
    { id: 'view.settings', group: 'View', title: 'Open settings', keys: ['Ctrl+,'], words: 'theme keyboard shortcuts', run: () => studio.openSettings(studio.settingsSection) },
    { id: 'view.sidebar', group: 'View', title: 'Show or hide the side panel', keys: ['Ctrl+B'], run: () => layout.set({ showSidebar: !layout.showSidebar }) },
    { id: 'view.inspector', group: 'View', title: 'Show or hide the inspector', keys: ['Ctrl+Alt+B'], run: () => layout.set({ showInspector: !layout.showInspector }) },
    { id: 'view.problems', group: 'View', title: 'Show or hide problems', keys: ['Ctrl+Shift+M', 'Ctrl+J'], run: () => layout.set({ showPanel: !layout.showPanel }) },
    { id: 'view.preview', group: 'View', title: 'Show the preview', when: inStudio, run: () => layout.set({ showInspector: true, inspectorTab: 'preview' }) },
    { id: 'view.collapse', group: 'View', title: 'Collapse all skills', when: inStudio, run: () => studio.tree.collapseAll() },
    { id: 'view.light', group: 'View', title: 'Use the light theme', when: () => theme.choice !== 'light', run: () => theme.choose('light') },
    { id: 'view.dark', group: 'View', title: 'Use the dark theme', when: () => theme.choice !== 'dark', run: () => theme.choose('dark') },
    { id: 'view.system', group: 'View', title: 'Use the theme of the system', when: () => theme.choice !== 'system', run: () => theme.choose('system') },
  ];
}
