import { vitePreprocess } from '@sveltejs/vite-plugin-svelte';
import { drawnIcons } from './scripts/icons.js';

export default {
  preprocess: [drawnIcons(), vitePreprocess()],
  compilerOptions: { runes: true },
};
