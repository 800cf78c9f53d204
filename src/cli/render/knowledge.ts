import type { migrate } from "../../governance/migration/operations.ts";
import type { listFacts } from "../../knowledge/facts/operations.ts";
import type { listInsights, searchInsights } from "../../knowledge/insights/operations.ts";
import type { Insight } from "../../knowledge/insights/record.ts";
import type { listProcedures } from "../../knowledge/procedures/operations.ts";
import type { ProceduralMemory } from "../../knowledge/procedures/record.ts";
import type { OutputOf } from "../../operation/define.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { type Field, inColumns } from "./columns.ts";
import { pageLines } from "./page-lines.ts";
import { counted } from "./quantity.ts";
import { shownProject } from "./shown-project.ts";
import { oneLine } from "./text.ts";
import { shownMoment } from "./time.ts";

/** For lists that stay empty until consolidation is run or a setting enables it. */
function noneFound(what: string): string {
  return `no ${what} found; memsvc consolidate derives them from what is stored`;
}

export function renderFacts({ semantic, ...page }: OutputOf<typeof listFacts>, terminal: Terminal): string {
  return pageLines(page, semantic, terminal, noneFound("facts"), ({ id, fact, ...shown }) => {
    const day = shownMoment(shown.lastStatedAt ?? shown.createdAt, terminal.isForPeople).slice(0, 10);
    const doubts = `confidence ${shown.confidence.toFixed(2)}, strength ${shown.strength.toFixed(2)}`;
    const replaced = shown.replacedBy === undefined ? "" : `, replaced by ${shown.replacedBy}`;
    const told = [...shownProject(shown, terminal), day, `${doubts}${replaced}`].join(", ");
    return [id, { whole: fact }, terminal.paint.dim(told)];
  });
}

export function renderProcedures(
  { procedural, ...page }: OutputOf<typeof listProcedures>,
  terminal: Terminal,
): string {
  return pageLines(page, procedural, terminal, noneFound("procedures"), ({ id, name, ...shown }) => {
    const seen = `seen in ${counted(shown.sourceSessionIds.length, "session")}`;
    const told = [...shownProject(shown, terminal), ...occasionOf(shown), seen].join(", ");
    return [id, { whole: name }, terminal.paint.dim(told)];
  });
}

/** A procedure by rules has the most frequent concept of its sessions for a trigger. */
function occasionOf({
  triggerCondition,
  provider,
}: Pick<ProceduralMemory, "triggerCondition" | "provider">): string[] {
  if (triggerCondition === "") return [];
  return [`${provider === "extractive" ? "mostly about" : "when:"} ${oneLine(triggerCondition, 60)}`];
}

export function renderInsights(
  { insights, ...page }: OutputOf<typeof listInsights>,
  terminal: Terminal,
): string {
  return pageLines(page, insights, terminal, noneFound("insights"), (insight) =>
    insightRow(insight, terminal),
  );
}

export function renderFoundInsights(
  { insights }: OutputOf<typeof searchInsights>,
  terminal: Terminal,
): string {
  if (insights.length === 0) return "no insight matches";
  const rows = insights.map((insight) => insightRow(insight, terminal));
  return inColumns(rows, terminal).join("\n");
}

export function renderMigration(answer: OutputOf<typeof migrate>): string {
  if ("queued" in answer) return `the file is being imported: ${answer.jobId}`;
  if ("sessionCount" in answer) {
    const { sessionCount, obsCount, summaryCount, memoryCount, skipped } = answer;
    const taken = `${counted(sessionCount, "session")}, ${counted(obsCount, "observation")}, ${counted(summaryCount, "summary", "summaries")}, ${counted(memoryCount, "memory", "memories")}`;
    return `imported ${taken}; ${counted(skipped, "row")} changed nothing`;
  }
  const { updated, skipped, ambiguous, dryRun } = answer;
  const what = dryRun ? "would get a project" : "got a project";
  return `${counted(updated, "memory", "memories")} ${what}; ${skipped} without a stored source, ${ambiguous} of several projects`;
}

function insightRow(insight: Insight, terminal: Terminal): Field[] {
  const { id, title, content, confidence } = insight;
  const project = shownProject(insight, terminal).map(terminal.paint.dim);
  return [id, terminal.paint.dim(confidence.toFixed(2)), { whole: `${title}: ${content}` }, ...project];
}
