import { statSync } from "node:fs";
import { dirname, resolve } from "node:path";
import type { Projects } from "../../capture/projects/projects.ts";
import type { AgentScopes, ScopeRequest } from "../../capture/sessions/agent-scope.ts";
import { featureOff } from "../../config/feature-flag-table.ts";
import type { Audit } from "../../governance/audit/audit.ts";
import type { Ground } from "../../ground.ts";
import {
  allProjectKeys,
  type StrongMemory,
  strongestMemories,
} from "../../knowledge/memories/recall-candidates.ts";
import type { Profiles } from "../../knowledge/profiles/profiles.ts";
import { MemsvcError } from "../../operation/errors.ts";
import { replaceIf, writeDurably } from "../../paths/durable-file.ts";
import { expandHome } from "../../paths/expand-home.ts";
import { isStill } from "../../paths/is-still.ts";
import { makeFolder } from "../../paths/make-folder.ts";
import { removeUnfinishedOf } from "../../paths/remove-unfinished.ts";
import { cutCodePoints } from "../../text/code-points.ts";
import { beginsWith } from "../../text/cut.ts";
import { plainLine } from "../plain-line.ts";
import type { MemoryFile, Synced } from "./answers.ts";
import { memoryFilePath, readMemoryFile, realFile, withFile } from "./memory-file.ts";
import { sectionsOf, withSection } from "./section.ts";

const heading = "## What memsvc remembers";
const longestLine = 240;
/** Another program may write the file while we update it; after so many attempts the update gives up. */
const mostTries = 3;

interface Services {
  readonly agents: AgentScopes;
  readonly audit: Audit;
  readonly profiles: Profiles;
  readonly projects: Projects;
}

/** The agent whose memory file it is: the one that the caller names, else the setting AGENT_ID. */
type Worker = Pick<ScopeRequest, "defaultAgentId">;

interface SyncInput extends Worker {
  readonly dryRun?: boolean | undefined;
}

interface Section {
  readonly lines: readonly string[];
  readonly memories: number;
}

/** Keeps one section of a coding agent's own memory file up to date. */
export class Bridge {
  readonly #ground: Ground;
  readonly #services: Services;
  readonly #userHome: string;

  constructor(ground: Ground, services: Services, userHome: string) {
    this.#ground = ground;
    this.#services = services;
    this.#userHome = userHome;
  }

  /** The file as it is. Errors: feature_off, invalid_input, forbidden, too_large. */
  async read(): Promise<MemoryFile> {
    const path = this.#path();
    const text = await withFile(path, () => readMemoryFile(path));
    if (text === undefined) return { content: "", sections: {}, path, parsed: false };
    return { content: text, sections: sectionsOf(text), path, parsed: true };
  }

  /**
   * Writes the section; with `dryRun` only tells whether it would change the file. Errors: feature_off,
   * invalid_input, forbidden, too_large; conflict when another program changes the file at every attempt.
   */
  async sync({ dryRun = false, ...worker }: SyncInput): Promise<Synced> {
    const path = this.#path();
    const section = await this.#section(worker);
    const answer = { path, lines: section.lines.length, memories: section.memories };
    const changed = await withFile(path, () => bringUpToDate(path, section.lines, dryRun));
    if (changed && !dryRun) await this.#note(answer, worker);
    return { ...answer, changed, ...(dryRun ? { dryRun: true as const } : {}) };
  }

  async #section(worker: Worker): Promise<Section> {
    const { store, now, settings } = this.#ground;
    const { agents, profiles, projects } = this.#services;
    const { sql } = store.read;
    const filter = await agents.readerIfNamed(sql, worker);
    if (filter === undefined) {
      throw new MemsvcError("invalid_input", "agents are isolated here, and AGENT_ID is not set", {
        hint: "set AGENT_ID to the agent whose memories the file is for",
      });
    }
    const project = this.#project();
    const profile = project === undefined ? undefined : await profiles.get({ project, ...worker });
    const head = [
      heading,
      "",
      ...(profile === undefined || profile.reason === "no_sessions"
        ? []
        : [oneLine(profile.profile.summary), ""]),
    ].slice(0, settings.bridgeLineBudget);
    const keys = project === undefined ? await allProjectKeys(sql) : await projects.readKeys(sql, project);
    const room = settings.bridgeLineBudget - head.length;
    const strongest = room === 0 ? [] : await strongestMemories(sql, { keys, filter, now: now() }, room);
    const lines = [...head, ...strongest.map(lineOf)];
    while (lines.at(-1) === "") lines.pop();
    return { lines, memories: strongest.length };
  }

  async #note({ path, lines, memories }: Omit<Synced, "changed">, worker: Worker): Promise<void> {
    const { agents, audit } = this.#services;
    await this.#ground.store.write(async (tx) =>
      audit.record(tx, {
        operation: "bridge_sync",
        functionId: "bridge.sync",
        targetIds: [],
        details: { path, lines, memories },
        agentId: await agents.writer(tx.sql, worker),
      }),
    );
  }

  #project(): string | undefined {
    const { bridgeProjectPath } = this.#ground.settings;
    return bridgeProjectPath === undefined
      ? undefined
      : resolve(expandHome(bridgeProjectPath, this.#userHome));
  }

  #path(): string {
    const path = memoryFilePath(this.#ground.settings, this.#userHome);
    if (path === undefined) throw featureOff("MEMSVC_BRIDGE_ENABLED");
    return path;
  }
}

/** Returns whether the file changed, or in a dry run would change. */
async function bringUpToDate(path: string, section: readonly string[], dryRun: boolean): Promise<boolean> {
  const file = realFile(path);
  for (let attempt = 0; attempt < mostTries; attempt += 1) {
    const before = await readMemoryFile(file);
    const after = withSection(before ?? "", section);
    if (after === before) return false;
    if (dryRun) return true;
    if (before === undefined) makeFolder(dirname(file));
    await removeUnfinishedOf(file);
    if (before !== undefined) await writeDurably(`${file}.memsvc-backup`, before, modeOf(file));
    const isMeant = () => isStill(file, before);
    if (await replaceIf(file, after, { mode: modeOf(file), isMeant })) return true;
  }
  throw new MemsvcError("conflict", `${path} is being changed by another program`, {
    hint: "try again when no other program is changing it",
  });
}

function modeOf(file: string): number {
  return (statSync(file, { throwIfNoEntry: false })?.mode ?? 0o600) & 0o777;
}

function lineOf({ type, title, content }: StrongMemory): string {
  const body = oneLine(content);
  const name = oneLine(title);
  // Where no title was given, the title is the beginning of the content.
  const text = beginsWith(body, name) ? body : `${name}: ${body}`;
  return `- (${type}) ${cut(text)}`;
}

function cut(text: string): string {
  const short = cutCodePoints(text, longestLine);
  return short.length < text.length ? `${short.trimEnd()}…` : short;
}

/** Puts a text on one line and breaks `<!--`, which would begin a comment that hides the rest of the file. */
function oneLine(text: string): string {
  return plainLine(text).replaceAll("<!--", "< !--");
}
