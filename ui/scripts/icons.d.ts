import type { PreprocessorGroup } from 'svelte/compiler';

export declare const ASKED: readonly string[];
export declare function drawnIcons(): PreprocessorGroup;
