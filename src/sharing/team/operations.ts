import * as z from "zod";
import { defineOperation } from "../../operation/define.ts";
import {
  Id,
  JsonObject,
  limit,
  Offset,
  ProjectName,
  pageFields,
  scopeFields,
} from "../../operation/fields.ts";
import { TeamProfile } from "./profile.ts";
import { TeamItemType, TeamSharedItem } from "./record.ts";

const features = ["MEMSVC_TEAM_ID"] as const;

export const shareItem = defineOperation({
  id: "team.share",
  functionId: "team.share",
  summary: "Share a copy of a record with the team, or update the shared copy",
  description:
    "The copy is kept in this store. The team sees it, or with MEMSVC_TEAM_MODE=private only the user who shares it. It stays when the record fades. It is deleted when it expires or when somebody forgets the record, even a faded one.",
  http: {
    method: "POST",
    path: "/team/share",
    success: 201,
    otherwise: { status: 200, when: ({ renewed }) => renewed === true },
  },
  cli: {
    command: "team share <itemId>",
    flags: { itemType: "type", sessionId: "session" },
    examples: [
      "memsvc team share mem_01… --type memory",
      "memsvc team share obs_01… --type observation --session my-session",
    ],
  },
  mcp: {
    tool: "memory_team_share",
    effects: "write",
    idempotent: true,
    title: "Share with the team",
    description:
      "Share a copy of a memory, a pattern or an observation with the team. Use it when others should know what you found.",
    arguments: { itemId: true, itemType: true, sessionId: true, project: true },
  },
  features,
  input: z.object({
    itemId: Id.describe("the record to share"),
    itemType: TeamItemType.describe(
      "kind of record; a memory of type pattern can be shared as memory or pattern",
    ),
    sessionId: Id.optional().describe("session that an observation must belong to"),
    project: ProjectName.optional().describe("project of the shared item (default: that of the record)"),
    content: JsonObject.optional().describe("the pattern itself, if no stored record has the id"),
    ...scopeFields,
  }),
  output: z.object({
    sharedItem: TeamSharedItem.describe("the copy as stored"),
    renewed: z.boolean().describe("whether it was shared before"),
  }),
  errors: ["invalid_input", "not_found", "feature_off"],
  run: (core, input) => core.team.share(input),
});

export const teamFeed = defineOperation({
  id: "team.feed",
  summary: "List what the team shares, newest first",
  http: { method: "GET", path: "/team/feed", success: 200 },
  cli: {
    command: "team feed",
    examples: ["memsvc team feed", "memsvc team feed --project shop --type pattern"],
  },
  mcp: {
    tool: "memory_team_feed",
    effects: "read",
    title: "What the team shares",
    description: "List what the team shares, newest first. Use it to see what others have found.",
    arguments: { limit: true },
  },
  features,
  input: z.object({
    limit: limit(20, 200).describe("maximum number"),
    offset: Offset.describe("items to skip"),
    project: ProjectName.optional().describe("only items of this project"),
    type: TeamItemType.optional().describe("only items of this kind"),
  }),
  output: z.object({
    items: z.array(TeamSharedItem).describe("items shared with the team, and the user's private items"),
    ...pageFields,
  }),
  errors: ["invalid_input", "feature_off"],
  run: (core, input) => core.team.feed(input),
});

export const teamProfile = defineOperation({
  id: "team.profile",
  summary: "Show who shares with the team and what it is about",
  http: { method: "GET", path: "/team/profile", success: 200 },
  cli: { command: "team profile", examples: ["memsvc team profile", "memsvc team profile --json"] },
  features,
  input: z.object({}),
  output: TeamProfile,
  errors: ["feature_off"],
  run: (core) => core.team.profile(),
});

export const teamOperations = [shareItem, teamFeed, teamProfile];
