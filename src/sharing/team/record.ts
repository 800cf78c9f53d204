import * as z from "zod";
import { TimeText, timeText } from "../../operation/fields.ts";
import { recordOfRow } from "../../operation/record-of.ts";
import type { teamItems } from "./tables.ts";

export const TeamItemType = z.enum(["memory", "pattern", "observation"]);
export type TeamItemType = z.infer<typeof TeamItemType>;

export const TeamVisibility = z.enum(["shared", "private"]);
export type TeamVisibility = z.infer<typeof TeamVisibility>;

export const TeamSharedItem = z
  .object({
    id: z.string().describe("id of the shared item"),
    sharedBy: z.string().describe("user who shared it"),
    sharedAt: TimeText.describe("when the copy was made"),
    type: TeamItemType.describe("what was shared"),
    itemId: z.string().describe("id of the record that it is a copy of"),
    content: z.record(z.string(), z.unknown()).describe("the record as it was then"),
    project: z.string().describe("project that it belongs to; empty when it belongs to none"),
    visibility: TeamVisibility.describe("for the team, or for the user alone"),
    teamId: z.string().describe("team that it is shared with"),
  })
  .meta({ id: "TeamSharedItem" });
export type TeamSharedItem = z.infer<typeof TeamSharedItem>;

/** The ids of records whose shared copies are withdrawn after the records themselves have faded. */
export const Withdrawn = z
  .array(z.string())
  .describe("ids of faded records whose copies were shared with a team until now");

export type TeamItemRow = typeof teamItems.$inferSelect;

export function teamItemRecord(row: TeamItemRow): TeamSharedItem {
  return recordOfRow(TeamSharedItem, row, {
    sharedAt: timeText(row.sharedAt),
    project: row.project ?? "",
  });
}
