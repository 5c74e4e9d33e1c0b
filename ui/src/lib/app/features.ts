import { access } from '$lib/features/access/contribution';
import { actions } from '$lib/features/actions/contribution';
import { agents } from '$lib/features/agents/contribution';
import { chat } from '$lib/features/chat/contribution';
import { compare } from '$lib/features/compare/contribution';
import { databases } from '$lib/features/databases/contribution';
import { editor } from '$lib/features/editor/contribution';
import { evals } from '$lib/features/evals/contribution';
import { external } from '$lib/features/external/contribution';
import { files } from '$lib/features/files/contribution';
import { help } from '$lib/features/help/contribution';
import { inspector } from '$lib/features/inspector/contribution';
import { keys } from '$lib/features/keys/contribution';
import { library } from '$lib/features/library/contribution';
import { links } from '$lib/features/links/contribution';
import { logs } from '$lib/features/logs/contribution';
import { manifest } from '$lib/features/manifest/contribution';
import { marketplace } from '$lib/features/marketplace/contribution';
import { models } from '$lib/features/models/contribution';
import { pages } from '$lib/features/pages/contribution';
import { palette } from '$lib/features/palette/contribution';
import { playground } from '$lib/features/playground/contribution';
import { problems } from '$lib/features/problems/contribution';
import { programs } from '$lib/features/programs/contribution';
import { proposals } from '$lib/features/proposals/contribution';
import { publishing } from '$lib/features/publishing/contribution';
import { run } from '$lib/features/run/contribution';
import { runs } from '$lib/features/runs/contribution';
import { savedActions } from '$lib/features/savedActions/contribution';
import { scripts } from '$lib/features/scripts/contribution';
import { search } from '$lib/features/search/contribution';
import { settings } from '$lib/features/settings/contribution';
import { skills } from '$lib/features/skills/contribution';
import { start } from '$lib/features/start/contribution';
import { symbols } from '$lib/features/symbols/contribution';
import { targets } from '$lib/features/targets/contribution';
import { tasks } from '$lib/features/tasks/contribution';
import { tree } from '$lib/features/tree/contribution';
import { tryMessage } from '$lib/features/tryMessage/contribution';
import { windows } from '$lib/features/windows/contribution';
import { workspace } from '$lib/features/workspace/contribution';
import type { Contribution } from '$lib/workbench/contribution';
import { workbench } from './workbench';

/** In the order in which the palette lists their commands. */
export const FEATURES: readonly Contribution[] = [
  palette,
  symbols,
  files,
  tree,
  editor,
  skills,
  manifest,
  compare,
  search,
  runs,
  run,
  playground,
  savedActions,
  evals,
  programs,
  proposals,
  library,
  marketplace,
  publishing,
  chat,
  agents,
  tryMessage,
  pages,
  workspace,
  models,
  windows,
  workbench,
  databases,
  external,
  access,
  actions,
  help,
  inspector,
  keys,
  links,
  logs,
  problems,
  scripts,
  settings,
  start,
  targets,
  tasks,
];
