// Serves skills to the official TypeScript SDKs of the Model Context Protocol and compares what they get with the files.
//
// Usage: node check.mjs PATH_OF_INKLINGS
//
// The current SDK speaks all versions of the protocol. The first one, which most programs still have, ends at 2025-11-25.

import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";

import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { SkillsClient } from "@modelcontextprotocol/client/ext/skills";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { Client as FirstClient } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport as FirstStdioTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPClientTransport as FirstHttpTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { CallToolResultSchema, ResourceListChangedNotificationSchema, ResultSchema } from "@modelcontextprotocol/sdk/types.js";

import { WITH_NUMBER, World } from "./world.mjs";

const INFO = { name: "inklings-check", version: "1.0.0" };
const OLDEST = "2024-11-05";
const BEFORE_SKILLS = "2025-11-25";
const WITH_SKILLS = "2026-07-28";
/** Accepts every result of a method that the SDK doesn't know. */
const ANYTHING = { "~standard": { version: 1, vendor: "inklings", validate: (value) => ({ value }) } };

/** The current SDK. */
const current = {
  stdio: (parameters) => new StdioClientTransport(parameters),
  http: (url, options) => new StreamableHTTPClientTransport(url, options),
  request: (client, method, params) => client.request({ method, params }, ANYTHING),
  callTool: (client, name, args, options) => client.callTool({ name, arguments: args }, options),
  onListChanged: (client, handler) => client.setNotificationHandler("notifications/resources/list_changed", handler),
};
/** The first SDK. */
const first = {
  client: () => new FirstClient(INFO),
  protocol: BEFORE_SKILLS,
  stdio: (parameters) => new FirstStdioTransport(parameters),
  http: (url, options) => new FirstHttpTransport(url, options),
  request: (client, method, params) => client.request({ method, params }, ResultSchema),
  callTool: (client, name, args, options) => client.callTool({ name, arguments: args }, CallToolResultSchema, options),
  onListChanged: (client, handler) => client.setNotificationHandler(ResourceListChangedNotificationSchema, handler),
};
const SDKS = {
  "TypeScript SDK 2, newest protocol": {
    ...current,
    client: () => new Client(INFO, { versionNegotiation: { mode: "auto" } }),
    protocol: WITH_SKILLS,
  },
  "TypeScript SDK 2, protocol before skills": { ...current, client: () => new Client(INFO), protocol: BEFORE_SKILLS },
  "TypeScript SDK 2, oldest protocol": {
    ...current,
    client: () => new Client(INFO, { supportedProtocolVersions: [OLDEST] }),
    protocol: OLDEST,
  },
  "TypeScript SDK 1": first,
};

const sha256 = (bytes) => createHash("sha256").update(bytes).digest("hex");

async function pages(sdk, client, method, key) {
  const everything = [];
  let params = {};
  for (let count = 0; count < 100; count++) {
    const page = await sdk.request(client, method, params);
    everything.push(...page[key]);
    if (!page.nextCursor) {
      assert.ok(count > 0, `${method} has one page only`);
      return everything;
    }
    params = { cursor: page.nextCursor };
  }
  assert.fail(`${method} never ends`);
}

async function read(client, uri) {
  const { contents } = await client.readResource({ uri });
  assert.equal(contents.length, 1, uri);
  const [content] = contents;
  return content.text === undefined ? Buffer.from(content.blob, "base64") : Buffer.from(content.text);
}

/** The path of a file in a skill, from its address. */
function pathIn(slug, uri) {
  const prefix = `skill://${slug}/`;
  assert.ok(uri.startsWith(prefix), uri);
  return decodeURIComponent(uri.slice(prefix.length));
}

/** Compares files as read, by path, with those on the disk. */
function compare(slug, stored, files) {
  // Importing adds the declaration of the artifacts.
  stored.delete("skill.json");
  assert.deepEqual([...stored.keys()].sort(), [...files.keys()].sort(), slug);
  for (const [path, bytes] of files) {
    assert.equal(sha256(stored.get(path)), sha256(bytes), `${slug}/${path}`);
  }
}

/** Every file of every skill as a resource, byte for byte. */
async function checkResources(sdk, client, world) {
  const listed = await pages(sdk, client, "resources/list", "resources");
  const bySkill = new Map();
  for (const resource of listed) {
    const slug = resource.uri.split("/")[2];
    if (!world.folders.has(slug)) continue;
    const bytes = await read(client, resource.uri);
    assert.equal(resource.size, bytes.length, resource.uri);
    bySkill.set(slug, (bySkill.get(slug) ?? new Map()).set(pathIn(slug, resource.uri), bytes));
  }
  for (const [slug, files] of world.folders) {
    compare(slug, bySkill.get(slug), files);
  }
  const { resourceTemplates } = await client.listResourceTemplates();
  assert.deepEqual(resourceTemplates.map((template) => template.uriTemplate), ["skill://{slug}/{+path}"]);
  await assert.rejects(client.readResource({ uri: "skill://skill-000/none.md" }), /not found/);
}

