import { statSync } from "node:fs";
import type { listSessions } from "../../capture/sessions/operations.ts";
import { databaseFile } from "../../config/home.ts";
import type { health } from "../../governance/health/operations.ts";
import type { Answer } from "../../operation/define.ts";
import { fileSize } from "../../paths/file-size.ts";
import { version } from "../../version.ts";
import type { CommandContext, CommandRun } from "../command.ts";
import { placesOf } from "../connect/places.ts";
import { reachableDaemonUrl } from "../daemon/daemon-address.ts";
import { otherVersion } from "../daemon/other-version.ts";
import { usesExternalStore } from "../location/external-store.ts";
import { terminalOfStore } from "../location/same-store.ts";
import { visibleRows } from "../names/visible-rows.ts";
import { exitCodeOf } from "../operations/exit-code.ts";
import { operations } from "../operations/operations.ts";
import { modelLine } from "../render/governance.ts";
import { counted, shownBytes } from "../render/quantity.ts";
import { jsonLine, oneLine } from "../render/text.ts";
import { shownTime } from "../render/time.ts";
import { hangingIndent } from "../render/wrap-lines.ts";
import type { Terminal } from "../terminal/terminal.ts";

/** Shows what is running, what is stored, what is wrong, and a sensible next command. */
export const run: CommandRun = async (given) => {
  const context = { ...given, terminal: terminalOfStore(given) };
  const { home, settings } = context.configuration();
  const { terminal, globals } = context;
  // A store that this user may not read exists all the same: then the system's error is reported.
  if (!usesExternalStore(context) && statSync(databaseFile(home), { throwIfNoEntry: false }) === undefined)
    return showEmptyHome(context, home);
  const { call, where } = await context.caller();
  const visible = visibleRows(settings);
  const report = await call(operations.health, {});
  const counts = await call(operations.listMemories, { count: true, ...visible });
  const recent = await call(operations.listSessions, { limit: 3, ...visible });
  const daemon = reachableDaemonUrl(where, home);
  const memories = "latestCount" in counts ? counts.latestCount : counts.total;
  const exit = exitCodeOf(operations.health, report);
  if (globals.json) {
    terminal.print(
      jsonLine({
        home,
        daemon: daemon ?? null,
        memories,
        sessions: recent.total,
        ...report,
      }),
    );
    return exit;
  }
  const found = { daemon, report, memories, recent };
  for (const line of stateLines(context, found)) terminal.print(line);
  for (const line of warningLines(terminal, report, otherVersion(where, home, report.version)))
    terminal.print(line);
  if (terminal.isForPeople) await printNext(context, found);
  return exit;
};

type Report = Answer<(typeof health)["output"]>;

interface Found {
  /** The daemon's address. */
  readonly daemon: string | undefined;
  readonly report: Report;
  readonly memories: number;
  readonly recent: Answer<(typeof listSessions)["output"]>;
}

function stateLines(context: CommandContext, { daemon, report, memories, recent }: Found): string[] {
  const { home } = context.configuration();
  const { paint, isForPeople, columns } = context.terminal;
  const { llm, health: snapshot } = report;
  const where =
    daemon === undefined ? "no daemon (start it: memsvc daemon start)" : paint.green(`daemon at ${daemon}`);
  return [
    `${paint.bold(`memsvc ${version}`)}  ${where}`,
    ...(usesExternalStore(context) ? [] : [`home       ${home}, ${sizeOf(databaseFile(home))}`]),
    `stored     ${counted(memories, "memory", "memories")}, ${counted(recent.total, "session")}`,
    `search     ${searchedBy(snapshot.index)}`,
    `model      ${llm.provider === "noop" ? "no language model" : modelLine(llm)}`,
    `jobs       ${snapshot.jobs.queued} waiting, ${snapshot.jobs.failed} failed`,
    ...report.runningJobs.map(({ kind, since, done }) => {
      const steps = done.length === 0 ? "" : `, done: ${done.join(", ")}`;
      return paint.dim(`running    ${kind}, ${shownTime(since, isForPeople)}${steps}`);
    }),
    ...recent.sessions.map(({ id, project, observationCount, startedAt }) => {
      const facts = `${oneLine(project, 40)}, ${counted(observationCount, "observation")}, ${shownTime(startedAt, isForPeople)}`;
      return paint.dim(hangingIndent("session    ", `${oneLine(id, 80)}  ${facts}`, columns));
    }),
  ];
}

function warningLines(
  { paint, columns }: Terminal,
  { health: snapshot }: Report,
  runningVersion: string | undefined,
): string[] {
  const { notes, alerts, kvConnectivity } = snapshot;
  const { error } = kvConnectivity;
  return [
    ...(runningVersion === undefined ? [] : [paint.yellow(`version    ${runningVersion}`)]),
    ...notes.map((note) => paint.dim(hangingIndent("note       ", oneLine(note, 300), columns))),
    ...[...alerts, ...(error === undefined ? [] : [error])].map((alert) =>
      paint.yellow(hangingIndent("alert      ", alert, columns)),
    ),
  ];
}

/** Prints the connected agents and a sensible next command. */
async function printNext(context: CommandContext, { daemon, report, memories }: Found): Promise<void> {
  const { print } = context.terminal;
  const [{ summarizeConnections }, { suggestedCommand }] = await Promise.all([
    import("../connect/connection-summary.ts"),
    import("../help/suggested-command.ts"),
  ]);
  const agents = summarizeConnections(placesOf(context));
  if (agents.connected.length > 0) print(`agents     ${agents.connected.join(", ")}`);
  const [isCritical, hasDaemon] = [report.status === "critical", daemon !== undefined];
  print(`next       ${suggestedCommand({ ...agents, isCritical, hasDaemon, memories })}`);
}

/** The search streams in use, and how many vectors are still missing. */
function searchedBy(index: Report["health"]["index"]): string {
  const { model, documents, vectors, pendingEmbeddings } = index;
  if (model === "none") return "words and relations; no embedding model";
  const waiting = pendingEmbeddings === 0 ? "" : `, ${pendingEmbeddings} waiting`;
  const leftOut = documents - vectors - pendingEmbeddings;
  const without = leftOut > 0 ? `, ${leftOut} without vectors (why: memsvc doctor)` : "";
  return `words, relations and ${model}: ${counted(vectors, "record")} embedded${waiting}${without}`;
}

function showEmptyHome({ terminal, globals }: CommandContext, home: string): number {
  if (globals.json) {
    terminal.print(jsonLine({ version, home, daemon: null, memories: 0, sessions: 0 }));
    return 0;
  }
  terminal.print(`${terminal.paint.bold(`memsvc ${version}`)}  nothing stored yet in ${home}`);
  terminal.print(
    'see it work: memsvc demo\nset it up: memsvc init\nstore something: memsvc remember "…"\nrun the daemon: memsvc daemon start',
  );
  return 0;
}

/** Size of a database on disk, including its write-ahead log. */
function sizeOf(file: string): string {
  return shownBytes(fileSize(file) + fileSize(`${file}-wal`));
}
