import type { Component } from 'svelte';
import type { Services } from '$lib/workbench/services';
import AuditSection from './AuditSection.svelte';
import CallersSection from './CallersSection.svelte';
import CallsSection from './CallsSection.svelte';
import ClientsSection from './ClientsSection.svelte';
import ServerSection from './ServerSection.svelte';
import TokensSection from './TokensSection.svelte';

/** A part of the page. It draws its own heading. */
interface AccessSection {
  id: string;
  component: Component<{ services: Services }>;
}

/** In the order of the page. */
export const SECTIONS: readonly AccessSection[] = [
  { id: 'clients', component: ClientsSection },
  { id: 'server', component: ServerSection },
  { id: 'tokens', component: TokensSection },
  { id: 'callers', component: CallersSection },
  { id: 'calls', component: CallsSection },
  { id: 'audit', component: AuditSection },
];
