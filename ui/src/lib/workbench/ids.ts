/**
 * Ids that features contribute, as "<point>:<id>". A feature declares its own beside its contribution (`declare module '$lib/workbench/ids'`),
 * so that a reference to an id that nobody contributes doesn't compile.
 */
export interface ContributedIds {
  /** The editors, with the sidebar and the inspector beside them. */
  'view:editor': true;
}

export type IdOf<Point extends string> = { [Key in keyof ContributedIds]: Key extends `${Point}:${infer Id}` ? Id : never }[keyof ContributedIds];

export type ViewId = IdOf<'view'>;
export type SidebarViewId = IdOf<'sidebar'>;
export type PanelTabId = IdOf<'panel'>;
export type InspectorTabId = IdOf<'inspector'>;
export type OverlayId = IdOf<'overlay'>;
