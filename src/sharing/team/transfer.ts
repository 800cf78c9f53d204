import * as z from "zod";
import { FileId, FileText, FileTime } from "../../governance/transfer/file-fields.ts";
import { projectFields, projectKeyOf } from "../../governance/transfer/project-fields.ts";
import { tableCollection } from "../../governance/transfer/table-collection.ts";
import { TableRows } from "../../store/table-rows.ts";
import { redactObject } from "../../text/redaction/redact.ts";
import { TeamItemType, TeamVisibility, teamItemRecord } from "./record.ts";
import { teamItems } from "./tables.ts";

/** Shared copies, of all teams. */
export const teamItemCollection = tableCollection({
  name: "teamItems",
  rows: new TableRows(teamItems, { key: ["teamId", "sharedBy", "type", "itemId"] }),
  schema: z.object({
    id: FileId,
    sharedBy: FileText.min(1),
    sharedAt: FileTime,
    type: TeamItemType,
    itemId: FileId,
    content: z.record(z.string(), z.unknown()).transform(redactObject),
    project: FileText.default(""),
    projectKey: FileText.optional(),
    visibility: TeamVisibility.default("shared"),
    teamId: FileText.min(1),
  }),
  record: (row) => ({ ...teamItemRecord(row), ...projectKeyOf(row) }),
  row: async ({ project, projectKey, ...given }, writing) => ({
    ...given,
    ...(await projectFields(writing, project === "" ? undefined : project, projectKey)),
  }),
  changedAt: ({ sharedAt }) => sharedAt,
});
