/** A hover or completion card: a name as code, a sentence, and further lines. */
export function card(title: string, about: string, facts: readonly string[] = []): HTMLElement {
  const box = document.createElement('div');
  box.className = 'help-card';
  const head = document.createElement('code');
  head.textContent = title;
  box.append(head);
  for (const text of [about, ...facts]) {
    if (text === '') continue;
    const line = document.createElement('p');
    line.textContent = text;
    box.append(line);
  }
  return box;
}
