import { fileURLToPath } from 'node:url';
import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig } from 'vite';

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

export default defineConfig({
  root: here('.'),
  base: './',
  plugins: [svelte({ configFile: here('../../svelte.config.js') })],
  resolve: { alias: { $lib: here('../../src/lib') } },
  server: { port: 5180, strictPort: true, host: '127.0.0.1', fs: { allow: [here('../..')] } },
  build: { outDir: '/tmp/inklings-ui-harness', emptyOutDir: true, assetsInlineLimit: 0, modulePreload: { polyfill: false } },
  preview: { port: 5181, strictPort: true, host: '127.0.0.1' },
});
