import { statSync } from "node:fs";
import { isAbsolute } from "node:path";
import type { Settings } from "../../config/load.ts";
import { validateForStart } from "../../config/validate-for-start.ts";
import { isMemsvcError } from "../../operation/errors.ts";
import { version } from "../../version.ts";
import type { EntryCall } from "../callers/caller.ts";
import type { CommandContext, CommandRun } from "../command.ts";
import type { StartedProgram } from "../connect/connection-state.ts";
import type { OtherVersion } from "../connect/other-versions.ts";
import type { PartialConnection } from "../connect/partial-connections.ts";
import { placesOf } from "../connect/places.ts";
import { reachableDaemonUrl } from "../daemon/daemon-address.ts";
import { otherVersion } from "../daemon/other-version.ts";
import { usesExternalStore } from "../location/external-store.ts";
import { terminalOfStore } from "../location/same-store.ts";
import { moveHint, type ProbableMove, probableMoves } from "../names/moved-projects.ts";
import { visibleProjects } from "../names/visible-projects.ts";
import { visibleRows } from "../names/visible-rows.ts";
import { operations } from "../operations/operations.ts";
import { dryRunVerb, nothingChanged } from "../render/dry-run.ts";
import { renderAnswer } from "../render/render-answer.ts";
import { jsonLine, oneLine, printable } from "../render/text.ts";
import { hangingIndent } from "../render/wrap-lines.ts";
import type { Terminal } from "../terminal/terminal.ts";

/** Checks for problems and says how to solve them; with --fix it repairs what it can. */
export const run: CommandRun = async (context, _positional, flags) => {
  const { home } = context.configuration();
  if (!usesExternalStore(context) && statSync(home, { throwIfNoEntry: false }) === undefined)
    return reportEmptyHome(context);
  const found = await examined(context, flags);
  if (context.globals.json) context.terminal.print(jsonLine(findings(found)));
  else printFindings(terminalOfStore(context), found);
  const { diagnosis, broken, partial, silenced, refusal, locked } = found;
  const isAnyWrong =
    diagnosis.summary.fail > 0 ||
    broken.length + partial.length + silenced.length > 0 ||
    refusal !== undefined ||
    locked !== undefined;
  return isAnyWrong ? 1 : 0;
};

function reportEmptyHome({ configuration, terminal, globals }: CommandContext): number {
  const { home, warnings } = configuration();
  if (globals.json) terminal.print(jsonLine({ home, checks: [], settings: warnings }));
  else {
    terminal.print(`nothing stored yet in ${home}, so nothing can be wrong with it`);
    for (const line of settingLines(warnings, terminal)) terminal.print(line);
  }
  return 0;
}

type Examined = Awaited<ReturnType<typeof examined>>;

async function examined(context: CommandContext, flags: Readonly<Record<string, unknown>>) {
  const { home, settings, warnings } = context.configuration();
  const { call, where } = await context.caller();
  // First, because for this request a hanging daemon is recognised soonest.
  const { health, version: running } = await call(operations.health, {});
  const lockMet = health.connectionState === "connected" ? health.kvConnectivity.error : undefined;
  const healing =
    flags.fix === true ? await call(operations.heal, { dryRun: flags.dryRun === true }) : undefined;
  const diagnosis = await call(operations.diagnose, {});
  const { brokenConnections } = await import("../connect/connection-state.ts");
  const broken = brokenConnections(placesOf(context));
  const { otherVersions } = await import("../connect/other-versions.ts");
  const { partialConnections } = await import("../connect/partial-connections.ts");
  const partial = partialConnections(placesOf(context), home);
  const { silencedAgents, silencingNote } = await import("../connect/silenced-agents.ts");
  const silenced = silencedAgents(placesOf(context)).map((one) => ({ ...one, note: silencingNote(one) }));
  const daemon = reachableDaemonUrl(where, home);
  const refusal = daemon === undefined ? startRefusal(settings) : undefined;
  // What a repair has just left over, another one would leave too.
  const isFixable = diagnosis.summary.fixable > 0 && (healing === undefined || healing.dryRun);
  const ahead: Outlook =
    healing ?? (isFixable && !context.globals.json && lockMet === undefined ? await outlook(call) : {});
  return {
    home,
    warnings,
    health,
    healing,
    diagnosis,
    broken,
    otherVersions: otherVersions(placesOf(context)),
    partial,
    silenced,
    moves: usesExternalStore(context) ? [] : await movesSeen(call, settings),
    daemon,
    refusal,
    locked: lockMet ?? ahead.locked,
    wouldFix: isFixable && (ahead.fixed ?? 0) > 0,
    otherVersion: otherVersion(where, home, running),
  };
}

/** Projects that were probably moved. Folders of a store that is not of this machine may be elsewhere. */
async function movesSeen(call: EntryCall, settings: Settings): Promise<ProbableMove[]> {
  return probableMoves(await visibleProjects(call, visibleRows(settings)));
}

