import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { dialects } from "../../capture/observations/hooks/hook-dialects.ts";
import { hookBehaviours } from "../observe/hook-behaviour.ts";
import { agents } from "./agents.ts";
import { cline } from "./cline-agent.ts";
import { hookedAgents } from "./hooked-agents.ts";
import { openCodeAgents } from "./opencode-agents.ts";
import { pi } from "./pi-agent.ts";

const namesOf = (rows: readonly { readonly name: string }[]) => rows.map(({ name }) => name).toSorted();

test("every agent whose hooks are connected has the behaviour of its hooks declared, and the reverse", () => {
  expect(namesOf(hookBehaviours), "hookedAgents and hookBehaviours have the same agents").toEqual(
    namesOf(hookedAgents),
  );
});

test("the payloads of every hooked agent are read as its own", () => {
  const spoken = dialects.map(({ agent }) => agent);
  const plugins = namesOf([...openCodeAgents, cline, pi]);
  const mute = namesOf(hookedAgents).filter((name) => !spoken.includes(name) && !plugins.includes(name));
  expect(mute, "each of these needs a dialect in capture/observations/hooks/hook-dialects.ts").toEqual([]);
});

test("the README lists every agent", () => {
  const readme = readFileSync(new URL("../../../README.md", import.meta.url), "utf8");
  const unlisted = namesOf(agents).filter((name) => !readme.includes(`\`${name}\``));
  expect(unlisted, "each of these belongs into the README's table of agents").toEqual([]);
});
