import type { Command } from '$lib/commands';
import type { Services } from '$lib/workbench/services';

type Needs = Pick<Services, 'compare' | 'context' | 'history' | 'tabs'>;

export function compareCommands(services: Needs): Command[] {
  const { compare, tabs } = services;
  const { inEditor, hasText, isDirty, selected, shown } = services.context;
  const comparing = (): boolean => inEditor() && compare.active !== null;
  const file = () => {
    const { document } = tabs;
    return document && { key: document.file.skill, path: document.file.path };
  };
  const options = compare.options;

  return [
    { id: 'skill.history', group: 'Skill', title: 'Show history', inGuide: true, keywords: 'revisions rollback timeline', when: shown.exists, run: () => services.history.show(false) },
    { id: 'file.history', group: 'File', title: 'Show file history', keywords: 'revisions restore timeline', when: hasText, run: () => services.history.show(true) },
    { id: 'compare.saved', group: 'Compare', title: 'Compare with saved', keys: ['Ctrl+K D'], keywords: 'diff draft unsaved', when: () => hasText() && isDirty(), run: () => tabs.document && compare.withSaved(tabs.document) },
    {
      id: 'compare.select',
      group: 'Compare',
      title: 'Select file for compare',
      keywords: 'diff',
      when: hasText,
      run: () => {
        const one = file();
        if (one) compare.select(one);
      },
    },
    {
      id: 'compare.selected',
      group: 'Compare',
      title: 'Compare file with selected',
      keywords: 'diff',
      when: () => {
        const one = file();
        return hasText() && one !== null && compare.mayCompareWith(one);
      },
      run: () => {
        const one = file();
        if (one) compare.withSelected(one);
      },
    },
    { id: 'compare.scope', group: 'Compare', title: 'Compare with the skill in the other scope', keywords: 'diff override account workspace', when: () => selected.exists() && (selected.skill?.shadows === true || selected.skill?.shadowed === true), run: selected.with((one) => compare.withOtherScope(one)) },
    { id: 'compare.parent', group: 'Compare', title: 'Compare with the original skill', keywords: 'diff fork parent upstream', when: selected.exists, run: selected.with((one) => compare.withParent(one)) },
    { id: 'compare.next', group: 'Compare', title: 'Go to next change', keys: ['F7', 'Alt+F5'], when: comparing, run: () => compare.active?.step(1) },
    { id: 'compare.previous', group: 'Compare', title: 'Go to previous change', keys: ['Shift+F7', 'Shift+Alt+F5'], when: comparing, run: () => compare.active?.step(-1) },
    { id: 'compare.nextFile', group: 'Compare', title: 'Go to next compared file', when: comparing, run: () => compare.active?.stepFile(1) },
    { id: 'compare.previousFile', group: 'Compare', title: 'Go to previous compared file', when: comparing, run: () => compare.active?.stepFile(-1) },
    { id: 'compare.inline', group: 'Compare', title: 'Toggle inline view', keywords: 'diff unified', when: comparing, run: () => options.set({ inline: !options.inline }) },
    { id: 'compare.collapseUnchanged', group: 'Compare', title: 'Toggle collapse unchanged regions', keywords: 'diff collapse', when: comparing, run: () => options.set({ collapse: !options.collapse }) },
    { id: 'compare.ignoreWhitespace', group: 'Compare', title: 'Toggle ignore whitespace', keywords: 'diff whitespace ignore', when: comparing, run: () => options.set({ ignoreSpaces: !options.ignoreSpaces }) },
  ];
}
