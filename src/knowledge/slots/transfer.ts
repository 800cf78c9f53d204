import * as z from "zod";
import { FileId, FileText, FileTime, RedactedText } from "../../governance/transfer/file-fields.ts";
import { projectFields, projectKeyOf } from "../../governance/transfer/project-fields.ts";
import { tableCollection } from "../../governance/transfer/table-collection.ts";
import { TableRows } from "../../store/table-rows.ts";
import { SlotLabel, SlotScope, slotRecord, slotSize } from "./record.ts";
import { memorySlots } from "./tables.ts";

export const slotCollection = tableCollection({
  name: "slots",
  rows: new TableRows(memorySlots, { key: ["scope", "label", "projectKey", "agentId"] }),
  schema: z.object({
    label: FileText.min(1),
    content: RedactedText.default(""),
    sizeLimit: z.number().int().min(1).max(slotSize.most).default(slotSize.usual),
    description: RedactedText.default(""),
    pinned: z.boolean().default(false),
    readOnly: z.boolean().default(false),
    scope: SlotScope.default("project"),
    project: FileText.optional(),
    projectKey: FileText.optional(),
    agentId: FileId.optional(),
    createdAt: FileTime,
    updatedAt: FileTime.optional(),
  }),
  record: (row) => ({ ...slotRecord(row), ...projectKeyOf(row) }),
  row: async ({ project, projectKey, ...given }, writing) => {
    if (!SlotLabel.safeParse(given.label).success)
      return "a slot was left out whose label nobody could ask for, or delete it by";
    const [name, key] = given.scope === "global" ? [] : [project, projectKey];
    const owner = await projectFields(writing, name, key);
    return {
      ...given,
      project: owner.project,
      projectKey: owner.projectKey ?? "",
      agentId: given.agentId ?? "",
      updatedAt: given.updatedAt ?? given.createdAt,
    };
  },
  changedAt: ({ updatedAt }) => updatedAt,
});
