import { join } from "node:path";
import { expect } from "vitest";
import type { Invocation } from "../../src/cli/connect/invocation.ts";
import type { AgentHome } from "./agent-settings.ts";

/** An agent's plugin with a program that records what it is told, in place of memsvc. */
export interface LoadedPlugin<Plugin> {
  readonly plugin: Plugin;
  /** The events, once there are so many. */
  readonly told: (count: number) => Promise<object[]>;
  /** The arguments of each start of the program. */
  readonly starts: () => object[];
}

/** Loads a plugin. `answers`: what the program does with `events`. */
export async function loadPlugin<Plugin>(
  home: AgentHome,
  textFor: (invocation: Invocation) => string,
  answers = "",
): Promise<LoadedPlugin<Plugin>> {
  const file = (name: string) => join(home.places.home, name);
  const [log, runs, recorder] = [file("told.ndjson"), file("runs.ndjson"), file("recorder.mjs")];
  home.write(
    recorder,
    `import { appendFileSync, readFileSync } from "node:fs";
     appendFileSync(${JSON.stringify(runs)}, JSON.stringify(process.argv.slice(2)) + "\\n");
     const given = readFileSync(0, "utf8");
     appendFileSync(${JSON.stringify(log)}, given + "\\n");
     const events = given.split("\\n").map((line) => JSON.parse(line));
     ${answers}`,
  );
  const path = file("plugin.mjs");
  home.write(path, textFor({ program: [process.execPath, recorder], flags: [] }));
  const module = (await import(path)) as { readonly default: Plugin };
  const lines = (of: string) => (home.read(of) ?? "").split("\n").filter((line) => line !== "");
  return {
    plugin: module.default,
    told: async (count) => {
      await expect.poll(() => lines(log).length).toBe(count);
      return lines(log).map((line) => JSON.parse(line) as object);
    },
    starts: () => lines(runs).map((line) => JSON.parse(line) as object),
  };
}
