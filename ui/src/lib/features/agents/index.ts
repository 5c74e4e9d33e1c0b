export { type AgentList } from './agentList.svelte';
export { TOOLS } from './tools';
