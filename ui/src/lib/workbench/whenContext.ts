import type { Brief } from '$lib/api';
import type { Studio } from '$lib/app/studio.svelte';

/** Where someone is in the window, as the commands ask for it. */
export function placeOf(studio: Studio) {
  const { tabs, layout } = studio;
  const inStudio = (): boolean => layout.view === 'studio';
  const skill = (): Brief | null => studio.skill;
  const hasSkill = (): boolean => inStudio() && skill() !== null;
  return {
    inStudio,
    skill,
    hasSkill,
    hasTab: (): boolean => inStudio() && tabs.activeId !== null,
    hasText: (): boolean => inStudio() && tabs.document?.saved != null,
    isDirty: (): boolean => tabs.document?.dirty === true,
    canEdit: (): boolean => hasSkill() && skill()?.locked === false,
    withSkill: (run: (one: Brief) => unknown) => (): unknown => {
      const one = skill();
      return one ? run(one) : undefined;
    },
  };
}
