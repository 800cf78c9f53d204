import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { openAgentHome } from "../../../test/support/agent-settings.ts";
import { forEachTest } from "../../../test/support/for-each-test.ts";
import { silencedAgents, silencingNote } from "./silenced-agents.ts";

const home = forEachTest(openAgentHome);

const ofUser = (...path: readonly string[]) => join(home.places.home, ...path);
const ofProject = (...path: readonly string[]) => join(home.places.project, ...path);

/** What is said of the connected agents. */
function notes(): string[] {
  return silencedAgents(home.places).map(silencingNote);
}

describe("of an agent that is connected, it is told that it does not run our hooks", () => {
  test.each([
    ["claude-code", [".claude", "settings.json"], '{"disableAllHooks": true}', "disableAllHooks: true"],
    [
      "claude-code",
      [".claude", "remote-settings.json"],
      '\uFEFF{"allowManagedHooksOnly": true} // from the console',
      "allowManagedHooksOnly: true",
    ],
    ["codex", [".codex", "config.toml"], "[features]\nhooks = false\n", "features.hooks: false"],
    ["codex", [".codex", "config.toml"], "[features]\ncodex_hooks = false\n", "features.codex_hooks: false"],
    [
      "gemini-cli",
      [".gemini", "settings.json"],
      '{"hooksConfig": {"enabled": false}}',
      "hooksConfig.enabled: false",
    ],
    ["qwen-code", [".qwen", "settings.json"], '{"disableAllHooks": true}', "disableAllHooks: true"],
    [
      "droid",
      [".factory", "settings.json"],
      '{"hooks": {"hooksDisabled": true}}',
      "hooks.hooksDisabled: true",
    ],
    ["droid", [".factory", "hooks.json"], '{"hooksDisabled": true}', "hooksDisabled: true"],
  ])("if %s has %j with %s", async (agent, path, text, setting) => {
    home.write(ofUser(...path), text);
    expect(notes()).toEqual([]);
    await home.connect(agent);
    expect(notes()).toEqual([expect.stringContaining(`hooks of memsvc: ${setting} in ${ofUser(...path)}`)]);
  });

  test("if the project's own settings say so, but not if these turn hooks on again", async () => {
    await home.connect("claude-code");
    expect(notes()).toEqual([]);
    home.write(ofProject(".claude", "settings.json"), '{"disableAllHooks": true}');
    expect(notes()).toEqual([expect.stringContaining(ofProject(".claude", "settings.json"))]);
    home.write(ofProject(".claude", "settings.local.json"), '{"disableAllHooks": false}');
    expect(notes()).toEqual([]);
  });
});

test.each([
  '{"disableAllHooks": true',
  '{"disableAllHooks": "true"}',
  '{"disableAllHooks": false}',
  "[]",
  "",
])("settings as %j turn no hooks off", async (text) => {
  await home.connect("claude-code");
  home.write(ofProject(".claude", "settings.json"), text);
  expect(notes()).toEqual([]);
});
