import type { Chat } from '$lib/api/generated';

type ToolStep = Extract<Chat.ChatStep, { kind: 'tool' }>;

const text = (value: unknown): string => (typeof value === 'string' ? value : '');

/** What a call does, in a few words. Names that a model made up are shown as they are. */
export function toolLabel({ name, arguments: args }: Chat.ToolCall): string {
  const skill = text(args['name']) || text(args['skill']) || text(args['slug']);
  switch (name) {
    case 'read_skill':
    case 'load_skill':
    case 'loadSkill':
      return `Read the skill ${skill}`;
    case 'view_skill_artifact':
      return args['path'] ? `Read ${text(args['path'])} of ${skill}` : `List the files of ${skill}`;
    case 'execute_plugin_script':
      return `Run ${text(args['path'])} of ${skill}`;
    case 'list_skills':
      return 'List the skills';
    case 'skill_read':
      return skill ? `Read the skill ${skill}` : 'List the skills';
    case 'skill_write':
      return writeLabel(text(args['operation']), skill, args);
    case 'workspace_search':
      return `Search pages for “${text(args['query'])}”`;
    case 'get_page':
      return `Read the page ${text(args['slug'])}`;
    case 'create_skill':
      return `Create the skill ${skill}`;
    case 'update_skill':
      return `Change the skill ${skill}`;
    case 'delete_skill':
      return `Delete the skill ${skill}`;
    case 'enable_skill':
      return `Enable the skill ${skill}`;
    case 'disable_skill':
      return `Disable the skill ${skill}`;
    case 'run_skill':
      return `Run the skill ${skill}`;
    case 'propose_skill':
      return `Propose the skill ${skill}`;
    case 'edit_system_prompt':
      return 'Change the notes';
    default:
      return `Call ${name}`;
  }
}

function writeLabel(operation: string, skill: string, args: Chat.ToolCall['arguments']): string {
  switch (operation) {
    case 'create':
      return `Create the skill ${skill}`;
    case 'update':
      return `Change the skill ${skill}`;
    case 'delete':
      return `Delete the skill ${skill}`;
    case 'merge':
      return `Merge the skill ${text(args['source'])} into ${text(args['target']) || skill}`;
    case 'promote':
      return `Promote the skill ${skill}`;
    case 'deprecate':
      return `Deprecate the skill ${skill}`;
    case 'dependents':
      return `List the skills that need ${skill}`;
    case 'dependencies':
      return `List the skills that ${skill} needs`;
    default:
      return `Change the skill ${skill}`;
  }
}

/** Whether a tool may be allowed for a skill for good. What can't be undone in place is asked each time. */
export function mayBeAllowedForGood({ name, arguments: args }: Chat.ToolCall): boolean {
  return name !== 'delete_skill' && !(name === 'skill_write' && ['delete', 'merge'].includes(text(args['operation'])));
}

export const TOOL_STATUS: Record<Chat.ToolStatus, string> = {
  asked: 'Waits for you',
  allowed: 'Allowed',
  running: 'Running',
  done: 'Done',
  failed: 'Failed',
  denied: 'Denied',
};

/** The arguments and the result of a call, as they are shown. */
export function toolDetails({ call, result }: ToolStep): string {
  return [call.invalid_arguments ?? JSON.stringify(call.arguments, null, 2), result === null ? '' : readable(result)].filter((part) => part !== '').join('\n\n');
}

function readable(result: string): string {
  try {
    return JSON.stringify(JSON.parse(result), null, 2);
  } catch {
    return result;
  }
}

export type { ToolStep };
export type RecommendedSkill = Chat.RecommendedSkill;
