import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { Agent, Scope } from "../../src/cli/connect/agent.ts";
import { agents } from "../../src/cli/connect/agents.ts";
import { applyConnection, applyRemoval, type WrittenFile } from "../../src/cli/connect/apply.ts";
import type { Places } from "../../src/cli/connect/places.ts";
import { filesOf, plannedConnection, plannedRemoval } from "../../src/cli/connect/plan.ts";

/** A user's home with agents' settings in it, which memsvc connects to in this process. */
export interface AgentHome {
  readonly places: Places;
  readonly memsvc: string;
  connect(agent: string, scope?: Scope): Promise<WrittenFile[]>;
  disconnect(agent: string, scope?: Scope): Promise<WrittenFile[]>;
  /** Paths of the settings files that are written for an agent. */
  paths(agent: string, scope?: Scope): string[];
  write(path: string, text: string, mode?: number): void;
  read(path: string): string | undefined;
  remove(): void;
}

export function agentNamed(name: string): Agent {
  const found = agents.find((agent) => agent.name === name);
  if (found === undefined) throw new Error(`no agent ${name}`);
  return found;
}

export function openAgentHome(): AgentHome {
  const folder = mkdtempSync(join(tmpdir(), "memsvc-agents-"));
  const [home, project, memsvc] = ["home", "project", "memsvc"].map((name) => join(folder, name));
  if (home === undefined || project === undefined || memsvc === undefined) throw new Error("no folders");
  for (const path of [home, project]) mkdirSync(path);
  const places: Places = { platform: "linux", home, project, env: {} };
  const request = (name: string, scope: Scope) => ({
    agent: agentNamed(name),
    scope,
    places,
    home: memsvc,
    flags: [],
  });
  return {
    places,
    memsvc,
    connect: async (name, scope = "user") =>
      applyConnection(plannedConnection(request(name, scope)), request(name, scope)),
    disconnect: async (name, scope = "user") =>
      applyRemoval(plannedRemoval(request(name, scope)), request(name, scope)),
    paths: (name, scope = "user") => filesOf(request(name, scope)).map(({ path }) => path(places)),
    write: (path, text, mode = 0o600) => {
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, text);
      chmodSync(path, mode);
    },
    read: (path) => (existsSync(path) ? readFileSync(path, "utf8") : undefined),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** The relative paths of everything below a folder, sorted. */
export function everyFile(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" }).sort();
}