/** The methods of the skills extension as plain requests: lists, single skills and the digests of all files. */
async function checkSkillMethods(sdk, client, world) {
  const skills = new Map((await pages(sdk, client, "skills/list", "skills")).map((skill) => [skill.frontmatter.name, skill]));
  for (const [slug, files] of world.folders) {
    const skill = skills.get(slug);
    if (slug === WITH_NUMBER) {
      assert.equal(skill, undefined);
      continue;
    }
    assert.equal(skill.uri, `skill://${slug}/SKILL.md`);
    assert.equal(skill.frontmatter.license, "MIT");
    assert.equal(skill.frontmatter.metadata.level, String(Number(slug.slice(-3))));
    const { skill: alone } = await sdk.request(client, "skills/get", { uri: skill.uri });
    assert.deepEqual(alone, skill);
    const digests = new Map(skill.resources.map((file) => [pathIn(slug, file.uri), file]));
    for (const [path, bytes] of files) {
      const { digest, size } = digests.get(path);
      assert.deepEqual({ digest, size }, { digest: `sha256:${sha256(bytes)}`, size: bytes.length }, `${slug}/${path}`);
    }
  }
  await assert.rejects(sdk.request(client, "skills/get", { uri: "skill://nothing/SKILL.md" }), /not found/);
  const { resources } = await sdk.request(client, "resources/directory/read", { uri: "skill://skill-000/" });
  const children = resources.map((child) => child.name);
  assert.deepEqual(["SKILL.md", "assets", "references", "scripts"].filter((name) => !children.includes(name)), []);
}

/** The SDK's own client of the extension, which checks sizes, digests and frontmatter of all that it reads. */
async function checkSkillsClient(client, world) {
  const host = new SkillsClient(client);
  assert.ok(host.supported && host.directoryRead);
  const { skills, invalid } = await host.list();
  assert.deepEqual(invalid, []);
  for (const skill of skills) {
    const files = world.folders.get(skill.frontmatter.name);
    if (!files) continue;
    const stored = new Map();
    for (const { uri } of skill.resources) {
      const file = await host.read(skill, uri);
      assert.ok(file.verified, uri);
      stored.set(pathIn(skill.frontmatter.name, uri), file.bytes);
    }
    compare(skill.frontmatter.name, stored, files);
  }
  const { skill } = await host.get("skill://skill-000/SKILL.md");
  assert.equal((await host.read(skill)).body.trim(), "Do 0.");
  const { resources } = await host.readDirectory("skill://skill-000/references/");
  assert.deepEqual(resources.map((child) => child.name).sort(), ["100% #1.txt", "crlf.md", "no newline.md"]);
}

/** The code of a failure; undefined for a result. */
const codeOf = (result) => (result.isError ? result._meta?.["inklings/failure"].code : undefined);

async function checkTools(sdk, client) {
  const names = (await client.listTools()).tools.map((tool) => tool.name);
  for (const name of ["list_skills", "read_skill", "create_skill", "update_skill", "delete_skill", "run_skill", "view_skill_artifact"]) {
    assert.ok(names.includes(name), name);
  }
  const listed = await sdk.callTool(client, "list_skills", {});
  assert.ok(!listed.isError && listed.structuredContent, JSON.stringify(listed));
  const found = await sdk.callTool(client, "read_skill", { name: "skill-001" });
  assert.equal(found.structuredContent.content.trim(), "Do 1.");
  const missing = await sdk.callTool(client, "read_skill", { name: "nothing" });
  assert.equal(codeOf(missing), "notFound");
  const wrong = await sdk.callTool(client, "read_skill", { skill: 1 });
  assert.equal(codeOf(wrong), "invalid");
  await assert.rejects(sdk.callTool(client, "no_such_tool", {}), /no_such_tool/);
  const ran = await sdk.callTool(client, "execute_plugin_script", { skill: "skill-000", path: "scripts/hello.py", args: ["a b"] });
  assert.equal(ran.structuredContent.exit_code, 3, JSON.stringify(ran));
  assert.equal(ran.structuredContent.stdout, "hello a b\n");
}

async function checkWrites(sdk, client) {
  const made = await sdk.callTool(client, "create_skill", { name: "mine", title: "Mine", description: "Of a client.", content: "one\n" });
  assert.equal(made.structuredContent.version, 1, JSON.stringify(made));
  const edit = { name: "mine", operation: "find_replace", find: "one", replace: "two" };
  assert.equal((await sdk.callTool(client, "update_skill", edit)).structuredContent.version, 2);
  assert.equal(codeOf(await sdk.callTool(client, "update_skill", edit)), "invalid");
  assert.equal((await sdk.callTool(client, "read_skill", { name: "mine" })).structuredContent.content.trim(), "two");
  // A member changes only what it created.
  const append = { name: "skill-002", operation: "append", content: "x" };
  assert.equal(codeOf(await sdk.callTool(client, "update_skill", append)), "forbidden");
  assert.equal(codeOf(await sdk.callTool(client, "delete_skill", { name: "skill-002" })), "forbidden");
  assert.equal((await sdk.callTool(client, "delete_skill", { name: "mine" })).structuredContent.deleted, true);
}

