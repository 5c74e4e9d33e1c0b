import { tauriPlatform } from '$lib/platform';
import { start } from './app';

start(tauriPlatform());
