import { parse as parseToml } from "smol-toml";
import { describe, expect, test } from "vitest";
import { agentNamed, openAgentHome } from "../../../test/support/agent-settings.ts";
import { forEachTest } from "../../../test/support/for-each-test.ts";
import { connectedScopes } from "./connection-state.ts";

const home = forEachTest(openAgentHome);

describe("the entry of Codex", () => {
  const config = () => home.paths("codex")[1] ?? "";
  const others = '# models\nmodel = "o3" # best\n\n[mcp_servers.other]\ncommand = "other"\n';

  /** Connects, then edits the file that was written. */
  async function connectAndEdit(edit: (text: string) => string, before = others): Promise<string> {
    home.write(config(), before);
    await home.connect("codex");
    const text = edit(home.read(config()) ?? "");
    parseToml(text);
    home.write(config(), text);
    return text;
  }

  /** The text as if it had been written by an installation elsewhere. */
  function ofElsewhere(text: string): string {
    return text.replace(JSON.stringify(process.execPath), '"/elsewhere/node"');
  }

  const withKeys = (text: string) =>
    text.replace(
      "# <<<",
      '# slow disk\nstartup_timeout_sec = 30 # seconds\nenv = { AGENT_ID = "codex" }\n# <<<',
    );
  const withTable = (text: string) => `${text}\n[mcp_servers.memsvc.env] # mine\nAGENT_ID = "codex"\n`;
  const withoutMarks = (text: string) => text.replaceAll(/^# (?:>>>|<<<).*\n/gmu, "");
  const quoted = (text: string) =>
    withoutMarks(text).replace("[mcp_servers.memsvc]", '  [ "mcp_servers" . memsvc ]');
  const dotted = (text: string) =>
    withoutMarks(text)
      .replace(others, `${others}\n[mcp_servers]`)
      .replace(/\n\[mcp_servers\.memsvc\]\n/u, "\n")
      .replaceAll(/^(?=args|command = ".*node")/gmu, "memsvc.");

  test.each([
    ["to which keys were added", withKeys],
    ["to which a table was added", withTable],
    ["whose marks are gone", withoutMarks],
    ["with keys, whose marks are gone", (text: string) => withoutMarks(withKeys(text))],
    ["that is written in another way", quoted],
    ["that is written as dotted keys", dotted],
  ])("%s is updated, keeps the rest, and is removed as a whole", async (_, edit) => {
    const text = await connectAndEdit(edit);
    expect(text).not.toBe(others);
    home.write(config(), ofElsewhere(text));
    expect(connectedScopes(agentNamed("codex"), home.places)).toEqual(["user"]);
    for (const again of ["added", "unchanged"]) {
      const files = await home.connect("codex");
      expect(files[1]?.action).toBe(again);
      expect(home.read(config())).toBe(text);
    }
    // What was added to it is kept by the next update as well.
    home.write(config(), ofElsewhere(text));
    await home.connect("codex");
    expect(home.read(config())).toBe(text);
    await home.disconnect("codex");
    expect(home.read(config())).toBe(edit === dotted ? `${others}\n[mcp_servers]\n` : others);
    expect(connectedScopes(agentNamed("codex"), home.places)).toEqual([]);
  });

  test.each([
    ["to which keys were added", withKeys],
    ["to which a table was added", withTable],
    ["whose marks are gone", withoutMarks],
    ["that is written in another way", quoted],
  ])("%s is removed without a prior update, also with Windows line ends", async (_, edit) => {
    for (const eol of ["\n", "\r\n"]) {
      await connectAndEdit((text) => edit(text).replaceAll("\n", eol));
      await home.disconnect("codex");
      expect(home.read(config())).toBe(others.replaceAll("\n", eol));
    }
  });

  test("is removed with its tables from between others, which keep their comments", async () => {
    const after = '\n# my projects\n[projects."/x"]\ntrust_level = "trusted"\n';
    await connectAndEdit((text) => withTable(withoutMarks(text) + after));
    await home.disconnect("codex");
    expect(home.read(config())).toBe(others + after);
  });

  test("is removed from around a table of the user's, which keeps its comments", async () => {
    const between = '\n[projects."/x"]\ntrust_level = "trusted"\n# more follows\n';
    const parted = '[mcp_servers.memsvc.env]\nAGENT_ID = "codex"\n';
    await connectAndEdit((text) => withoutMarks(text) + between + parted);
    await home.disconnect("codex");
    expect(home.read(config())).toBe(others + between);
  });

  test("replaces a mark that was left without an entry", async () => {
    const mark = "\n# >>> memsvc >>> written by memsvc connect\n";
    const after = '\n[projects."/x"]\ntrust_level = "trusted"\n';
    home.write(config(), others + mark + after);
    await home.connect("codex");
    const text = home.read(config()) ?? "";
    expect(text.startsWith(others + after)).toBe(true);
    expect(text.match(/>>> memsvc >>>/gu)).toHaveLength(1);
  });

  test("in an inline table is detected, and the conflict names the inline table", async () => {
    const text = 'mcp_servers = { memsvc = { command = "memsvc", args = ["mcp"] } }\n';
    home.write(config(), text);
    expect(connectedScopes(agentNamed("codex"), home.places)).toEqual(["user"]);
    for (const refused of [home.connect("codex"), home.disconnect("codex")]) {
      await expect(refused).rejects.toMatchObject({
        code: "conflict",
        hint: expect.stringContaining("inline table"),
      });
    }
    expect(home.read(config())).toBe(text);
  });
});
