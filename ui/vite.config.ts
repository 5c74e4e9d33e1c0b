import { fileURLToPath } from 'node:url';
import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig } from 'vitest/config';

// Dates are written in the language of the process; the workers of tests take it from here.
if (process.env['VITEST']) process.env['LC_ALL'] = 'en_US.UTF-8';

const lib = fileURLToPath(new URL('./src/lib', import.meta.url));

export default defineConfig({
  base: './',
  plugins: [svelte()],
  resolve: {
    alias: { $lib: lib },
    ...(process.env['VITEST'] ? { conditions: ['browser'] } : {}),
  },
  // Workers load what they need when they need it, as the window does.
  worker: { format: 'es' },
  clearScreen: false,
  server: { port: 5173, strictPort: true, host: '127.0.0.1' },
  build: {
    outDir: 'dist',
    target: ['es2022', 'safari16.4'],
    manifest: true,
    // The content-security policy allows scripts and fonts from the app itself only: nothing is inlined. Tauri's hashes of all scripts aren't added
    // to it (`dangerousDisableAssetCspModification`), since the policy allows nothing else anyway.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 600,
    // The window starts with one script and one style sheet: each further file is a round trip before anything is drawn.
    rolldownOptions: { output: { codeSplitting: { groups: [{ name: 'start', tags: ['$initial'] }] } } },
  },
  test: {
    include: ['src/**/*.test.ts', 'tests/**/*.test.ts'],
    environment: fileURLToPath(new URL('./tests/environment.ts', import.meta.url)),
    restoreMocks: true,
    // A busy machine compiles a module that a test loads for longer than the usual 5 s; what hangs still ends.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    css: { include: [/lib\/styles\//] },
  },
});
