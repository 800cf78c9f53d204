import { resolve } from "node:path";
import { environmentBeside } from "../../config/home.ts";
import { MemsvcError } from "../../operation/errors.ts";
import { didYouMean } from "../../text/similar-names.ts";
import type { CommandContext, CommandRun } from "../command.ts";
import { isInstalled, type Scope } from "../connect/agent.ts";
import { agents } from "../connect/agents.ts";
import { applyConnection, applyRemoval, type WrittenFile } from "../connect/apply.ts";
import { connectedScopes } from "../connect/connection-state.ts";
import { contextHint } from "../connect/context-hint.ts";
import { historyHint } from "../connect/history-hint.ts";
import { installationNote, namingFor } from "../connect/invocation.ts";
import { placesOf } from "../connect/places.ts";
import { type PlannedFile, type PlanRequest, plannedConnection, plannedRemoval } from "../connect/plan.ts";
import { plannedDiffs } from "../connect/planned-diff.ts";
import { silencingNote, silencingOf } from "../connect/silenced-agents.ts";
import { homeWithoutEnvironment, storeHome } from "../location/store-home.ts";
import { colouredDiff } from "../render/coloured-diff.ts";
import { nothingChanged } from "../render/dry-run.ts";
import { printJson } from "../render/print-json.ts";
import { jsonLine } from "../render/text.ts";

/** Writes hooks and the MCP server into an agent's settings; without an agent it lists the known ones. */
export const connect: CommandRun = async (context, [named], flags) => {
  if (typeof named !== "string") return listAgents(context);
  const request = requestOf(context, named, flags);
  const plan = plannedConnection(request);
  if (flags.dryRun === true) return showChanges(context, request, plan);
  const files = await applyConnection(plan, request);
  const { terminal, globals } = context;
  const { agent, scope } = request;
  if (globals.json) {
    terminal.print(jsonLine({ agent: agent.name, scope, connected: true, files }));
    return 0;
  }
  const isNew = files.some(({ action }) => action !== "unchanged");
  terminal.print(isNew ? `connected ${agent.title}` : `${agent.title} is connected already`);
  for (const line of fileLines(context, files)) terminal.print(line);
  const note = installationNote(request.places, namingFor(scope, agent.isDesktop === true));
  const hint = contextHint([agent], context.configuration);
  const history = historyHint([agent], request.places);
  for (const said of isNew ? [agent.afterwards, note, hint, history] : [])
    if (said !== undefined) terminal.say(said);
  const silencing = silencingOf(agent, request.places);
  if (silencing !== undefined) terminal.say(silencingNote(silencing));
  return 0;
};

/** Removes our entries from an agent's settings. */
export const disconnect: CommandRun = async (context, [named], flags) => {
  const request = requestOf(context, String(named), flags);
  const plan = plannedRemoval(request);
  if (flags.dryRun === true) return showChanges(context, request, plan);
  const files = await applyRemoval(plan, request);
  const { terminal, globals } = context;
  const { agent, scope } = request;
  if (globals.json) {
    terminal.print(jsonLine({ agent: agent.name, scope, connected: false, files }));
    return 0;
  }
  const isGone = files.some(({ action }) => action !== "unchanged");
  terminal.print(isGone ? `disconnected ${agent.title}` : `${agent.title} is not connected`);
  for (const line of fileLines(context, isGone ? files : [])) terminal.print(line);
  return 0;
};

function requestOf(
  context: CommandContext,
  named: string,
  flags: Readonly<Record<string, unknown>>,
): PlanRequest {
  const agent = agents.find(({ name }) => name === named);
  if (agent === undefined) {
    const names = agents.map(({ name }) => name);
    throw new MemsvcError("not_found", `there is no agent ${named} that memsvc connects to`, {
      hint: didYouMean(named, names) ?? `one of ${names.join(", ")}`,
    });
  }
  const { scope = "user" } = flags;
  if (scope !== "user" && scope !== "project")
    throw new MemsvcError("invalid_input", `--scope must be user or project, not "${String(scope)}"`);
  const home = storeHome(context.globals);
  return { agent, scope, places: placesOf(context), home, flags: entryFlags(context, scope, home) };
}

/**
 * Flags for the entries, so that they use the same store as this command even if their environment does not name it.
 */
export function entryFlags({ globals, cwd }: CommandContext, scope: Scope, home: string): string[] {
  const isUsual = home === homeWithoutEnvironment();
  const namesHome = globals.home !== undefined || (scope === "user" && !isUsual);
  // The entry's --home would take precedence over a daemon that only the environment names, so that daemon's address is
  // written too.
  const url =
    globals.url ?? (namesHome ? environmentBeside(globals.home, process.env).MEMSVC_URL?.trim() : undefined);
  return [
    ...(namesHome ? ["--home", home] : []),
    ...(url ? ["--url", url] : []),
    ...(globals.secretFile === undefined ? [] : ["--secret-file", resolve(cwd, globals.secretFile)]),
  ];
}

function showChanges(
  { terminal, globals }: CommandContext,
  { agent, scope }: PlanRequest,
  plan: PlannedFile[],
): number {
  const files = plannedDiffs(plan);
  if (globals.json) {
    terminal.print(jsonLine({ agent: agent.name, scope, dryRun: true, files }));
    return 0;
  }
  for (const { diff } of files) terminal.print(colouredDiff(diff, terminal.paint));
  terminal.say(files.length === 0 ? "nothing would change" : nothingChanged);
  return 0;
}

function fileLines({ terminal }: CommandContext, files: readonly WrittenFile[]): string[] {
  return files.map(({ path, label, action, backup }) => {
    const kept = backup === undefined ? "" : `, backup in ${backup}`;
    return `  ${path}  ${terminal.paint.dim(doneTo[action](label) + kept)}`;
  });
}

const doneTo: Readonly<Record<WrittenFile["action"], (label: string) => string>> = {
  created: (label) => `made, with ${label}`,
  added: (label) => `has ${label}`,
  unchanged: () => "as it was",
  restored: () => "is again what it was before",
  taken: (label) => `edited since; without ${label}`,
  removed: () => "held nothing else, and is gone",
};

function listAgents({ terminal, globals, ...context }: CommandContext): number {
  const places = placesOf(context);
  const states = agents.map((agent) => ({
    name: agent.name,
    title: agent.title,
    installed: isInstalled(agent, places),
    connected: connectedScopes(agent, places),
  }));
  if (globals.json) {
    printJson({ terminal, globals }, { agents: states }, states);
    return 0;
  }
  const width = Math.max(...states.map(({ name }) => name.length));
  for (const { name, title, installed, connected } of states) {
    const without = installed ? "not connected" : "not found here";
    const state = connected.length > 0 ? `connected (${connected.join(", ")})` : without;
    terminal.print(`${terminal.paint.bold(name.padEnd(width))}  ${title}, ${state}`);
  }
  terminal.say("connect one: memsvc connect <agent>");
  return 0;
}
