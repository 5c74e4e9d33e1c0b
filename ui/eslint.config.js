import { readdirSync } from 'node:fs';
import js from '@eslint/js';
import { defineConfig } from 'eslint/config';
import { importX } from 'eslint-plugin-import-x';
import svelte from 'eslint-plugin-svelte';
import globals from 'globals';
import ts from 'typescript-eslint';
import layers from './scripts/lint-layers.js';
import svelteConfig from './svelte.config.js';

const features = readdirSync(new URL('./src/lib/features', import.meta.url), { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map((entry) => entry.name);

const tauri = { group: ['@tauri-apps/*'], message: 'only lib/platform talks to Tauri' };
const wire = { group: ['$lib/wire/*', '**/wire/types'], message: "import from '$lib/wire'" };

export default defineConfig(
  { ignores: ['dist/', 'node_modules/'] },
  js.configs.recommended,
  ts.configs.strictTypeChecked,
  ts.configs.stylisticTypeChecked,
  svelte.configs.recommended,
  {
    languageOptions: {
      globals: { ...globals.browser },
      parserOptions: {
        projectService: { allowDefaultProject: ['eslint.config.js', 'svelte.config.js', 'scripts/*.js'] },
        extraFileExtensions: ['.svelte'],
      },
    },
  },
  {
    files: ['**/*.svelte', '**/*.svelte.ts'],
    languageOptions: { parserOptions: { parser: ts.parser, svelteConfig } },
  },
  {
    files: ['**/*.js'],
    extends: [ts.configs.disableTypeChecked],
    languageOptions: { globals: { ...globals.node } },
  },
  {
    files: ['src/**/*.ts', 'src/**/*.svelte', 'tests/**/*.ts'],
    plugins: { 'import-x': importX, layers },
    rules: {
      'layers/no-cycle': 'error',
      'import-x/no-duplicates': ['error', { 'prefer-inline': true }],
      'no-restricted-imports': ['error', { patterns: [tauri, wire] }],
      '@typescript-eslint/no-explicit-any': 'error',
      '@typescript-eslint/consistent-type-imports': ['error', { fixStyle: 'inline-type-imports' }],
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
      '@typescript-eslint/no-confusing-void-expression': ['error', { ignoreArrowShorthand: true }],
      '@typescript-eslint/switch-exhaustiveness-check': ['error', { considerDefaultExhaustiveForUnions: true }],
      'no-console': 'error',
      eqeqeq: 'error',
      'max-lines': ['error', { max: 500 }],
    },
  },
  {
    files: ['src/**/*.svelte'],
    rules: {
      'max-lines': ['error', { max: 400 }],
      'svelte/no-at-html-tags': 'error',
      'svelte/button-has-type': 'error',
      'svelte/require-each-key': 'error',
      // Svelte's own compiler reports these better.
      'prefer-const': 'off',
      'svelte/prefer-const': 'error',
    },
  },
  {
    files: ['src/lib/platform/**'],
    rules: { 'no-restricted-imports': ['error', { patterns: [wire] }] },
  },
  {
    files: ['src/lib/wire/**'],
    rules: { 'no-restricted-imports': 'off', 'max-lines': 'off' },
  },
  // Lower layers don't know the upper ones.
  ...['platform', 'wire', 'api', 'commands', 'domain', 'components'].map((layer) => ({
    files: [`src/lib/${layer}/**`],
    rules: {
      'layers/no-upward': ['error', { forbidden: ['src/lib/features', 'src/views'] }],
    },
  })),
  {
    files: ['src/lib/components/**'],
    rules: {
      'layers/no-upward': ['error', { forbidden: ['src/lib/features', 'src/views', 'src/lib/domain', 'src/lib/api'] }],
    },
  },
  ...features.map((feature) => ({
    files: [`src/lib/features/${feature}/**`],
    rules: {
      'layers/no-upward': [
        'error',
        {
          forbidden: ['src/views', ...features.filter((other) => other !== feature).map((f) => `src/lib/features/${f}`)],
        },
      ],
    },
  })),
);