/** A cancelled call ends the run: the client stops waiting, and the record says so. */
async function checkCancelling(sdk, client, world) {
  const cancelled = async () => JSON.parse(await world.run("runs", "list", "--json")).runs.filter((run) => run.status === "cancelled").length;
  const before = await cancelled();
  const controller = new AbortController();
  const begun = new Promise((resolve) => {
    const call = sdk.callTool(
      client,
      "execute_plugin_script",
      { skill: "skill-000", path: "scripts/endless.py" },
      { signal: controller.signal, onprogress: resolve, timeout: 120_000 },
    );
    call.then(
      () => assert.fail("an endless script ended"),
      () => {},
    );
  });
  await within(begun, 60_000, "the script doesn't begin");
  controller.abort();
  for (let attempt = 0; attempt < 100; attempt++) {
    if ((await cancelled()) === before + 1) return;
    await sleep(200);
  }
  assert.fail("the run goes on");
}

async function within(promise, milliseconds, message) {
  const timeout = new AbortController();
  const late = sleep(milliseconds, undefined, { signal: timeout.signal }).then(() => assert.fail(message));
  try {
    return await Promise.race([promise, late]);
  } finally {
    timeout.abort();
    late.catch(() => {});
  }
}

async function connected(sdk, transport, use) {
  const client = sdk.client();
  try {
    await client.connect(transport);
    await use(client);
  } finally {
    await client.close();
  }
}

function stdio(sdk, world, ...args) {
  return sdk.stdio({ command: world.inklings, args: ["serve", "--mcp-stdio", ...args], env: world.env });
}

async function checkAll(sdk, client, world, version) {
  assert.equal(version, sdk.protocol);
  await checkResources(sdk, client, world);
  if (version === WITH_SKILLS) {
    await checkSkillMethods(sdk, client, world);
    await checkSkillsClient(client, world);
  }
  await checkTools(sdk, client);
  await checkWrites(sdk, client);
  await checkCancelling(sdk, client, world);
}

async function checkViewer(sdk, world) {
  await connected(sdk, stdio(sdk, world, "--role", "viewer"), async (client) => {
    const names = (await client.listTools()).tools.map((tool) => tool.name);
    assert.deepEqual(names.sort(), ["list_skills", "read_skill", "view_skill_artifact"]);
    const refused = await sdk.callTool(client, "create_skill", { name: "x", title: "X", description: "X.", content: "x" });
    assert.equal(codeOf(refused), "forbidden");
  });
}

/** A client that is connected is told when another process changes skills. */
async function checkChanges(sdk, world, title) {
  await connected(sdk, stdio(sdk, world), async (client) => {
    const changed = new Promise((resolve) => sdk.onListChanged(client, resolve));
    // A subscription is what newer versions have instead of unasked notifications.
    const subscription = sdk.protocol === WITH_SKILLS ? await client.listen({ resourcesListChanged: true }) : undefined;
    await client.listTools();
    await world.run("skill", "create", title);
    await within(changed, 10_000, "no notification");
    const uris = (await pages(sdk, client, "resources/list", "resources")).map((resource) => resource.uri);
    assert.ok(uris.includes(`skill://${title.toLowerCase()}/SKILL.md`));
    await subscription?.close();
  });
}

/** Requests with a wrong token or none. */
async function checkTokens(sdk, url) {
  for (const headers of [{}, { Authorization: "Bearer wrong" }]) {
    const client = sdk.client();
    await assert.rejects(client.connect(sdk.http(new URL(url), { requestInit: { headers } })));
    await client.close();
  }
}

const world = new World(process.argv[2]);
try {
  await world.importSkills();
  const token = await world.token("typescript", "member");
  const timed = async (what, check) => {
    const started = performance.now();
    await check();
    console.log(`${what}: ${((performance.now() - started) / 1000).toFixed(1)} s`);
  };
  for (const [name, sdk] of Object.entries(SDKS)) {
    await timed(`${name} (${sdk.protocol}) over stdio`, async () => {
      const transport = stdio(sdk, world);
      await connected(sdk, transport, (client) => checkAll(sdk, client, world, protocolOf(client, sdk)));
    });
  }
  await world.serve(async (address) => {
    const url = `${address}/mcp`;
    for (const [name, sdk] of Object.entries(SDKS)) {
      if (sdk.protocol === OLDEST) continue;
      await timed(`${name} (${sdk.protocol}) over HTTP`, async () => {
        const transport = sdk.http(new URL(url), { requestInit: { headers: { Authorization: `Bearer ${token}` } } });
        await connected(sdk, transport, (client) => checkAll(sdk, client, world, transport.protocolVersion));
        await checkTokens(sdk, url);
      });
    }
  });
  for (const [at, sdk] of Object.values(SDKS).entries()) {
    await checkViewer(sdk, world);
    await checkChanges(sdk, world, `Later${at}`);
  }
  console.log("ok");
} finally {
  world.remove();
}

/** The version that was agreed on. */
function protocolOf(client, sdk) {
  return client.getNegotiatedProtocolVersion?.() ?? sdk.protocol;
}
