import { execFileSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join, posix } from "node:path";
import { fileURLToPath } from "node:url";
import { beforeAll, expect, test } from "vitest";
import * as z from "zod";
import { codeCacheFolder } from "../../src/cli/startup/code-cache.ts";
import { sharedFolder } from "../support/temporary-folder.ts";
import { buildOnce } from "./program-process.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const Packed = z.array(z.object({ filename: z.string(), files: z.array(z.object({ path: z.string() })) }));
const Manifest = z.object({ version: z.string(), scripts: z.record(z.string(), z.string()) });

const typedUse = `import { catalogue, openCore } from "memsvc";
import { connect } from "memsvc/client";
const { results } = await connect({ url: "http://127.0.0.1:9/memsvc" }).search.smart({ query: "retry" });
export const titles: string[] = results.map(({ title }) => title);
export const core = await openCore({ home: "/nowhere" });
export const answer = await core.call(catalogue.find(({ id }) => id === "search.smart")!, { query: "x" }, { face: "library" });
`;
const use = `import { catalogue, openCore } from "memsvc";
import { connect } from "memsvc/client";
const core = await openCore({ home: process.argv[2] });
const search = catalogue.find(({ id }) => id === "search.smart");
const answer = await core.call(search, { query: "how do we deploy" }, { face: "library" });
if (answer.success !== true) throw new Error("no answer");
await core.close();
console.log(typeof connect({}).search.smart);
`;

/** By the commands, the daemon, the providers, the thread of models. */
const bundledInDifferentBuilds = ["commander", "hono", "@ai-sdk/google", "@xenova/transformers"];

/** Writes what npm publishes into a folder, and tells of it. */
function pack(destination: string): z.output<typeof Packed>[number] {
  const told = execFileSync(
    "npm",
    ["pack", "--ignore-scripts", "--json", "--pack-destination", destination],
    {
      encoding: "utf8",
      stdio: ["ignore", "pipe", "pipe"],
      cwd: root,
    },
  );
  const [first] = Packed.parse(JSON.parse(told));
  if (first === undefined) throw new Error("npm packed nothing");
  return first;
}

const folder = sharedFolder();
let packed: z.output<typeof Packed>[number];
beforeAll(() => {
  buildOnce();
  packed = pack(folder);
});

test("every relative link in the package's Markdown files leads to a file of the package", () => {
  const paths = packed.files.map(({ path }) => path);
  const texts = paths.filter((path) => path.endsWith(".md"));
  expect(texts).toEqual(expect.arrayContaining(["README.md", "docs/config.md"]));
  const dead = texts.flatMap((text) =>
    [...readFileSync(join(root, text), "utf8").matchAll(/\]\(([^)\s]+)|^\[[^\]]+\]: *(\S+)/gmu)]
      .map(([, inline, listed]) => inline ?? listed ?? "")
      .filter((target) => !/^(?:[a-z]+:|#)/u.test(target))
      .filter((target) => !paths.includes(posix.join(posix.dirname(text), target.replace(/#.*/u, ""))))
      .map((target) => `${text}: ${target}`),
  );
  expect(dead).toEqual([]);
});

test("the packed package installs, runs, and can be imported with its types", () => {
  const home = join(folder, "home");
  mkdirSync(home);
  const run = (
    program: string,
    args: readonly string[],
    options: { cwd?: string; env?: NodeJS.ProcessEnv } = {},
  ) =>
    execFileSync(program, args, {
      encoding: "utf8",
      stdio: ["ignore", "pipe", "pipe"],
      cwd: folder,
      ...options,
    });
  const manifest = Manifest.parse(JSON.parse(readFileSync(join(root, "package.json"), "utf8")));
  for (const hook of ["preinstall", "install", "postinstall"])
    expect(manifest.scripts).not.toHaveProperty(hook);

  const paths = packed.files.map(({ path }) => path);
  for (const path of [
    "dist/main.cjs",
    "dist/index.d.ts",
    "dist/third-party-licenses.txt",
    "completions/memsvc.bash",
    "docs/config.md",
    "README.md",
    "LICENSE",
  ])
    expect(paths).toContain(path);
  expect(
    paths.filter((path) => /^(?:src|test|bench(?!\/results\/\w+\.md$))\/|\.env|\.test\./u.test(path)),
  ).toEqual([]);

  const prefix = join(folder, "prefix");
  const install = ["install", "-g", "--prefix", prefix, "--prefer-offline", "--no-audit", "--no-fund"];
  run("npm", [...install, join(folder, packed.filename)]);
  const installed = join(prefix, "lib", "node_modules", "memsvc");
  const memsvc = (...args: readonly string[]) =>
    run(join(prefix, "bin", "memsvc"), args, { env: { PATH: process.env.PATH, HOME: home } });
  expect(memsvc("--version")).toBe(`${manifest.version}\n`);
  const licenses = readFileSync(join(installed, "dist", "third-party-licenses.txt"), "utf8");
  for (const library of bundledInDifferentBuilds)
    expect(licenses).toMatch(new RegExp(`^${library} \\d.* \\((?:MIT|Apache-2\\.0)\\)$`, "mu"));
  const bundled = Array.from(licenses.matchAll(/^(\S+) \d\S* \([^)]+\)$/gmu), ([, name]) => name);
  expect(bundled.length).toBeGreaterThan(bundledInDifferentBuilds.length);
  expect(bundled, "each package in one version only").toEqual([...new Set(bundled)]);
  expect(licenses).toContain("codec/LICENSE.codec.md");

  const dist = join(installed, "dist");
  expect(existsSync(join(dist, "code-cache"))).toBe(false);
  const id = memsvc("remember", "Installed and at work").trim();
  expect(readdirSync(codeCacheFolder(dist))).toContain("program.cjs");
  expect(memsvc("search", "installed")).toContain(id);
  expect(memsvc("completions", "bash")).toContain("complete -o default -F _memsvc memsvc");

  const app = join(folder, "app");
  mkdirSync(join(app, "node_modules"), { recursive: true });
  symlinkSync(installed, join(app, "node_modules", "memsvc"), "dir");
  writeFileSync(join(app, "package.json"), '{"type": "module"}');
  writeFileSync(join(app, "use.mjs"), use);
  expect(run(process.execPath, ["use.mjs", join(home, "library")], { cwd: app })).toBe("function\n");
  writeFileSync(join(app, "use.ts"), typedUse);
  const tsc = join(root, "node_modules", "typescript", "bin", "tsc");
  const flags =
    "--noEmit --strict --module nodenext --target es2022 --types node --skipDefaultLibCheck".split(" ");
  const typeRoots = ["--typeRoots", join(root, "node_modules", "@types")];
  expect(run(process.execPath, [tsc, ...flags, ...typeRoots, "use.ts"], { cwd: app })).toBe("");

  // As after `npm install --omit=optional`.
  rmSync(join(installed, "node_modules", "@libsql"), { recursive: true });
  const importing = 'import("memsvc").catch(({ code, hint }) => console.log(code, hint));';
  expect(run(process.execPath, ["-e", importing], { cwd: app })).toMatch(
    /^unavailable install memsvc anew on this machine, .* --include=optional memsvc\n$/u,
  );
});
