import type { ModelRef, Params, Scope } from '$lib/api/generated';
import type { Services } from '$lib/workbench/services';

/** A run that can be saved as an action. */
export interface RunSource {
  /** Slug. */
  skill: string;
  /** Title. */
  name: string;
  /** Null for the skill that this slug means in each workspace. */
  scope: Scope | null;
  artifact: string | null;
  params: Params;
  /** Null for the default model. */
  model: ModelRef | null;
  /** Required inputs without a value. */
  blank: readonly string[];
}

type Needs = Pick<Services, 'catalog' | 'context' | 'playground' | 'runView'>;

export const hasRunSource = ({ context, playground, runView }: Needs): boolean => playground.active !== null || (context.inEditor() && runView.target !== null);

/** What the open playground or the run panel would run. A playground’s model and variant are those of its first selected column, or its first one. */
export async function runSource({ catalog, playground, runView }: Needs): Promise<RunSource | null> {
  const { active } = playground;
  const { target } = runView;
  if (active) await active.planForm.form.ready;
  const fields = active ? active.planForm.form.fields : await runView.inputs();
  const column = active?.columns.list.find((one) => active.columns.isMarked(one)) ?? active?.columns.list[0];
  const from = active ? { ...active.target, artifact: column?.spec.artifact ?? active.target.path } : target;
  const skill = from && catalog.summary({ scope: from.scope, id: from.skillId });
  if (!from || !skill) return null;
  return {
    skill: skill.slug,
    name: skill.name,
    scope: skill.shadowed ? skill.scope : null,
    artifact: from.artifact,
    params: fields.params(),
    model: column?.spec.model ?? null,
    blank: [...fields.blank, ...fields.broken],
  };
}
