import * as z from "zod";
import { TimeText, timeText } from "../../operation/fields.ts";
import { recordOfRow } from "../../operation/record-of.ts";
import type { sketches } from "./tables.ts";

export const SketchStatus = z.enum(["active", "promoted", "discarded"]);
export type SketchStatus = z.infer<typeof SketchStatus>;

export const Sketch = z
  .object({
    id: z.string().describe("id of the sketch"),
    title: z.string().describe("what the plan is for"),
    description: z.string().describe("longer description; may be empty"),
    status: SketchStatus.describe("active, promoted, or discarded"),
    actionIds: z.array(z.string()).describe("actions in it; deleted if it was discarded"),
    project: z.string().optional().describe("project it belongs to"),
    createdAt: TimeText.describe("when it was made"),
    expiresAt: TimeText.describe("when it is discarded unless it is promoted before"),
    promotedAt: TimeText.optional().describe("when it was promoted"),
    discardedAt: TimeText.optional().describe("when it was discarded"),
  })
  .meta({ id: "Sketch" });
export type Sketch = z.infer<typeof Sketch>;

export type SketchRow = typeof sketches.$inferSelect;

export function sketchRecord(row: SketchRow): Sketch {
  return recordOfRow(Sketch, row, {
    createdAt: timeText(row.createdAt),
    expiresAt: timeText(row.expiresAt),
    promotedAt: timeText(row.promotedAt),
    discardedAt: timeText(row.discardedAt),
  });
}
