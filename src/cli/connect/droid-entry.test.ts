import { describe, expect, test } from "vitest";
import { agentNamed, openAgentHome } from "../../../test/support/agent-settings.ts";
import { forEachTest } from "../../../test/support/for-each-test.ts";
import { connectedScopes } from "./connection-state.ts";

const home = forEachTest(openAgentHome);

const group = {
  hooks: [{ type: "command", command: expect.stringMatching(/ observe --hook droid$/u), timeout: 10 }],
};

describe("the hooks of Droid", () => {
  const inFolder = (name: string) => `${home.places.home}/.factory/${name}`;
  const bell = { hooks: [{ type: "command", command: "say done" }] };
  const others = `${JSON.stringify({ hooksDisabled: false, Stop: [bell] }, null, 2)}\n`;

  test("are in its settings", async () => {
    await home.connect("droid");
    expect(JSON.parse(home.read(inFolder("settings.json")) ?? "")).toMatchObject({
      hooks: { SessionStart: [group], Stop: [group] },
    });
    expect(home.read(inFolder("hooks.json"))).toBeUndefined();
  });

  test.each(["hooks.json", "hooks/hooks.json"])(
    "are in %s if there is one, because it hides what the settings list",
    async (name) => {
      home.write(inFolder(name), others);
      await home.connect("droid");
      expect(JSON.parse(home.read(inFolder(name)) ?? "")).toMatchObject({
        hooksDisabled: false,
        SessionStart: [group],
        Stop: [bell, group],
      });
      expect(home.read(inFolder("settings.json"))).toBeUndefined();
      const again = await home.connect("droid");
      expect(again.map(({ action }) => action)).toEqual(["unchanged", "unchanged"]);
      await home.disconnect("droid");
      expect(home.read(inFolder(name))).toBe(others);
    },
  );

  test("in a file of their own that was edited since are removed, and others are kept", async () => {
    home.write(inFolder("hooks.json"), "{}\n");
    await home.connect("droid");
    const written = JSON.parse(home.read(inFolder("hooks.json")) ?? "") as Record<string, object[]>;
    const edited = { ...written, Stop: [...(written.Stop ?? []), bell] };
    home.write(inFolder("hooks.json"), JSON.stringify(edited));
    await home.disconnect("droid");
    expect(JSON.parse(home.read(inFolder("hooks.json")) ?? "")).toEqual({ Stop: [bell] });
    expect(connectedScopes(agentNamed("droid"), home.places)).toEqual([]);
  });

  test("are removed from both files after Droid has made one for hooks alone", async () => {
    await home.connect("droid");
    home.write(inFolder("hooks.json"), others);
    await home.connect("droid");
    expect(home.read(inFolder("hooks.json"))).toContain("observe --hook droid");
    await home.disconnect("droid");
    expect(home.read(inFolder("hooks.json"))).toBe(others);
    expect(home.read(inFolder("settings.json"))).toBeUndefined();
  });
});
