import type { Chat } from '$lib/api/generated';

type ToolStep = Extract<Chat.ChatStep, { kind: 'tool' }>;

const text = (value: unknown): string => (typeof value === 'string' ? value : '');

/** What a call does, in a few words. Names that a model made up are shown as they are. */
export function toolLabel({ name, arguments: args }: Chat.ToolCall): string {
  const skill = text(args['name']) || text(args['skill']);
  switch (name) {
    case 'read_skill':
      return `Read the skill ${skill}`;
    case 'view_skill_artifact':
      return args['path'] ? `Read ${text(args['path'])} of ${skill}` : `List the files of ${skill}`;
    case 'execute_plugin_script':
      return `Run ${text(args['path'])} of ${skill}`;
    case 'list_skills':
      return 'List the skills';
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
  return [JSON.stringify(call.arguments, null, 2), result === null ? '' : readable(result)].filter((part) => part !== '').join('\n\n');
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
