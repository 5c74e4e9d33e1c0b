import { extensionOf, plural } from '$lib/domain';
import type { DropTarget } from '$lib/features/actions';
import type { DropEvent } from '$lib/platform';
import type { Path } from '$lib/api/generated';
import type { Services } from '$lib/workbench/services';
import { refuseLocked } from './lockedSkills';

type Needs = Pick<Services, 'actions' | 'client' | 'context' | 'importer' | 'notifications' | 'platform' | 'toasts' | 'tree' | 'windows'>;

const contains = ({ left, right, top, bottom }: DOMRect, x: number, y: number): boolean => x >= left && x < right && y >= top && y < bottom;

const PACKAGE_EXTENSIONS = ['skill', 'zip', 'json', 'md'];

/** A part of the window that takes what is dropped on it. */
export interface DropZone {
  element: Element;
  /** Called when the files come over it, and when they leave it or are dropped. */
  hover: (over: boolean) => void;
  drop: (paths: readonly string[]) => void;
}

/** Files and folders of the desktop that are dropped on the window. */
export class DesktopDrop {
  readonly #zones = new Set<DropZone>();
  #hovered: DropZone | null = null;
  readonly #services: Needs;

  constructor(services: Needs) {
    this.#services = services;
  }

  /** Returns a function that removes it. */
  addZone(zone: DropZone): () => void {
    this.#zones.add(zone);
    return () => {
      this.#zones.delete(zone);
      if (this.#hovered === zone) this.#hovered = null;
    };
  }

  /** Accepts drops until the returned function is called, except while a dialog is open. */
  async watch(isCovered: () => boolean): Promise<() => void> {
    const noop = (): void => undefined;
    try {
      return (await this.#services.platform.onDrop?.((event) => this.#fromDesktop(isCovered() ? { kind: 'leave' } : event))) ?? noop;
    } catch (cause) {
      this.#services.notifications.report('Couldn’t set up drag and drop', cause);
      return noop;
    }
  }

  #fromDesktop(event: DropEvent): void {
    const { drag, rowAt } = this.#services.tree;
    if (event.kind === 'leave') {
      drag.cancel();
      this.#hover(null);
      return;
    }
    const zoom = this.#services.windows.zoom.level;
    const [x, y] = [event.x / zoom, event.y / zoom];
    const zone = [...this.#zones].find(({ element }) => contains(element.getBoundingClientRect(), x, y)) ?? null;
    this.#hover(event.kind === 'over' ? zone : null);
    if (zone) {
      drag.cancel();
      if (event.kind === 'drop') zone.drop(event.paths);
      return;
    }
    drag.hoverOutside(x, y, rowAt(x, y));
    if (event.kind === 'over') return;
    const { over } = drag;
    const target: DropTarget | null = over?.kind === 'section' ? { kind: 'scope', scope: over.scope } : drag.target;
    drag.cancel();
    void this.add(event.paths, target);
  }

  #hover(zone: DropZone | null): void {
    if (zone === this.#hovered) return;
    this.#hovered?.hover(false);
    this.#hovered = zone;
    zone?.hover(true);
  }

  /** `target` is null if they weren’t dropped on a row. */
  async add(paths: readonly string[], target: DropTarget | null): Promise<void> {
    const { client, actions, importer, toasts, context, notifications } = this.#services;
    try {
      const { items } = await client.call('path/status', { paths: [...paths] });
      // A package is a skill, unless it is dropped on a skill, to which it is added as a file.
      const isSkill = ({ kind, path }: Path.PathStatus): boolean => kind === 'skill' || kind === 'skills' || (kind === 'file' && target?.kind !== 'folder' && PACKAGE_EXTENSIONS.includes(extensionOf(path)));
      const skills = items.filter(isSkill).map((item) => item.path);
      const rest = items.filter((item) => (item.kind === 'file' || item.kind === 'folder') && !isSkill(item)).map((item) => item.path);
      const missing = items.find((item) => item.kind === 'missing');
      if (missing) notifications.report(`Couldn’t add ${missing.path}`, { code: 'notFound', message: 'it can’t be read' });
      if (rest.length > 0 && target?.kind === 'folder') {
        if (!refuseLocked(this.#services, [target.skill])) await actions.structure.add(rest, target.skill, target.folder);
      } else if (rest.length > 0) {
        toasts.show(rest.length === 1 ? 'This isn’t a skill' : `${plural(rest.length, 'item')} aren’t skills`, {
          tone: 'warn',
          hint: 'Drop files on a skill or folder in the tree. Skill folders and packages can be dropped anywhere.',
        });
      }
      if (skills.length > 0) void importer.start(skills, target?.kind === 'folder' ? target.skill.scope : target?.scope ?? context.defaultScope);
    } catch (cause) {
      notifications.report('Couldn’t add the dropped files', cause);
    }
  }
}
