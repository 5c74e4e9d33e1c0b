import { Comparison } from '$lib/features/editor';
import type { Services } from '$lib/workbench/services';
import { alone, textOf, titled } from './compareController.svelte';

interface LabeledText {
  label: string;
  text: string;
}

export interface TwoLabeledTexts {
  /** Equal for comparisons of the same texts, which share a tab. */
  id: string;
  name: string;
  note: string;
  left: LabeledText;
  right: LabeledText;
}

/** Opens a comparison of two texts that aren't files. */
export function compareTexts({ compare, layout, tabs }: Pick<Services, 'compare' | 'layout' | 'tabs'>, { id, name, note, left, right }: TwoLabeledTexts): void {
  const comparison = new Comparison(compare.options, {
    id,
    ...titled(name, note),
    leftLabel: left.label,
    rightLabel: right.label,
    ...alone('text.md', () => Promise.resolve({ left: textOf(left.text), right: textOf(right.text) })),
  });
  layout.view = 'editor';
  tabs.openComparison(comparison);
  void comparison.load();
}
