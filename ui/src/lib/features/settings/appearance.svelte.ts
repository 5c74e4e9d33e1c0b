import type { Services } from '$lib/workbench/services';

/** Applies theme and sizes to the document until the returned function is called. */
export function showAppearance({ preferences, theme }: Pick<Services, 'preferences' | 'theme'>): () => void {
  return $effect.root(() => {
    $effect(() => {
      document.documentElement.dataset['theme'] = theme.shown;
      try {
        // The next start uses this until the settings are loaded.
        localStorage.setItem('theme', theme.shown);
      } catch {
        // Without storage the window starts light.
      }
    });

    $effect(() => {
      const { style } = document.documentElement;
      const { codeFont, codeSize, hasLigatures, tabSize } = preferences;
      if (codeFont === '') style.removeProperty('--font-editor');
      else style.setProperty('--font-editor', `"${codeFont}", var(--font-code)`);
      style.setProperty('--code-ligatures', hasLigatures ? 'normal' : 'none');
      style.setProperty('--code-size', `${codeSize}px`);
      style.setProperty('--code-line', `${codeSize <= 13 ? codeSize + 7 : Math.round(codeSize * 1.5)}px`);
      style.setProperty('--code-tab', String(tabSize));
    });
  });
}
