// Deleted skills of the in-memory core.
import type { OutputOf, ParamsOf, Skill, SkillDetail } from '$lib/api/generated';
import { fileOf } from './history';
import { fail, type FakeStore, type FakeSkill } from './store';

export class FakeDeleted {
  readonly #store: FakeStore;
  readonly #detail: (skill: FakeSkill) => SkillDetail;

  constructor(store: FakeStore, detail: (skill: FakeSkill) => SkillDetail) {
    this.#store = store;
    this.#detail = detail;
  }

  remove(skill: FakeSkill): OutputOf<'skill/delete'> {
    const { id, scope, slug, revision } = skill.summary;
    skill.deleted = true;
    queueMicrotask(() => this.#store.emit('skill', [id], scope, 'window'));
    return { id, scope, slug, revision };
  }

  list(): Skill.DeletedList {
    const all = this.#store.skills.filter(({ deleted }) => deleted);
    return { skills: all.map(({ summary: { id, scope, slug, name, updated_at } }) => ({ id, scope, slug, name, deleted_at: updated_at, actor: 'local' })) };
  }

  content({ id }: ParamsOf<'skill/deleted_files'>): Skill.DeletedContent {
    const skill = this.#find(id);
    const { scope, slug, name, description } = skill.summary;
    return { id, scope, slug, name, description, entries: this.#detail(skill).entries };
  }

  file({ id, path }: ParamsOf<'skill/deleted_file'>): OutputOf<'skill/deleted_file'> {
    return fileOf(this.#find(id).files.get(path));
  }

  restore({ id }: ParamsOf<'skill/restore'>): SkillDetail {
    const skill = this.#find(id);
    skill.deleted = false;
    queueMicrotask(() => this.#store.emit('skill', [id], skill.summary.scope, 'window'));
    return this.#detail(skill);
  }

  #find(id: string): FakeSkill {
    const skill = this.#store.skills.find(({ summary, deleted }) => deleted && summary.id === id);
    if (!skill) throw fail('notFound', `no deleted skill ${id}`);
    return skill;
  }
}
