import { statSync } from "node:fs";
import { databaseFile } from "../../config/home.ts";
import { fileSize } from "../../paths/file-size.ts";
import { version } from "../../version.ts";
import type { CommandContext, CommandRun } from "../command.ts";
import { placesOf } from "../connect/places.ts";
import { reachableDaemonUrl } from "../daemon/daemon-address.ts";
import { otherVersion } from "../daemon/other-version.ts";
import { usesExternalStore } from "../location/external-store.ts";
import { visibleRows } from "../names/visible-rows.ts";
import { operations } from "../operations/operations.ts";
import { modelLine } from "../render/governance.ts";
import { counted, shownBytes } from "../render/quantity.ts";
import { jsonLine, oneLine } from "../render/text.ts";
import { shownTime } from "../render/time.ts";
import { hangingIndent } from "../render/wrap-lines.ts";

/** Shows what is running, what is stored, what is wrong, and a sensible next command. */
export const run: CommandRun = async (context) => {
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
    return 0;
  }
  const { paint } = terminal;
  const told =
    daemon === undefined ? "no daemon (start it: memsvc daemon start)" : paint.green(`daemon at ${daemon}`);
  terminal.print(`${paint.bold(`memsvc ${version}`)}  ${told}`);
  if (!usesExternalStore(context)) terminal.print(`home       ${home}, ${sizeOf(databaseFile(home))}`);
  terminal.print(
    `stored     ${counted(memories, "memory", "memories")}, ${counted(recent.total, "session")}`,
  );
  terminal.print(`search     ${searchedBy(report.health.index)}`);
  const { llm } = report;
  terminal.print(`model      ${llm.provider === "noop" ? "no language model" : modelLine(llm)}`);
  terminal.print(`jobs       ${report.health.jobs.queued} waiting, ${report.health.jobs.failed} failed`);
  for (const { kind, since, done } of report.runningJobs) {
    const steps = done.length === 0 ? "" : `, done: ${done.join(", ")}`;
    terminal.print(paint.dim(`running    ${kind}, ${shownTime(since, terminal.isForPeople)}${steps}`));
  }
  for (const session of recent.sessions) {
    terminal.print(
      paint.dim(
        hangingIndent(
          "session    ",
          `${oneLine(session.id, 80)}  ${oneLine(session.project, 40)}, ${counted(session.observationCount, "observation")}, ${shownTime(session.startedAt, terminal.isForPeople)}`,
          terminal.columns,
        ),
      ),
    );
  }
  const isOther = otherVersion(where, home, report.version);
  if (isOther !== undefined) terminal.print(paint.yellow(`version    ${isOther}`));
  for (const note of report.health.notes) terminal.print(paint.dim(`note       ${oneLine(note, 300)}`));
  for (const alert of report.health.alerts) terminal.print(paint.yellow(`alert      ${alert}`));
  const { error } = report.health.kvConnectivity;
  if (error !== undefined) terminal.print(paint.yellow(`alert      ${error}`));
  if (terminal.isForPeople) {
    const [{ summarizeConnections }, { suggestedCommand }] = await Promise.all([
      import("../connect/connection-summary.ts"),
      import("../help/suggested-command.ts"),
    ]);
    const agents = summarizeConnections(placesOf(context));
    if (agents.connected.length > 0) terminal.print(`agents     ${agents.connected.join(", ")}`);
    const [isCritical, hasDaemon] = [report.status === "critical", daemon !== undefined];
    terminal.print(`next       ${suggestedCommand({ ...agents, isCritical, hasDaemon, memories })}`);
  }
  return report.status === "critical" ? 1 : 0;
};

/** The search streams in use, and how many vectors are still missing. */
function searchedBy(index: {
  model: string;
  documents: number;
  vectors: number;
  pendingEmbeddings: number;
}): string {
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
