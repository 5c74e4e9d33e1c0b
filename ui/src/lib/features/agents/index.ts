export { type AgentList } from './agentList.svelte';
