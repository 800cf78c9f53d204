import type {
  addToSketch,
  collectSketches,
  createSketch,
  discardSketch,
  listSketches,
  promoteSketch,
} from "../../coordination/sketches/operations.ts";
import type { OutputOf } from "../../operation/define.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { dryRunVerb } from "./dry-run.ts";
import { outcome } from "./outcome.ts";
import { pageLines } from "./page-lines.ts";
import { counted } from "./quantity.ts";
import { shownTime } from "./time.ts";

export function renderCreatedSketch({ sketch }: OutputOf<typeof createSketch>, terminal: Terminal): string {
  const end = `discarded ${shownTime(sketch.expiresAt, true)} unless it is promoted`;
  return outcome(terminal, "begun", sketch.id, { notes: [end] });
}

export function renderSketchAction({ action }: OutputOf<typeof addToSketch>): string {
  return action.id;
}

export function renderPromotedSketch({ promotedIds, sketch }: OutputOf<typeof promoteSketch>): string {
  return [`${sketch.id} is promoted: ${counted(promotedIds.length, "action")}`, ...promotedIds].join("\n");
}

export function renderDiscardedSketch(answer: OutputOf<typeof discardSketch>): string {
  const { discardedCount, sketch } = answer;
  return `${sketch.id} ${dryRunVerb(answer, "is", "be")} discarded with ${counted(discardedCount, "action")}`;
}

export function renderSketches(
  { sketches, ...page }: OutputOf<typeof listSketches>,
  terminal: Terminal,
): string {
  return pageLines(page, sketches, terminal, "no sketches found", ({ id, status, title, ...sketch }) => {
    const begun = shownTime(sketch.createdAt, terminal.isForPeople);
    const facts = [counted(sketch.actionCount, "action"), sketch.project, begun].filter(Boolean).join(", ");
    return [id, status.padEnd(9), { whole: title }, terminal.paint.dim(facts)];
  });
}

export function renderCollectedSketches(answer: OutputOf<typeof collectSketches>): string {
  return `${dryRunVerb(answer, "discarded", "discard")} ${counted(answer.collected, "sketch", "sketches")}`;
}
