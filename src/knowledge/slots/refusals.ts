import { MemsvcError } from "../../operation/errors.ts";
import { quoteWord } from "../../text/quote-word.ts";
import type { SlotRow } from "./record.ts";

/* The errors with which changes of slots are refused. */

interface Named {
  readonly label: string;
  readonly project?: string | undefined;
}

export function slotExists(slot: Named & Pick<SlotRow, "scope">): MemsvcError {
  return new MemsvcError("conflict", `there is a ${slot.scope} slot ${slot.label} already`, {
    hint: replaceHint("change it", slot),
  });
}

export function readOnlySlot({ label }: Pick<SlotRow, "label">): MemsvcError {
  return new MemsvcError("invalid_input", `slot ${label} is read-only`, {
    hint: "create a slot with another label",
  });
}

/** `size` and `currentSize`: in code points, after the change and before it. */
export function slotTooLarge(
  { label, sizeLimit }: Pick<SlotRow, "label" | "sizeLimit">,
  size: number,
  currentSize: number,
  hint: string,
): MemsvcError {
  const message = `slot ${label} may hold ${sizeLimit} characters, and would hold ${size}`;
  return new MemsvcError("too_large", message, { hint, extra: { currentSize, sizeLimit } });
}

export function replaceHint(purpose: string, { label, project }: Named): string {
  const owner = project === undefined ? "" : ` --project ${quoteWord(project)}`;
  return `${purpose}: memsvc slot replace ${label} "…"${owner}`;
}
