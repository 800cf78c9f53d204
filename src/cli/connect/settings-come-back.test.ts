import { readFileSync, statSync } from "node:fs";
import { dirname } from "node:path";
import fc from "fast-check";
import { parse } from "jsonc-parser";
import { parse as parseToml } from "smol-toml";
import { afterAll, describe, expect, test } from "vitest";
import { agentNamed, everyFile, openAgentHome } from "../../../test/support/agent-settings.ts";
import { forEachTest } from "../../../test/support/for-each-test.ts";
import { agents } from "./agents.ts";
import { connectedScopes } from "./connection-state.ts";

const everywhere = agents.flatMap(({ name, files }) =>
  [...new Set(files.map(({ scope }) => scope))].map((scope) => [name, scope] as const),
);

const home = forEachTest(openAgentHome);

/** What somebody may have in a settings file already. */
function someSettings(path: string): string {
  if (path.endsWith(".toml"))
    return '# models\nmodel = "o3" # best\n\n[mcp_servers.other]\ncommand = "other"\n';
  return [
    "{",
    "    // what I like",
    '    "theme": "dark", /* always */',
    '    "mcpServers": {"other": {"command": "other", "args": []}},',
    '    "hooks": {',
    '        "Stop": [',
    '            { "hooks": [{ "type": "command", "command": "say done" }] } // bell',
    "        ]",
    "    }",
    "}",
    "",
  ].join("\r\n");
}

function isReadable(path: string, text: string): void {
  if (path.endsWith(".toml")) parseToml(text);
  else if (path.endsWith(".json")) expect(parse(text, [], { allowTrailingComma: true })).toBeTypeOf("object");
}

describe.each(everywhere)("the settings of %s (%s)", (name, scope) => {
  test("are created if missing, and removed again with their folders", async () => {
    const before = everyFile(dirname(home.places.home));
    const files = await home.connect(name, scope);
    expect(files.map(({ action }) => action)).toEqual(files.map(() => "created"));
    for (const { path } of files) {
      isReadable(path, home.read(path) ?? "");
      expect(statSync(path).mode & 0o777).toBe(scope === "user" ? 0o600 : 0o644);
    }
    expect(connectedScopes(agentNamed(name), home.places)).toEqual([scope]);
    const removed = await home.disconnect(name, scope);
    expect(removed.map(({ action }) => action)).toEqual(removed.map(() => "removed"));
    expect(everyFile(dirname(home.places.home)).filter((path) => !path.startsWith("memsvc"))).toEqual(before);
  });

  test("keep their comments and mode, and are restored byte for byte", async () => {
    const paths = home.paths(name, scope).filter((path) => /\.(?:json|toml)$/u.test(path));
    for (const path of paths) home.write(path, someSettings(path), 0o640);
    const files = await home.connect(name, scope).catch((error: Error) => error);
    if (files instanceof Error) {
      // A file that is memsvc's alone is never written over another's.
      expect(files.message).toMatch(/was not written by memsvc/u);
      return;
    }
    for (const path of paths) {
      const text = home.read(path) ?? "";
      isReadable(path, text);
      for (const piece of ["what I like", "always", "bell"].filter((one) => someSettings(path).includes(one)))
        expect(text).toContain(piece);
      expect(statSync(path).mode & 0o777).toBe(0o640);
      const { backup } = files.find((file) => file.path === path) ?? {};
      expect(readFileSync(backup ?? "", "utf8")).toBe(someSettings(path));
    }
    const again = await home.connect(name, scope);
    expect(again.map(({ action }) => action)).toEqual(again.map(() => "unchanged"));
    await home.disconnect(name, scope);
    for (const path of paths) {
      expect(home.read(path)).toBe(someSettings(path));
      expect(statSync(path).mode & 0o777).toBe(0o640);
    }
    const nothing = await home.disconnect(name, scope);
    expect(nothing.map(({ action }) => action)).toEqual(nothing.map(() => "unchanged"));
  });

  test("that were edited since lose only our entries", async () => {
    await home.connect(name, scope);
    const edited = home.paths(name, scope).filter((path) => /\.(?:json|toml)$/u.test(path));
    for (const path of edited) {
      const text = home.read(path) ?? "";
      const isToml = path.endsWith(".toml");
      home.write(path, isToml ? `${text}\n[mine]\nkept = true\n` : text.replace("{", '{ "mine": true,'));
    }
    await home.disconnect(name, scope);
    for (const path of edited) {
      const text = home.read(path);
      if (text === undefined) continue;
      const left = path.endsWith(".toml") ? parseToml(text) : (parse(text) as Record<string, unknown>);
      expect(left.mine).toBeDefined();
      expect(JSON.stringify(left)).not.toContain("memsvc");
    }
    expect(connectedScopes(agentNamed(name), home.places)).toEqual([]);
  });

  test("that cannot be parsed are all left unchanged, with an error", async () => {
    const paths = home.paths(name, scope);
    const broken = paths.at(-1) ?? "";
    if (!/\.(?:json|toml)$/u.test(broken)) return;
    home.write(broken, broken.endsWith(".toml") ? 'a = 1\nb = "\n' : '{\n  "a": 1,\n  "b": \n}\n');
    await expect(home.connect(name, scope)).rejects.toThrow(/is not valid|was not written by memsvc/u);
    expect(paths.slice(0, -1).map((path) => home.read(path))).toEqual(
      paths.slice(0, -1).map(() => undefined),
    );
  });
});

const otherHooks = fc.dictionary(
  fc.constantFrom("Stop", "SessionStart", "Mine"),
  fc.array(fc.record({ hooks: fc.array(fc.record({ type: fc.constant("command"), command: fc.string() })) })),
);
const anySettings = fc
  .tuple(fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 3 })), fc.option(otherHooks))
  .map(([others, hooks]) => (hooks === null ? others : { ...others, hooks }));

const property = openAgentHome();
afterAll(() => property.remove());

test("any settings are restored byte for byte, with and without a receipt", async () => {
  const [path = ""] = property.paths("claude-code");
  await fc.assert(
    fc.asyncProperty(anySettings, fc.constantFrom("", "  ", "\t"), async (settings, indent) => {
      const text = JSON.stringify(settings, null, indent);
      property.write(path, text);
      await property.connect("claude-code");
      const connected = property.read(path) ?? "";
      const { hooks: _, ...others } = JSON.parse(text) as Record<string, unknown>;
      expect(JSON.parse(connected)).toMatchObject(others);
      const content = agentNamed("claude-code").files[0]?.content({ program: ["memsvc"], flags: [] });
      expect(content?.disconnected(connected, { text })).toBe(text);
      await property.disconnect("claude-code");
      expect(property.read(path)).toBe(text);
    }),
    { numRuns: 40 },
  );
});