/** The findings for programs. */
function findings({
  home,
  warnings,
  healing,
  diagnosis,
  broken,
  partial,
  silenced,
  moves,
  refusal,
  locked,
}: Examined): object {
  return {
    home,
    ...diagnosis,
    ...(locked === undefined ? {} : { locked }),
    settings: refusal === undefined ? warnings : [...warnings, refusal.problem],
    brokenAgents: broken.map(named),
    halfConnectedAgents: partial.map(named),
    silencedAgents: silenced.map(named),
    movedProjects: moves,
    ...(healing === undefined ? {} : { healing }),
  };
}

function printFindings(terminal: Terminal, found: Examined): void {
  const { paint, print, columns } = terminal;
  const { warnings, health, healing, diagnosis, broken, partial, silenced, locked } = found;
  if (healing !== undefined && healing.fixed > 0) printHealing(terminal, healing);
  print(renderAnswer("diagnostics.run", diagnosis, terminal));
  if (locked !== undefined) print(paint.yellow(hangingIndent("locked      ", locked, columns)));
  for (const line of daemonLines(found, terminal)) print(line);
  if (found.otherVersion !== undefined) print(paint.yellow(`version     ${found.otherVersion}`));
  for (const line of settingLines(warnings, terminal)) print(line);
  if (health.index.model === "none")
    print(paint.dim("search      by words and relations, without an embedding model"));
  for (const note of health.notes)
    print(paint.dim(hangingIndent("note        ", oneLine(note, 300), columns)));
  for (const move of found.moves) printMove(terminal, move);
  for (const connection of broken) printBroken(terminal, connection);
  for (const connection of found.otherVersions) printOtherVersion(terminal, connection);
  for (const connection of partial) printPartial(terminal, connection);
  for (const { note } of silenced) print(paint.yellow(`agent       ${note}`));
  if (found.wouldFix) print("fix what can be fixed: memsvc doctor --fix");
}

/** Where the daemon runs, or why none would start. */
function daemonLines({ daemon, refusal }: Examined, { paint }: Terminal): string[] {
  if (daemon !== undefined) return [paint.dim(`daemon      a daemon runs at ${daemon}`)];
  if (refusal === undefined) return [paint.dim("daemon      no daemon runs; memsvc daemon start starts one")];
  const hint = refusal.hint === undefined ? [] : [`hint: ${refusal.hint}`];
  return [paint.yellow(`daemon      none starts: ${refusal.problem}`), ...hint];
}

/** What a repair would fix, or why that cannot be said yet. */
interface Outlook {
  readonly fixed?: number;
  readonly locked?: string;
}

async function outlook(call: EntryCall): Promise<Outlook> {
  try {
    return await call(operations.heal, { dryRun: true });
  } catch (error) {
    if (!isMemsvcError(error, "unavailable")) throw error;
    return { locked: error.message };
  }
}

/** Why a daemon would refuse to start, as far as the settings show. */
function startRefusal(
  settings: Settings,
): { readonly problem: string; readonly hint?: string | undefined } | undefined {
  try {
    validateForStart(settings);
    return undefined;
  } catch (error) {
    if (!isMemsvcError(error)) throw error;
    return { problem: error.message, hint: error.hint };
  }
}

function settingLines(warnings: readonly string[], { paint, columns }: Terminal): string[] {
  return warnings.map((warning) =>
    paint.yellow(hangingIndent("settings    ", oneLine(warning, 300), columns)),
  );
}

function printHealing({ print, say, paint }: Terminal, healing: NonNullable<Examined["healing"]>): void {
  print(paint.green(`${dryRunVerb(healing, "fixed", "fix")}: ${healing.fixed}`));
  for (const line of healing.details.slice(0, 20)) print(paint.dim(`  ${printable(line)}`));
  if (healing.dryRun) say(nothingChanged);
}

function printBroken({ print, paint }: Terminal, connection: StartedProgram): void {
  const { agent, path, program } = connection;
  const where = isAbsolute(program) ? "there" : "in the PATH";
  print(paint.yellow(`agent       ${agent.title} starts ${program}, which is not ${where} (${path})`));
  print(connectAgain(connection));
}

function printOtherVersion({ print, paint }: Terminal, connection: OtherVersion): void {
  const { agent, path, program } = connection;
  const told = `${agent.title} starts memsvc ${connection.version}, and this is ${version}`;
  print(paint.yellow(`agent       ${told} (${program} in ${path})`));
  print(connectAgain(connection));
}

function printPartial({ print, paint }: Terminal, connection: PartialConnection): void {
  const { agent, path } = connection;
  print(paint.yellow(`agent       ${agent.title} is connected only in part: ${path} has no entry of memsvc`));
  print(connectAgain(connection));
}

function printMove({ print, paint }: Terminal, move: ProbableMove): void {
  print(paint.yellow(printable(`project     the folder ${move.from} is gone`)));
  print(printable(moveHint(move)));
}

function connectAgain({ agent, scope }: Pick<StartedProgram, "agent" | "scope">): string {
  return `connect it again: memsvc connect ${agent.name}${scope === "project" ? " --scope project" : ""}`;
}

function named<One extends Pick<StartedProgram, "agent">>(connection: One) {
  return { ...connection, agent: connection.agent.name };
}
