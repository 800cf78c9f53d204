import type { autoCrystallize, createCrystal, listCrystals } from "../../knowledge/crystals/operations.ts";
import type { Crystal } from "../../knowledge/crystals/record.ts";
import type { compressFlow } from "../../knowledge/flow/operations.ts";
import type { OutputOf } from "../../operation/define.ts";
import type { Terminal } from "../terminal/terminal.ts";
import type { Field } from "./columns.ts";
import { pageLines } from "./page-lines.ts";
import { counted } from "./quantity.ts";
import { shownTime } from "./time.ts";

export function renderCrystal(answer: OutputOf<typeof createCrystal>, { paint }: Terminal): string {
  if ("queued" in answer) return queued(answer);
  const { crystal, warning } = answer;
  const list = (name: string, items: readonly string[]) =>
    items.length === 0 ? [] : ["", paint.dim(`${name}:`), ...items.map((item) => `- ${item}`)];
  return [
    crystal.id,
    "",
    crystal.narrative,
    // By rules, the narrative consists of them.
    ...list(
      "outcomes",
      crystal.keyOutcomes.filter((outcome) => !crystal.narrative.includes(outcome.replace(/\s+/gu, " "))),
    ),
    ...list("files", crystal.filesAffected),
    ...list("lessons", crystal.lessons),
    ...warned(warning),
  ].join("\n");
}

export function renderCrystals(
  { crystals, ...page }: OutputOf<typeof listCrystals>,
  terminal: Terminal,
): string {
  return pageLines(page, crystals, terminal, "no crystals found", (crystal) => row(crystal, terminal));
}

export function renderAutoCrystals(answer: OutputOf<typeof autoCrystallize>): string {
  if ("queued" in answer) return queued(answer);
  const { groupCount, crystalIds, groups, dryRun, warning } = answer;
  if (!dryRun)
    return [`made ${counted(crystalIds.length, "crystal")}`, ...crystalIds, ...warned(warning)].join("\n");
  const found = (groups ?? []).map(
    ({ key, actionIds }) => `${key || "–"}: ${counted(actionIds.length, "action")}`,
  );
  return [`would make ${counted(groupCount, "crystal")}`, ...found].join("\n");
}

export function renderFlow(answer: OutputOf<typeof compressFlow>, { paint }: Terminal): string {
  if ("queued" in answer) return queued(answer);
  if (!("summary" in answer)) return answer.message;
  const { goal, outcome, steps, discoveries, lesson } = answer.summary;
  return [
    answer.memoryId,
    "",
    `${paint.dim("goal:")} ${goal}`,
    `${paint.dim("outcome:")} ${outcome}`,
    ...steps.map((step, at) => `${at + 1}. ${step}`),
    ...discoveries.map((one) => `- ${one}`),
    ...(lesson === "" ? [] : [`${paint.dim("lesson:")} ${lesson}`]),
    ...warned(answer.warning),
  ].join("\n");
}

function queued({ jobId }: { readonly jobId: string }): string {
  return `continues in the background as ${jobId}`;
}

function warned(warning: string | undefined): string[] {
  return warning === undefined ? [] : ["", `warning: ${warning}`];
}

function row(crystal: Crystal, { paint, isForPeople }: Terminal): Field[] {
  const facts = [
    counted(crystal.sourceActionIds.length, "action"),
    crystal.project,
    shownTime(crystal.createdAt, isForPeople),
  ]
    .filter(Boolean)
    .join(", ");
  return [crystal.id, { whole: crystal.narrative }, paint.dim(facts)];
}
