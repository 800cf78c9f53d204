import type {
  appendToSlot,
  createSlot,
  deleteSlot,
  getSlot,
  listSlots,
  reflectIntoSlots,
  replaceSlot,
} from "../../knowledge/slots/operations.ts";
import type { MemorySlot } from "../../knowledge/slots/record.ts";
import type { OutputOf } from "../../operation/define.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { inColumns } from "./columns.ts";
import { dryRunVerb } from "./dry-run.ts";
import { counted } from "./quantity.ts";

export function renderSlots({ slots }: OutputOf<typeof listSlots>, terminal: Terminal): string {
  const { paint, isForPeople } = terminal;
  const rows = slots.map((slot) => {
    const { label, scope, content, pinned, readOnly } = slot;
    const whose = isForPeople && scope === "project" ? ownerOf(slot) : scope;
    const marks = [whose, ...(pinned ? ["pinned"] : []), ...(readOnly ? ["read-only"] : [])].join(", ");
    const text = content === "" ? { whole: "(empty)", paint: paint.dim } : { whole: content };
    return [label, text, paint.dim(marks)];
  });
  return inColumns(rows, terminal).join("\n");
}

/** The project that a slot belongs to. */
function ownerOf({ project }: MemorySlot): string {
  return project === undefined ? "the default project" : `project ${project}`;
}

/** A note for a project slot that was changed without naming a project. */
function defaultNote({ scope, project }: MemorySlot): string[] {
  return scope === "project" && project === undefined
    ? ["used in every project that has none of its own; --project . means this folder's"]
    : [];
}

export function renderSlot({ slot }: OutputOf<typeof getSlot>): string {
  return slot.content;
}

export function renderCreatedSlot(
  { slot }: OutputOf<typeof createSlot>,
  { paint, isForPeople }: Terminal,
): string {
  if (!isForPeople) return slot.label;
  return noted(`${paint.green("made")} ${slot.label} (${slot.scope})`, slot, paint.dim);
}

/** For a slot that was appended to or replaced. */
export function renderChangedSlot(
  answer: OutputOf<typeof appendToSlot> | OutputOf<typeof replaceSlot>,
  { paint, isForPeople }: Terminal,
): string {
  const { slot, size } = answer;
  const holds = "dryRun" in answer ? dryRunVerb(answer, "holds", "hold") : "holds";
  const told = `${slot.label} ${holds} ${size} of ${counted(slot.sizeLimit, "character")}`;
  return isForPeople ? noted(told, slot, paint.dim) : told;
}

function noted(told: string, slot: MemorySlot, dim: (text: string) => string): string {
  return [told, ...defaultNote(slot).map((note) => dim(`  ${note}`))].join("\n");
}

export function renderDeletedSlots(answer: OutputOf<typeof deleteSlot>): string {
  return `${dryRunVerb(answer, "deleted", "delete")} ${counted(answer.deleted, "slot")}`;
}

export function renderSlotReflection({
  applied,
  observationsReviewed,
}: OutputOf<typeof reflectIntoSlots>): string {
  return `changed ${counted(applied, "slot")} after ${counted(observationsReviewed, "observation")}`;
}
