import type { Command } from '$lib/commands';
import type { Services } from '$lib/workbench/services';

type Needs = Pick<Services, 'compare' | 'context' | 'tabs'>;

export function compareCommands(services: Needs): Command[] {
  const { compare, tabs } = services;
  const { inEditor, hasSkill, hasText, isDirty, withSkill } = services.context;
  const comparing = (): boolean => inEditor() && compare.active !== null;
  const file = () => {
    const { document } = tabs;
    return document && { key: { scope: document.scope, id: document.skillId }, path: document.path };
  };
  const look = compare.look;

  return [
    { id: 'skill.history', group: 'Skill', title: 'Show history', words: 'revisions rollback timeline', when: hasSkill, run: () => compare.showHistory(false) },
    { id: 'file.history', group: 'File', title: 'Show file history', words: 'revisions restore timeline', when: hasText, run: () => compare.showHistory(true) },
    { id: 'compare.saved', group: 'Compare', title: 'Compare with saved', words: 'diff draft unsaved', when: () => hasText() && isDirty(), run: () => tabs.document && compare.withSaved(tabs.document) },
    {
      id: 'compare.select',
      group: 'Compare',
      title: 'Select file for compare',
      words: 'diff',
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
      words: 'diff',
      when: () => {
        const one = file();
        return hasText() && one !== null && compare.mayCompareWith(one);
      },
      run: () => {
        const one = file();
        if (one) compare.withSelected(one);
      },
    },
    { id: 'compare.scope', group: 'Compare', title: 'Compare with the skill in the other scope', words: 'diff override account workspace', when: () => hasSkill() && (services.context.skill?.shadows === true || services.context.skill?.shadowed === true), run: withSkill((one) => compare.withOtherScope(one)) },
    { id: 'compare.parent', group: 'Compare', title: 'Compare with the original skill', words: 'diff fork parent upstream', when: hasSkill, run: withSkill((one) => compare.withParent(one)) },
    { id: 'compare.next', group: 'Compare', title: 'Next change', keys: ['F7', 'Alt+F5'], when: comparing, run: () => compare.step(1) },
    { id: 'compare.previous', group: 'Compare', title: 'Previous change', keys: ['Shift+F7', 'Shift+Alt+F5'], when: comparing, run: () => compare.step(-1) },
    { id: 'compare.nextFile', group: 'Compare', title: 'Next compared file', when: comparing, run: () => compare.active?.stepFile(1) },
    { id: 'compare.previousFile', group: 'Compare', title: 'Previous compared file', when: comparing, run: () => compare.active?.stepFile(-1) },
    { id: 'compare.inline', group: 'Compare', title: 'Toggle inline view', words: 'diff unified', when: comparing, run: () => look.set({ inline: !look.inline }) },
    { id: 'compare.fold', group: 'Compare', title: 'Toggle collapse unchanged regions', words: 'diff collapse', when: comparing, run: () => look.set({ collapse: !look.collapse }) },
    { id: 'compare.spaces', group: 'Compare', title: 'Toggle ignore whitespace', words: 'diff whitespace ignore', when: comparing, run: () => look.set({ ignoreSpaces: !look.ignoreSpaces }) },
  ];
}
