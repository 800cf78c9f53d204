import * as z from "zod";
import {
  FileId,
  FileText,
  FileTexts,
  FileTime,
  RedactedObject,
  RedactedTags,
  RedactedText,
} from "../../governance/transfer/file-fields.ts";
import { tableCollection } from "../../governance/transfer/table-collection.ts";
import { TagsOrCsv } from "../../operation/fields.ts";
import { TableRows } from "../../store/table-rows.ts";
import { redactValue } from "../../text/redaction/redact.ts";
import { actionsByIds } from "../actions/find-actions.ts";
import { ActionTemplate, type RoutineStep, routineRecord, type StepAction } from "./record.ts";
import { runRecord } from "./run-record.ts";
import { topologicalOrder } from "./steps.ts";
import { routineRuns, routines } from "./tables.ts";

const Order = z.number().int();

/** Redaction may have made its texts longer than those of a request may be. */
const TemplateInFile = ActionTemplate.extend({
  title: FileText.optional(),
  description: FileText.optional(),
  tags: TagsOrCsv.or(z.array(z.string())).optional(),
  metadata: RedactedObject.optional(),
});

const StepInFile = z.object({
  order: Order.optional(),
  title: RedactedText,
  description: RedactedText.default(""),
  // The cast holds: redaction keeps the shape of a value.
  actionTemplate: TemplateInFile.transform((given) => redactValue(given) as ActionTemplate).default({}),
  dependsOn: z.array(Order).default(() => []),
});

export const routineCollection = tableCollection({
  name: "routines",
  rows: new TableRows(routines, { key: ["id"] }),
  schema: z.object({
    id: FileId,
    name: RedactedText,
    description: RedactedText.default(""),
    steps: z.array(StepInFile),
    frozen: z.boolean().default(true),
    tags: RedactedTags,
    sourceProceduralIds: FileTexts,
    createdAt: FileTime,
    updatedAt: FileTime.optional(),
  }),
  record: routineRecord,
  row: (given) => {
    const steps = given.steps.map(
      ({ order, ...step }, at): RoutineStep => ({ order: order ?? at + 1, ...step }),
    );
    const orders = new Set(steps.map(({ order }) => order));
    if (orders.size < steps.length || topologicalOrder(steps).length < steps.length)
      return "a routine whose steps wait for themselves, or for steps that are not there, was left out";
    steps.sort((a, b) => a.order - b.order);
    return { ...given, steps, updatedAt: given.updatedAt ?? given.createdAt };
  },
  changedAt: ({ updatedAt }) => updatedAt,
});

/** Runs with their status and with the action of each step. */
export const routineRunCollection = tableCollection({
  name: "routineRuns",
  rows: new TableRows(routineRuns, { key: ["id"] }),
  schema: z.object({
    id: FileId,
    routineId: FileId,
    startedAt: FileTime,
    actionIds: FileTexts,
    stepStatus: z.record(z.string(), z.unknown()).default(() => ({})),
    steps: z.array(z.object({ order: Order, actionId: FileId })).optional(),
    initiatedBy: FileId.optional(),
    project: FileText.optional(),
  }),
  // The status of a run follows from its actions.
  ignored: ["status", "completedAt"],
  records: async (page, { connection }) => {
    const ids = page.flatMap(({ steps }) => steps.map(({ actionId }) => actionId));
    const actions = new Map((await actionsByIds(connection, ids)).map((action) => [action.id, action]));
    return page.map((row) => ({
      ...runRecord(
        row,
        row.steps.flatMap(({ actionId }) => actions.get(actionId) ?? []),
      ),
      steps: row.steps,
    }));
  },
  row: ({ actionIds, stepStatus, steps, ...given }) => ({
    ...given,
    steps: steps ?? stepsOf(actionIds, Object.keys(stepStatus)),
    initiatedBy: given.initiatedBy ?? null,
    project: given.project ?? null,
  }),
  changedAt: ({ startedAt }) => startedAt,
});

/** The steps of a run whose file names them by their status only; numbered if the names tell no order of all actions. */
function stepsOf(actionIds: readonly string[], names: readonly string[]): StepAction[] {
  const orders = names.map(Number).sort((a, b) => a - b);
  const areOrders = orders.length === actionIds.length && orders.every(Number.isSafeInteger);
  return actionIds.map((actionId, at) => ({
    order: (areOrders ? orders[at] : undefined) ?? at + 1,
    actionId,
  }));
}
