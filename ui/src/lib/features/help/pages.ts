import type { Contributed } from '$lib/workbench/contribution';
import type { Services } from '$lib/workbench/services';
import { type GuidePage, guidePage } from './guide';

type Text = string | ((services: Services) => string);

/** A page of the guide, by its slug. Its text is Markdown that begins with "# Title"; it can be generated. */
export interface GuideSource extends Contributed {
  order: number;
  load: (services: Services) => Promise<{ default: Text }>;
}

export interface LoadedPage {
  slug: string;
  text: Text;
}

export function loadGuide(services: Services): Promise<readonly LoadedPage[]> {
  return Promise.all(services.contributions.of('guidePages').map(async ({ id, load }) => ({ slug: id, text: (await load(services)).default })));
}

export const pagesOf = (loaded: readonly LoadedPage[], services: Services): GuidePage[] =>
  loaded.map(({ slug, text }) => guidePage(slug, typeof text === 'string' ? text : text(services)));
