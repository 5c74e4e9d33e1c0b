import { type Grid, groupsOf, moveSeam, putBeside, type Seam, seamsOf, type Side, without } from './grid';
import { MAX_GROUPS } from './storedTabs';
import { TabGroup } from './tabGroup.svelte';

/** Where the groups are in the editor area. */
class GroupLayout {
  grid = $state.raw<Grid>('');
  readonly #onChange: () => void;

  constructor(onChange: () => void) {
    this.#onChange = onChange;
  }

  /** Whether editors are beside each other. */
  get hasColumns(): boolean {
    return seamsOf(this.grid).some((seam) => seam.direction === 'row');
  }

  resize(seam: Seam, share: number): void {
    this.grid = moveSeam(this.grid, seam, share);
    this.#onChange();
  }
}

interface Events {
  /** A group shows another tab, or has the focus. */
  onShow: (group: TabGroup) => void;
  onResize: () => void;
}

/** The groups of tabs, of which there is always one. A file can be open in several of them. */
export class EditorGroups {
  readonly layout: GroupLayout;
  /** In reading order. */
  list = $state.raw<readonly TabGroup[]>([new TabGroup()]);
  #activeId = $state('');
  /** The group that commands apply to. */
  readonly active = $derived(this.list.find((group) => group.id === this.#activeId) ?? first(this.list));
  /** The tabs of all groups. */
  readonly tabs = $derived(this.list.flatMap((group) => group.tabs.list));
  readonly #onShow: (group: TabGroup) => void;

  constructor({ onShow, onResize }: Events) {
    this.#onShow = onShow;
    this.layout = new GroupLayout(onResize);
    this.layout.grid = this.#activeId = this.active.id;
  }

  get hasRoom(): boolean {
    return this.list.length < MAX_GROUPS;
  }

  of(tabId: string): TabGroup | undefined {
    return this.list.find((group) => group.tabs.get(tabId));
  }

  /** Makes a group and one of its tabs active. */
  show(group: TabGroup, tabId = group.activeId, focus = true): void {
    this.#activeId = group.id;
    if (tabId === null) return;
    group.show(tabId);
    if (focus) group.focusRequest.send();
    this.#onShow(group);
  }

  activate(tabId: string, focus = true): void {
    const group = this.of(tabId);
    if (group) this.show(group, tabId, focus);
  }

  addBeside(neighbor: TabGroup, side: Side): TabGroup {
    const group = new TabGroup();
    const { layout } = this;
    layout.grid = putBeside(layout.grid, neighbor.id, side, group.id);
    this.list = inOrder([...this.list, group], layout.grid);
    return group;
  }

  /** Removes a group without tabs, unless it is the last one. */
  dropEmpty(group: TabGroup): void {
    if (group.tabs.list.length > 0 || this.list.length === 1) return;
    const at = this.list.indexOf(group);
    const next = this.list[at - 1] ?? this.list[at + 1];
    const grid = without(this.layout.grid, group.id);
    if (!next || grid === null) return;
    if (this.active === group) this.#activeId = next.id;
    this.layout.grid = grid;
    this.list = inOrder(this.list, grid);
  }

  replaceAll(groups: readonly TabGroup[], grid: Grid, active?: TabGroup): void {
    [this.list, this.layout.grid, this.#activeId] = [groups, grid, active?.id ?? ''];
  }
}

function first(groups: readonly TabGroup[]): TabGroup {
  const [group] = groups;
  if (!group) throw new Error('there is always a group');
  return group;
}

const inOrder = (groups: readonly TabGroup[], grid: Grid): TabGroup[] => groupsOf(grid).flatMap((id) => groups.find((group) => group.id === id) ?? []);
