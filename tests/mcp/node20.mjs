// The conformance suite imports a function of newer versions of Node, and uses it only to list the suite's own sources.

import * as fs from "node:fs";
import { register } from "node:module";

if (!("globSync" in fs)) {
  const shim = 'export * from "node:fs"; export { default } from "node:fs"; export const globSync = () => [];';
  const hooks = `
    export const resolve = (specifier, context, next) =>
      specifier === "fs" && context.parentURL?.includes("/@modelcontextprotocol/conformance/")
        ? { url: ${JSON.stringify(`data:text/javascript,${encodeURIComponent(shim)}`)}, shortCircuit: true }
        : next(specifier, context);`;
  register(`data:text/javascript,${encodeURIComponent(hooks)}`);
}
