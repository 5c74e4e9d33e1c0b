import type { OperationName } from '$lib/api/generated';

type ToolName = OperationName extends infer Name ? (Name extends `tool/${infer Tool}` ? Tool : never) : never;

/** Names that other systems have for some of these tools. What is allowed by one name is allowed by the other. */
type OtherName = 'load_skill' | 'load_instructions' | 'skill_read' | 'skill_write';

/** What each tool lets a model do, in the order of the list. */
const LABELS: Record<Exclude<ToolName, OtherName>, string> = {
  list_skills: 'List skills',
  read_skill: 'Read skills',
  view_skill_artifact: 'Read files of skills',
  run_skill: 'Run skills',
  execute_plugin_script: 'Run script files of skills',
  propose_skill: 'Propose skills',
  create_skill: 'Create skills',
  update_skill: 'Change skills',
  enable_skill: 'Enable skills',
  disable_skill: 'Disable skills',
  delete_skill: 'Delete skills',
  workspace_search: 'Search pages',
  get_page: 'Read pages',
  edit_system_prompt: 'Change notes',
};

export const TOOLS: readonly { name: string; label: string }[] = Object.entries(LABELS).map(([name, label]) => ({ name, label }));
