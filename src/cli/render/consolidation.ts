import type { consolidate, consolidatePipeline, reflect } from "../../knowledge/consolidation/operations.ts";
import type { TierResults } from "../../knowledge/consolidation/tiers.ts";
import type { OutputOf } from "../../operation/define.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { type DryRunAnswer, dryRunVerb } from "./dry-run.ts";
import { counted } from "./quantity.ts";
import { oneLine } from "./text.ts";

type Paint = Terminal["paint"];
type Skipped = { readonly skipped: true; readonly reason: string };
type Taken<Name extends keyof TierResults> = Exclude<NonNullable<TierResults[Name]>, Skipped>;

const nameWidth = 11;
const longestWarning = 500;

export function renderConsolidated(answer: OutputOf<typeof consolidate>, { paint }: Terminal): string {
  if ("queued" in answer) return goesOn(answer.jobId);
  const { consolidated, totalObservations, memoryIds, reason } = answer;
  if (reason !== undefined)
    return `nothing to make memories of yet: ${counted(totalObservations, "important new observation")}`;
  return [
    `${counted(consolidated, "memory", "memories")} of ${counted(totalObservations, "important observation")}`,
    ...memoryIds.map((id) => `  ${id}`),
    ...tierLines(answer.results, paint),
    ...warningLines(answer.warning, paint),
  ].join("\n");
}

export function renderPipeline(answer: OutputOf<typeof consolidatePipeline>, { paint }: Terminal): string {
  if ("queued" in answer) return goesOn(answer.jobId);
  return [...tierLines(answer.results, paint, answer), ...warningLines(answer.warning, paint)].join("\n");
}

export function renderReflection(answer: OutputOf<typeof reflect>, { paint }: Terminal): string {
  if ("queued" in answer) return goesOn(answer.jobId);
  const { newInsights, reinforced, clustersProcessed, clustersSkipped, provider, warning } = answer;
  return [
    `${counted(newInsights, "new insight")}, ${reinforced} found again`,
    paint.dim(
      `${counted(clustersProcessed, "cluster")} looked at, ${clustersSkipped} skipped; ${by(provider)}`,
    ),
    ...warningLines(warning, paint),
  ].join("\n");
}

function tierLines(results: TierResults, paint: Paint, answered: DryRunAnswer = {}): string[] {
  const { working, episodic, semantic, reflect: insights, procedural, decay } = results;
  const line = <Tier extends { readonly provider: string }>(
    name: string,
    tier: Tier | Skipped | undefined,
    tell: (tier: Tier) => string,
  ): string[] => {
    if (tier === undefined) return [];
    const told =
      "reason" in tier
        ? paint.dim(`nothing to do (${tier.reason.replaceAll("_", " ")})`)
        : `${tell(tier)}${tier.provider === "extractive" ? "" : paint.dim(`; ${by(tier.provider)}`)}`;
    return [`${paint.bold(name.padEnd(nameWidth))} ${told}`];
  };
  return [
    ...line<Taken<"working">>(
      "working",
      working,
      ({ processed, pending }) => `${counted(processed, "observation")} completed, ${pending} waiting`,
    ),
    ...line<Taken<"episodic">>(
      "episodic",
      episodic,
      ({ summarized, alreadySummarized }) =>
        `${counted(summarized, "session")} summarised, ${alreadySummarized} up to date`,
    ),
    ...line<Taken<"semantic">>(
      "semantic",
      semantic,
      ({ newFacts, reinforced, findings = 0 }) =>
        `${counted(newFacts, "new fact")}, ${reinforced} came up again${findings === 0 ? "" : `, ${counted(findings, "finding")} kept`}`,
    ),
    ...line<Taken<"reflect">>(
      "reflect",
      insights,
      ({ newInsights, reinforced }) => `${counted(newInsights, "new insight")}, ${reinforced} found again`,
    ),
    ...line<Taken<"procedural">>(
      "procedural",
      procedural,
      ({ newProcedures, reinforced }) =>
        `${counted(newProcedures, "new procedure")}, ${reinforced} came up again`,
    ),
    ...line<Taken<"decay">>(
      "decay",
      decay,
      ({ semantic: facts, procedural: procedures, lessons, insights: faded }) =>
        `${counted(facts, "weak fact")}, ${counted(procedures, "weak procedure")}; ${dryRunVerb(answered, "dropped", "drop")} ${counted(lessons, "lesson")}, ${counted(faded, "insight")}`,
    ),
  ];
}

function by(provider: string): string {
  return provider === "extractive" ? "by rules" : `by ${provider}`;
}

function warningLines(warning: string | undefined, paint: Paint): string[] {
  return warning === undefined ? [] : [paint.yellow(oneLine(warning, longestWarning))];
}

function goesOn(jobId: string): string {
  return `it goes on in the background (${jobId})`;
}
