import type { Command } from '$lib/commands';
import type { Studio } from '../studio.svelte';
import { compareCommands } from './compare';
import { dataCommands } from './data';
import { dspyCommands } from './dspy';
import { editorCommands } from './editor';
import { filesCommands } from './files';
import { goCommands } from './go';
import { libraryCommands } from './library';
import { pagesCommands } from './pages';
import { runsCommands } from './runs';
import { searchCommands } from './search';
import { skillsCommands } from './skills';
import { symbolsCommands } from './symbols';
import { treeCommands } from './tree';
import { viewCommands } from './view';
import { windowsCommands } from './windows';
import { workspaceCommands } from './workspace';

/** Every action of the window, by group. The palette, the key bindings, the menus and the settings page read this list. */
export function commandsOf(studio: Studio): Command[] {
  return [goCommands, symbolsCommands, filesCommands, treeCommands, editorCommands, skillsCommands, compareCommands, searchCommands, runsCommands, dspyCommands, libraryCommands, pagesCommands, workspaceCommands, windowsCommands, viewCommands, dataCommands].flatMap(
    (commands) => commands(studio),
  );
}
