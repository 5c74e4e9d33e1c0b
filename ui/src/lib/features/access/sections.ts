import type { Component } from 'svelte';
import type { Services } from '$lib/workbench/services';
import ClientsSection from './ClientsSection.svelte';

/** A part of the page. It draws its own heading. */
interface AccessSection {
  id: string;
  component: Component<{ services: Services }>;
}

/** In the order of the page. */
export const SECTIONS: readonly AccessSection[] = [{ id: 'clients', component: ClientsSection }];
