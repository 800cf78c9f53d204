import { parse, stringify } from "smol-toml";
import { describe, expect, test } from "vitest";
import { agentNamed, openAgentHome } from "../../../test/support/agent-settings.ts";
import { forEachTest } from "../../../test/support/for-each-test.ts";
import { connectedScopes } from "./connection-state.ts";

const home = forEachTest(openAgentHome);

describe("the hooks of Kimi Code", () => {
  const config = () => home.paths("kimi-code")[0] ?? "";
  const others =
    '# mine\ndefault_model = "k2" # best\n\n[[hooks]] # bell\nevent = "Stop"\ncommand = "say done"\n';

  /** Connects, then edits the file that was written. */
  async function connectAndEdit(edit: (text: string) => string): Promise<string> {
    home.write(config(), others);
    await home.connect("kimi-code");
    const text = edit(home.read(config()) ?? "");
    home.write(config(), text);
    return text;
  }

  test("are as it reads them, once for each event", async () => {
    await home.connect("kimi-code");
    const hooks = Object.values(parse(home.read(config()) ?? "")).flat();
    const events = hooks.map((hook) => Reflect.get(Object(hook), "event"));
    expect(new Set(events).size).toBe(hooks.length);
    for (const hook of hooks)
      expect(hook).toEqual({
        event: expect.stringMatching(/^[A-Z][A-Za-z]+$/u),
        command: expect.stringMatching(/ observe --hook kimi-code$/u),
        timeout: expect.toSatisfy((seconds) => seconds === 10 || seconds === 30),
      });
  });

  const withoutMarks = (text: string) => text.replaceAll(/^# (?:>>>|<<<).*\n/gmu, "");
  const withTable = (text: string) => text.replace("# <<<", '[models.k2]\nmodel = "k2"\n# <<<');
  const amongOthers = (text: string) =>
    `${withoutMarks(text)}\n[[hooks]]\nevent = "Stop"\ncommand = "bell"\n`;

  test.each([
    ["whose marks are gone", withoutMarks, others],
    ["with a table between the marks", withTable, `${others}[models.k2]\nmodel = "k2"\n`],
    ["before another hook", amongOthers, `${others}\n[[hooks]]\nevent = "Stop"\ncommand = "bell"\n`],
  ])("%s are updated and removed, and others are kept", async (_, edit, left) => {
    const text = await connectAndEdit(edit);
    const files = await home.connect("kimi-code");
    expect(files.map(({ action }) => action)).toEqual(["unchanged", "unchanged"]);
    home.write(config(), text.replaceAll(process.execPath, "/elsewhere/node"));
    await home.connect("kimi-code");
    expect(home.read(config())).not.toContain("/elsewhere/node");
    await home.disconnect("kimi-code");
    expect(home.read(config())).toBe(left);
    expect(connectedScopes(agentNamed("kimi-code"), home.places)).toEqual([]);
  });

  test("are found and removed after Kimi Code has rewritten the file", async () => {
    await connectAndEdit((text) => stringify({ ...parse(text), theme: "dark" }));
    await home.connect("kimi-code");
    await home.disconnect("kimi-code");
    expect(parse(home.read(config()) ?? "")).toEqual({ ...parse(others), theme: "dark" });
  });

  test("are not written beside hooks in an inline list, and the hint says why", async () => {
    const text = 'hooks = [ { event = "Stop", command = "say done" } ]\n';
    home.write(config(), text);
    await expect(home.connect("kimi-code")).rejects.toMatchObject({
      code: "conflict",
      hint: expect.stringContaining("write it as tables"),
    });
    expect(home.read(config())).toBe(text);
  });
});
