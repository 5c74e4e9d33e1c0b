// A scratch account with skills, and servers on it.

import assert from "node:assert/strict";
import { execFile, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { createInterface } from "node:readline";
import { promisify } from "node:util";

const run = promisify(execFile);
/** More than a page. */
const SKILLS = 130;
/** Its metadata has a number, which the specification of skills doesn't allow: it is no skill for clients, but its files are resources. */
export const WITH_NUMBER = "skill-001";

/** Folders whose bytes are awkward: no final newline, CR LF, a byte order mark, binary data, names that need escapes. */
function writeSkills(folder) {
  for (let number = 0; number < SKILLS; number++) {
    const name = `skill-${String(number).padStart(3, "0")}`;
    const head = `name: ${name}\ndescription: Skill ${number}, for tests.\nlicense: MIT\nmetadata:\n  level: ${name === WITH_NUMBER ? number : `"${number}"`}\n`;
    mkdirSync(join(folder, name), { recursive: true });
    writeFileSync(join(folder, name, "SKILL.md"), `---\n${head}---\n\nDo ${number}.\n`);
  }
  const files = {
    "references/crlf.md": "one\r\ntwo\r\n",
    "references/no newline.md": "dernière",
    "references/100% #1.txt": "\ufeffwith a mark\n",
    "assets/données.bin": Buffer.from(Array.from({ length: 1024 }, (_, at) => at % 256)),
    "scripts/endless.py": "while True:\n    pass\n",
    "scripts/hello.py": "import sys\nprint('hello', *sys.argv[1:])\nsys.exit(3)\n",
  };
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(join(folder, "skill-000", path, ".."), { recursive: true });
    writeFileSync(join(folder, "skill-000", path), content);
  }
}

/** The bytes of all files below `folder` by path. */
function filesOf(folder) {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  const paths = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  return new Map(paths.map((path) => [relative(folder, path), readFileSync(path)]));
}

export class World {
  constructor(inklings) {
    this.inklings = inklings;
    this.root = mkdtempSync(join(tmpdir(), "inklings-mcp-"));
    this.env = { ...process.env, INKLINGS_HOME: join(this.root, "home") };
    writeSkills(join(this.root, "skills"));
    const names = readdirSync(join(this.root, "skills")).sort();
    /** The bytes of each file by path, by skill. */
    this.folders = new Map(names.map((name) => [name, filesOf(join(this.root, "skills", name))]));
  }

  remove() {
    rmSync(this.root, { recursive: true, force: true });
  }

  async run(...args) {
    return (await run(this.inklings, args, { env: this.env })).stdout;
  }

  async importSkills() {
    await this.run("import", join(this.root, "skills"));
  }

  async token(name, role) {
    return (await this.run("token", "create", name, "--role", role)).trim();
  }

  /** Calls `use` with the address of an HTTP server. */
  async serve(use) {
    const server = spawn(this.inklings, ["serve"], { env: this.env, stdio: ["ignore", "pipe", "inherit"] });
    const ended = new Promise((resolve) => server.once("exit", resolve));
    try {
      const [line] = await Promise.race([
        new Promise((resolve) => createInterface(server.stdout).once("line", (line) => resolve([line]))),
        ended.then((code) => assert.fail(`the server ended with ${code}`)),
      ]);
      await use(JSON.parse(line).address);
      server.kill("SIGTERM");
      assert.equal(await ended, 0, "the exit code of the server");
    } finally {
      server.kill("SIGKILL");
    }
  }
}
