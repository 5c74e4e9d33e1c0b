// Runs the official conformance suite of the Model Context Protocol against `inklings serve`.
//
// Usage: node conformance.mjs PATH_OF_INKLINGS
//
// Every check must succeed, except those below. One that is excluded and succeeds fails, so that the lists stay true. The suite has no
// scenarios for stdio.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { createServer, request as send } from "node:http";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

import { World } from "./world.mjs";

const VERSIONS = ["2025-11-25", "2026-07-28"];
/** Scenarios of extensions belong to no version. Those of tasks are for another extension. */
const SKILLS = ["sep-2640-skills-directory", "sep-2640-skills-enumeration", "sep-2640-skills-manifest"];

const FIXTURE_TOOL = "calls tools of the suite's own example server";
const FIXTURE_RESOURCE = "reads resources of the suite's own example server";
const NO_PROMPTS = "prompts aren't served, and not declared";
const NO_SUBSCRIPTIONS = "changes of single resources aren't served, and not declared";
/** By scenario, or by check for scenarios of which only some apply. */
const EXCLUDED = {
  "tools-call-simple-text": FIXTURE_TOOL,
  "tools-call-image": FIXTURE_TOOL,
  "tools-call-audio": FIXTURE_TOOL,
  "tools-call-embedded-resource": FIXTURE_TOOL,
  "tools-call-mixed-content": FIXTURE_TOOL,
  "tools-call-with-logging": FIXTURE_TOOL,
  "tools-call-error": FIXTURE_TOOL,
  "tools-call-with-progress": FIXTURE_TOOL,
  "tools-call-sampling": FIXTURE_TOOL,
  "tools-call-elicitation": FIXTURE_TOOL,
  "json-schema-2020-12": FIXTURE_TOOL,
  "elicitation-sep1034-defaults": FIXTURE_TOOL,
  "elicitation-sep1330-enums": FIXTURE_TOOL,
  "http-custom-header-server-validation": FIXTURE_TOOL,
  "input-required-result-basic-elicitation": FIXTURE_TOOL,
  "input-required-result-basic-sampling": FIXTURE_TOOL,
  "input-required-result-basic-list-roots": FIXTURE_TOOL,
  "input-required-result-request-state": FIXTURE_TOOL,
  "input-required-result-multiple-input-requests": FIXTURE_TOOL,
  "input-required-result-multi-round": FIXTURE_TOOL,
  "input-required-result-non-tool-request": FIXTURE_TOOL,
  "input-required-result-result-type": FIXTURE_TOOL,
  "input-required-result-tampered-state": FIXTURE_TOOL,
  "input-required-result-capability-check": FIXTURE_TOOL,
  "sep-2575-server-rejects-undeclared-capability": FIXTURE_TOOL,
  "sep-2575-missing-capability-http-400": FIXTURE_TOOL,
  "sep-2575-http-server-no-independent-requests-on-stream": FIXTURE_TOOL,
  "sep-2575-server-no-log-without-loglevel": FIXTURE_TOOL,
  "server-sse-disconnect-resume": FIXTURE_TOOL,
  "sep-2322-ignore-unexpected-params": FIXTURE_TOOL,
  "sep-2322-missing-response-rerequests": FIXTURE_TOOL,
  "resources-read-text": FIXTURE_RESOURCE,
  "resources-read-binary": FIXTURE_RESOURCE,
  "resources-templates-read": FIXTURE_RESOURCE,
  "resources-subscribe": NO_SUBSCRIPTIONS,
  "resources-unsubscribe": NO_SUBSCRIPTIONS,
  "prompts-list": NO_PROMPTS,
  "prompts-get-simple": NO_PROMPTS,
  "prompts-get-with-args": NO_PROMPTS,
  "prompts-get-embedded-resource": NO_PROMPTS,
  "prompts-get-with-image": NO_PROMPTS,
  "sep-2549-prompts-list-caching-hints": NO_PROMPTS,
  "sep-2575-server-sends-prompts-list-changed-on-subscription": NO_PROMPTS,
  "sep-2575-server-sends-tools-list-changed-on-subscription": "the tools of a connection don't change",
  "completion-complete": "completion isn't served, and not declared",
  "logging-set-level": "logging isn't served, and not declared",
};
/** Neither good nor bad. */
const REMARKS = ["INFO"];

/** Calls `use` with an address whose requests get the token, for the suite has no option for headers. */
async function withToken(address, token, use) {
  const { hostname, port } = new URL(address);
  const proxy = createServer((request, response) => {
    const headers = { ...request.headers, authorization: `Bearer ${token}` };
    const forwarded = send({ hostname, port, method: request.method, path: request.url, headers }, (answer) => {
      response.writeHead(answer.statusCode, answer.headers);
      answer.pipe(response);
    });
    forwarded.on("error", () => response.destroy());
    response.on("close", () => forwarded.destroy());
    request.pipe(forwarded);
  });
  await new Promise((resolve) => proxy.listen(0, "127.0.0.1", resolve));
  try {
    await use(`http://127.0.0.1:${proxy.address().port}/mcp`);
  } finally {
    proxy.close();
    proxy.closeAllConnections();
  }
}

const SUITE = fileURLToPath(new URL("node_modules/@modelcontextprotocol/conformance/dist/index.js", import.meta.url));

/** Runs the suite; returns the checks of each scenario. */
async function run(url, folder, ...args) {
  const node20 = new URL("node20.mjs", import.meta.url).href;
  const child = spawn(process.execPath, ["--import", node20, SUITE, "server", "--url", url, "--output-dir", folder, ...args]);
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.on("data", (data) => (output += data));
  }
  // Its exit code says whether all checks succeeded, also those that don't apply.
  await new Promise((resolve) => child.once("exit", resolve));
  const scenarios = readdirSync(folder).map((name) => [
    name.replace(/^server-/, "").replace(/-\d{4}-\d\d-\d\dT[\d-]+Z$/, ""),
    JSON.parse(readFileSync(join(folder, name, "checks.json"), "utf8")),
  ]);
  assert.ok(scenarios.length > 0, output);
  return scenarios;
}

const world = new World(process.argv[2]);
try {
  await world.importSkills();
  const token = await world.token("conformance", "system_admin");
  const problems = [];
  const used = new Set();
  let passed = 0;
  let excluded = 0;
  const judge = (title, scenarios) => {
    for (const [scenario, checks] of scenarios) {
      const relevant = checks.filter((check) => !REMARKS.includes(check.status));
      const failed = relevant.filter((check) => check.status !== "SUCCESS");
      passed += relevant.length - failed.length;
      for (const check of failed) {
        const key = [scenario, check.id].find((key) => key in EXCLUDED);
        if (key === undefined) problems.push(`${title}, ${scenario}, ${check.id}: ${check.status} ${check.errorMessage ?? ""}`);
        else excluded += 1;
        used.add(key);
      }
    }
  };
  await world.serve((address) =>
    withToken(address, token, async (url) => {
      for (const version of VERSIONS) {
        judge(version, await run(url, join(world.root, version), "--suite", "all", "--spec-version", version));
      }
      for (const scenario of SKILLS) {
        const folder = join(world.root, scenario);
        judge("skills", await run(url, folder, "--scenario", scenario, "--spec-version", VERSIONS.at(-1), "--force"));
      }
    }),
  );
  problems.push(...Object.keys(EXCLUDED).filter((key) => !used.has(key)).map((key) => `${key} succeeds: include it`));
  console.log(`${passed} checks succeeded, ${excluded} don't apply`);
  assert.deepEqual(problems, []);
} finally {
  world.remove();
}
