import type { z } from "zod";
import type {
  appendToSlot,
  createSlot,
  deleteSlot,
  getSlot,
  listSlots,
  reflectIntoSlots,
  replaceSlot,
} from "../../knowledge/slots/operations.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { inColumns } from "./columns.ts";
import { doneOrWould } from "./dry-run.ts";
import { counted } from "./quantity.ts";

export function renderSlots({ slots }: z.output<typeof listSlots.output>, terminal: Terminal): string {
  const { paint } = terminal;
  const rows = slots.map(({ label, scope, content, pinned, readOnly }) => {
    const marks = [scope, ...(pinned ? ["pinned"] : []), ...(readOnly ? ["read-only"] : [])].join(", ");
    const text = content === "" ? { whole: "(empty)", paint: paint.dim } : { whole: content };
    return [label, text, paint.dim(marks)];
  });
  return inColumns(rows, terminal).join("\n");
}

export function renderSlot({ slot }: z.output<typeof getSlot.output>): string {
  return slot.content;
}

export function renderCreatedSlot(
  { slot }: z.output<typeof createSlot.output>,
  { paint, isForPeople }: Terminal,
): string {
  return isForPeople ? `${paint.green("made")} ${slot.label} (${slot.scope})` : slot.label;
}

/** Of what was appended or replaced. */
export function renderChangedSlot(
  answer: z.output<typeof appendToSlot.output> | z.output<typeof replaceSlot.output>,
): string {
  const { slot, size } = answer;
  const holds = "dryRun" in answer ? doneOrWould(answer, "holds", "hold") : "holds";
  return `${slot.label} ${holds} ${size} of ${counted(slot.sizeLimit, "character")}`;
}

export function renderDeletedSlots(answer: z.output<typeof deleteSlot.output>): string {
  return `${doneOrWould(answer, "deleted", "delete")} ${counted(answer.deleted, "slot")}`;
}

export function renderSlotReflection({
  applied,
  observationsReviewed,
}: z.output<typeof reflectIntoSlots.output>): string {
  return `changed ${counted(applied, "slot")} after ${counted(observationsReviewed, "observation")}`;
}
