import type { Component } from 'svelte';
import type { SkillKey } from '$lib/api';
import type { Contributed } from '$lib/workbench/contribution';
import type { Services } from '$lib/workbench/services';

/** A section of the page of a skill, below those of the library. */
export interface SkillSection extends Contributed {
  label: string;
  load: () => Promise<{ default: Component<{ services: Services; skill: SkillKey }> }>;
}
