// Finding skills and files by their names, as the core ranks them.
import { matchText } from '$lib/domain';
import type { Files, OutputOf, ParamsOf, Skill } from '$lib/api/generated';
import type { FakeSkill } from './store';

export function findNames(skills: readonly FakeSkill[], summaryOf: (skill: FakeSkill) => Skill.SkillSummary, { query, limit, recent = [] }: ParamsOf<'file/find'>): OutputOf<'file/find'> {
  const found: { one: Files.NameMatch; score: number }[] = [];
  for (const skill of skills) {
    const { id, scope, slug, name, shadowed } = summaryOf(skill);
    if (shadowed && query === '') continue;
    const base = { id, scope, slug, name };
    const less = shadowed ? 30 : 0;
    const first = [name, slug].map((text) => ({ text, match: matchText(query, text) })).find(({ match }) => match);
    if (first?.match) found.push({ one: { ...base, path: null, kind: null, text: first.text, at: first.match.at }, score: first.match.score + 4 - less });
    for (const [path, file] of skill.files) {
      const place = recent.findIndex((one) => one.skill === id && one.scope === scope && one.path === path);
      if (query === '' && place < 0) continue;
      const hit = [path, `${slug}/${path}`].map((text) => ({ text, match: matchText(query, text) })).find(({ match }) => match);
      if (!hit?.match) continue;
      const lately = place < 0 ? 0 : 31 - place + (query === '' ? 4 : 0);
      found.push({ one: { ...base, path, kind: file.kind ?? null, text: hit.text, at: hit.match.at }, score: hit.match.score + lately - less });
    }
  }
  found.sort((a, b) => b.score - a.score);
  const most = limit ?? 50;
  return { found: found.slice(0, most).map(({ one }) => one), more: found.length > most };
}
