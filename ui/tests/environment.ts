import type { Environment } from 'vitest/runtime';

/**
 * Node without a DOM, but modules are compiled as for the browser: `$state` and `$derived` of the controllers are the
 * real signals, as in the window.
 */
const environment: Environment = {
  name: 'signals',
  viteEnvironment: 'client',
  setup: () => ({ teardown: () => undefined }),
};

export default environment;
