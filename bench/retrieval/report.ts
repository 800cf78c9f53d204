import { type Quality, qualityNames } from "./figures.ts";
import type { AgentResult } from "./run-agent-set.ts";
import type { SetResult } from "./run-set.ts";

const shownNames: Readonly<Record<keyof Quality, string>> = {
  hit1: "hit@1",
  recall5: "R@5",
  recall10: "R@10",
  ndcg10: "nDCG@10",
  mrr10: "MRR@10",
};

/** A Markdown table with rows for each set: the held-out half, the tuning half, and plain FTS5. */
export function tableOf(results: readonly SetResult[]): string {
  const head = ["set", "", ...qualityNames.map((name) => shownNames[name]), "ms p50 / p95"];
  const rows = results.flatMap(({ name, memsvc, plainFts, msPerQuery }) => [
    [
      name,
      "held out",
      ...shares(memsvc.heldOut),
      `${msPerQuery.p50.toFixed(1)} / ${msPerQuery.p95.toFixed(1)}`,
    ],
    ["", "tuning", ...shares(memsvc.tuning), ""],
    ["", "FTS5, held out", ...shares(plainFts.heldOut), ""],
  ]);
  return markdown([head, ...rows]);
}

/** The same for the agent set, by kind of question. */
export function agentTable({ observations, byKind, all, honest, doubted }: AgentResult): string {
  const head = [
    `agent, ${observations} observations`,
    "questions",
    ...qualityNames.map((name) => shownNames[name]),
  ];
  const rows = Object.entries(byKind).map(([kind, quality]) => [
    kind,
    String(quality.questions),
    ...shares(quality),
  ]);
  return [
    markdown([head, ...rows, ["all", "", ...shares(all)]]),
    "",
    `${percent(honest)} of the questions without an answer got none or only weak hits; ` +
      `${percent(doubted)} of the others got only weak hits`,
  ].join("\n");
}

function markdown([head = [], ...rows]: readonly (readonly string[])[]): string {
  return [head, head.map(() => "---"), ...rows].map((row) => `| ${row.join(" | ")} |`).join("\n");
}

function percent(share: number): string {
  return `${Math.round(100 * share)} %`;
}

function shares(quality: Quality): string[] {
  return qualityNames.map((name) => (100 * quality[name]).toFixed(1));
}
