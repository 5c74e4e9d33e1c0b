import js from '@eslint/js';
import { defineConfig } from 'eslint/config';
import svelte from 'eslint-plugin-svelte';
import globals from 'globals';
import ts from 'typescript-eslint';
import classes from './scripts/lint-classes.js';
import layers from './scripts/lint-layers.js';
import testids from './scripts/lint-testids.js';
import svelteConfig from './svelte.config.js';

const tauri = { group: ['@tauri-apps/*'], message: 'only lib/platform talks to Tauri' };
const generated = { group: ['$lib/api/generated/*', '**/generated/types'], message: "import from '$lib/api/generated'" };

export default defineConfig(
  { ignores: ['dist/', 'node_modules/', '.svelte-check/', 'src/lib/api/generated/types.ts'] },
  js.configs.recommended,
  ts.configs.strict,
  ts.configs.stylistic,
  svelte.configs.recommended,
  {
    languageOptions: {
      globals: { ...globals.browser },
    },
  },
  {
    files: ['**/*.svelte', '**/*.svelte.ts'],
    languageOptions: { parserOptions: { parser: ts.parser, svelteConfig } },
    rules: {
      // Most collections of a controller aren't shown; those that are use SvelteMap and SvelteSet.
      'svelte/prefer-svelte-reactivity': 'off',
    },
  },
  {
    files: ['**/*.js', '**/*.mjs'],
    languageOptions: { globals: { ...globals.node } },
  },
  {
    files: ['src/**/*.ts', 'src/**/*.svelte', 'tests/**/*.ts'],
    plugins: { layers },
    rules: {
      'layers/no-cycle': 'error',
      'no-duplicate-imports': 'error',
      'no-restricted-imports': ['error', { patterns: [tauri, generated] }],
      '@typescript-eslint/no-explicit-any': 'error',
      '@typescript-eslint/consistent-type-imports': ['error', { fixStyle: 'inline-type-imports' }],
      'no-console': 'error',
      eqeqeq: ['error', 'smart'],
      'max-lines': ['error', { max: 500 }],
    },
  },
  {
    files: ['src/**/*.ts', 'src/**/*.svelte'],
    ignores: ['**/*.test.ts'],
    plugins: { classes, testids },
    rules: { 'classes/max-public-members': ['error', { max: 12 }], 'testids/no-testids': 'error' },
  },
  {
    files: ['src/**/*.svelte'],
    rules: {
      'max-lines': ['error', { max: 400 }],
      'svelte/no-at-html-tags': 'error',
      'svelte/button-has-type': 'error',
      'svelte/require-each-key': 'error',
      // Generated parts of components break the rule that knows types (`.oxlintrc.components.json`).
      'require-await': 'error',
      // Svelte's own compiler reports these better.
      'prefer-const': 'off',
      'svelte/prefer-const': 'error',
    },
  },
  {
    files: ['src/lib/platform/**'],
    rules: { 'no-restricted-imports': ['error', { patterns: [generated] }] },
  },
  {
    files: ['src/lib/api/generated/**'],
    rules: { 'no-restricted-imports': 'off', 'max-lines': 'off' },
  },
  // Lower layers don't know the upper ones.
  ...['platform', 'api', 'commands', 'domain', 'components', 'ui'].map((layer) => ({
    files: [`src/lib/${layer}/**`],
    rules: {
      'layers/no-upward': ['error', { forbidden: ['src/lib/features', 'src/lib/workbench', 'src/lib/app'] }],
    },
  })),
  {
    files: ['src/lib/components/**'],
    rules: {
      'layers/no-upward': ['error', { forbidden: ['src/lib/features', 'src/lib/workbench', 'src/lib/app', 'src/lib/domain', 'src/lib/api', 'src/lib/ui'] }],
    },
  },
  {
    files: ['src/lib/domain/**'],
    rules: {
      'layers/no-upward': ['error', { forbidden: ['src/lib/features', 'src/lib/workbench', 'src/lib/app', 'src/lib/components', 'src/lib/ui'] }],
    },
  },
  {
    files: ['src/lib/features/**'],
    ignores: ['**/*.test.ts'],
    rules: { 'layers/by-index': 'error' },
  },
);
