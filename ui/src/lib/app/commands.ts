import type { Command } from '$lib/commands';
import type { Studio } from './studio.svelte';
import { compareCommands } from '$lib/features/compare/commands';
import { dataCommands } from '$lib/features/databases/commands';
import { dspyCommands } from '$lib/features/programs/commands';
import { editorCommands } from '$lib/features/editor/commands';
import { filesCommands } from '$lib/features/files/commands';
import { goCommands } from '$lib/features/palette/commands';
import { libraryCommands } from '$lib/features/library/commands';
import { pagesCommands } from '$lib/features/pages/commands';
import { runsCommands } from '$lib/features/runs/commands';
import { searchCommands } from '$lib/features/search/commands';
import { skillsCommands } from '$lib/features/skills/commands';
import { symbolsCommands } from '$lib/features/symbols/commands';
import { treeCommands } from '$lib/features/tree/commands';
import { viewCommands } from './viewCommands';
import { windowsCommands } from '$lib/features/windows/commands';
import { workspaceCommands } from '$lib/features/workspace/commands';

/** Every action of the window, by group. The palette, the key bindings, the menus and the settings page read this list. */
export function commandsOf(studio: Studio): Command[] {
  return [goCommands, symbolsCommands, filesCommands, treeCommands, editorCommands, skillsCommands, compareCommands, searchCommands, runsCommands, dspyCommands, libraryCommands, pagesCommands, workspaceCommands, windowsCommands, viewCommands, dataCommands].flatMap(
    (commands) => commands(studio),
  );
}
