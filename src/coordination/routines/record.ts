import * as z from "zod";
import { Id, int, JsonObject, TagsOrCsv, TimeText, Title, timeText } from "../../operation/fields.ts";
import { Description } from "../long-texts.ts";
import type { routines } from "./tables.ts";

/** What the action of a step gets in place of the step's own fields. */
export const ActionTemplate = z.object({
  title: Title.optional().describe("what is to be done, in a line"),
  description: Description.optional().describe("what is to be done, at length"),
  priority: int(1, 10).optional().describe("1 to 10, the higher the sooner"),
  tags: TagsOrCsv.optional().describe("tags, as a list or with commas between them"),
  assignedTo: Id.optional().describe("agent that should work on it"),
  metadata: JsonObject.optional().describe("further data to store with it"),
});
export type ActionTemplate = z.output<typeof ActionTemplate>;

/** The same as answers show it. */
const ShownTemplate = z.object({
  title: z.string().optional().describe("title in place of the step's"),
  description: z.string().optional().describe("description in place of the step's"),
  priority: z.number().int().optional().describe("1 to 10"),
  tags: z.array(z.string()).optional().describe("tags"),
  assignedTo: z.string().optional().describe("agent that should work on it"),
  metadata: z.record(z.string(), z.unknown()).optional().describe("whatever else is kept with it"),
});

export const RoutineStep = z.object({
  order: z.number().int().describe("its place, by which others name it"),
  title: z.string().describe("what is to be done, in a line"),
  description: z.string().describe("longer description; may be empty"),
  actionTemplate: ShownTemplate.describe("what its action gets besides"),
  dependsOn: z.array(z.number().int()).describe("steps that must be finished first, by their order"),
});
export type RoutineStep = z.infer<typeof RoutineStep>;

export const Routine = z
  .object({
    id: z.string().describe("id of the routine"),
    name: z.string().describe("what it is for, in a line"),
    description: z.string().describe("longer description; may be empty"),
    steps: z.array(RoutineStep).describe("in their order"),
    frozen: z.boolean().describe("whether it can no longer be replaced"),
    tags: z.array(z.string()).describe("tags"),
    sourceProceduralIds: z.array(z.string()).describe("procedures that it was derived from"),
    createdAt: TimeText.describe("when it was first saved"),
    updatedAt: TimeText.describe("last change"),
  })
  .meta({ id: "Routine" });
export type Routine = z.infer<typeof Routine>;

export type RoutineRow = typeof routines.$inferSelect;

export function routineRecord(row: RoutineRow): Routine {
  return { ...row, createdAt: timeText(row.createdAt), updatedAt: timeText(row.updatedAt) };
}

/** The action that was created for a step of a run. */
export interface StepAction {
  readonly order: number;
  readonly actionId: string;
}
