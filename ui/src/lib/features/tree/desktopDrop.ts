import { extensionOf, plural } from '$lib/domain';
import type { DropTarget } from '$lib/features/actions';
import type { DropEvent } from '$lib/platform';
import type { Path } from '$lib/api/generated';
import type { Services } from '$lib/workbench/services';
import { refuseLocked } from './lockedSkills';

type Needs = Pick<Services, 'actions' | 'client' | 'context' | 'importer' | 'notifications' | 'platform' | 'toasts' | 'tree' | 'windows'>;

const PACKAGE_EXTENSIONS = ['skill', 'zip', 'json', 'md'];

/** Files and folders of the desktop that are dropped on the window. */
export class DesktopDrop {
  readonly #services: Needs;

  constructor(services: Needs) {
    this.#services = services;
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
      return;
    }
    const zoom = this.#services.windows.zoom.level;
    const [x, y] = [event.x / zoom, event.y / zoom];
    drag.hoverOutside(x, y, rowAt(x, y));
    if (event.kind === 'over') return;
    const { over } = drag;
    const target: DropTarget | null = over?.kind === 'section' ? { kind: 'scope', scope: over.scope } : drag.target;
    drag.cancel();
    void this.add(event.paths, target);
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
