import type { Side } from './grid';
import type { TabTarget } from './tabArrangement';
import type { TabGroup } from './tabGroup.svelte';
import type { Tab } from './tabList.svelte';

/** The current drop target. */
export type TabDropTarget = { kind: 'tabs'; group: string; index: number } | { kind: 'center'; group: string } | { kind: 'side'; group: string; side: Side };

interface Ports {
  group: (id: string) => TabGroup | undefined;
  move: (tab: string, target: TabTarget, copy: boolean) => void;
  maySplit: (tab: Tab, beside: TabGroup, copy: boolean) => boolean;
}

/** Pointer movement in pixels that starts a drag. */
const THRESHOLD = 5;
/** Distance to an edge of an editor within which a drop splits it. */
const EDGE = 0.25;
const SCROLL = { within: 32, by: 12 };

/** Drags a tab with the pointer. */
export class TabDrag {
  tab = $state.raw<Tab | null>(null);
  at = $state.raw({ x: 0, y: 0 });
  target = $state.raw<TabDropTarget | null>(null);
  copying = $state(false);
  readonly #ports: Ports;
  #from: { tab: Tab; x: number; y: number; pointer: number } | null = null;

  constructor(ports: Ports) {
    this.#ports = ports;
  }

  begin(tab: Tab, event: PointerEvent & { currentTarget: HTMLElement }): void {
    if (event.button !== 0) return;
    this.#from = { tab, x: event.clientX, y: event.clientY, pointer: event.pointerId };
    // This tab gets the events of the pointer during the drag.
    event.currentTarget.setPointerCapture(event.pointerId);
  }

  move(event: PointerEvent): void {
    const from = this.#from;
    if (from?.pointer !== event.pointerId) return;
    if (!this.tab) {
      if (Math.hypot(event.clientX - from.x, event.clientY - from.y) < THRESHOLD) return;
      this.tab = from.tab;
    }
    this.at = { x: event.clientX, y: event.clientY };
    this.copying = event.ctrlKey;
    this.target = this.#targetAt(event.clientX, event.clientY);
  }

  /** True if a tab was dragged, so that the following click is ignored. */
  end(event: PointerEvent): boolean {
    const { tab, target, copying } = this;
    const dragged = tab !== null && this.#from?.pointer === event.pointerId;
    this.cancel();
    if (!dragged || !target) return dragged;
    const group = this.#ports.group(target.group);
    if (!group) return true;
    if (target.kind === 'side') this.#ports.move(tab.id, { beside: group, side: target.side }, copying);
    else if (target.kind === 'tabs') this.#ports.move(tab.id, { group, index: this.#indexFor(tab, group, target.index) }, copying);
    else this.#ports.move(tab.id, { group }, copying);
    return true;
  }

  cancel(): void {
    this.#from = null;
    this.tab = null;
    this.target = null;
  }

  /** Tabs after the dragged one move up by one index when it is removed. */
  #indexFor(tab: Tab, group: TabGroup, index: number): number {
    const own = group.tabs.indexOf(tab.id);
    return own >= 0 && own < index ? index - 1 : index;
  }

  #targetAt(x: number, y: number): TabDropTarget | null {
    const over = document.elementFromPoint(x, y);
    const pane = over?.closest<HTMLElement>('[data-group]');
    const group = pane?.dataset['group'];
    if (!pane || group === undefined) return null;
    const bar = over?.closest<HTMLElement>('[role=tablist]');
    if (bar) {
      const box = bar.getBoundingClientRect();
      if (x < box.left + SCROLL.within) bar.scrollLeft -= SCROLL.by;
      else if (x > box.right - SCROLL.within) bar.scrollLeft += SCROLL.by;
      return { kind: 'tabs', group, index: indexAt(bar, x) };
    }
    const box = pane.getBoundingClientRect();
    const side = sideAt((x - box.left) / box.width, (y - box.top) / box.height);
    const beside = this.#ports.group(group);
    if (side && this.tab && beside && this.#ports.maySplit(this.tab, beside, this.copying)) return { kind: 'side', group, side };
    return { kind: 'center', group };
  }
}

function indexAt(bar: HTMLElement, x: number): number {
  const tabs = [...bar.querySelectorAll<HTMLElement>('[role=tab]')];
  const before = tabs.filter((tab) => {
    const box = tab.getBoundingClientRect();
    return x > box.left + box.width / 2;
  });
  return before.length;
}

/** The edge near a point, in fractions of the pane. */
export function sideAt(x: number, y: number): Side | null {
  const edges: [Side, number][] = [['left', x], ['right', 1 - x], ['up', y], ['down', 1 - y]];
  edges.sort((a, b) => a[1] - b[1]);
  const [nearest] = edges;
  return nearest && nearest[1] < EDGE ? nearest[0] : null;
}
