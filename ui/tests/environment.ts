import type { Environment } from 'vitest/runtime';

/**
 * Node without a DOM, but modules are compiled as for the browser: `$state` and `$derived` of the controllers are the
 * real signals, as in the window. Nothing is drawn, so the next frame comes at once.
 */
const environment: Environment = {
  name: 'signals',
  viteEnvironment: 'client',
  setup: (global) => {
    Object.assign(global, { requestAnimationFrame: (then: FrameRequestCallback) => setTimeout(() => then(Date.now())) });
    return { teardown: () => undefined };
  },
};

export default environment;
