import { cutCodePoints } from "../../text/code-points.ts";
import { withSentenceEnd } from "../../text/sentence-ends.ts";
import { sentencesOf } from "../../text/sentences.ts";
import { lessonsIn } from "../crystals/by-rules.ts";
import type { Material } from "../crystals/material.ts";
import type { FlowSummary } from "./answers.ts";

const limits = { line: 300, outcome: 1_000, steps: 200, discoveries: 20, lesson: 2_000 } as const;
const discoveryCue =
  /\b(?:found|discovered|noticed|realised|realized|turns? out|turned out|because|caused? by)\b/iu;

/**
 * Without a model: a summary from the actions and their results. `whole`: the title of the action that they
 * are parts of.
 */
export function summarizeFlow({ actions }: Material, whole: string | undefined): FlowSummary {
  const results = actions.flatMap(({ result }) => (result === null ? [] : [result]));
  return {
    goal: cutCodePoints(whole ?? goalOf(actions), limits.line),
    outcome: cutCodePoints(outcomeOf(actions), limits.outcome),
    steps: actions
      .slice(0, limits.steps)
      .map(({ title, status }) => (status === "cancelled" ? `${title} (cancelled)` : title)),
    discoveries: discoveriesIn(results),
    lesson: cutCodePoints(lessonsIn(results).map(withSentenceEnd).join(" "), limits.lesson),
  };
}

function goalOf(actions: Material["actions"]): string {
  const [first, ...others] = actions;
  const title = first?.title ?? "";
  return others.length === 0 ? title : `${title}, and ${others.length} more`;
}

/** The last result, and how many are done unless all are. */
function outcomeOf(actions: Material["actions"]): string {
  const done = actions.filter(({ status }) => status === "done");
  const count = `${done.length} of ${actions.length} done`;
  const last = done.findLast(({ result }) => (result ?? "").trim() !== "")?.result?.trim();
  if (last === undefined) return count;
  return done.length === actions.length ? last : `${count}: ${last}`;
}

function discoveriesIn(texts: readonly string[]): string[] {
  const found = new Set<string>();
  for (const text of texts) {
    for (const sentence of sentencesOf(text)) {
      if (discoveryCue.test(sentence)) found.add(cutCodePoints(sentence, limits.line));
      if (found.size === limits.discoveries) return [...found];
    }
  }
  return [...found];
}
