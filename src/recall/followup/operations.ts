import * as z from "zod";
import { defineOperation } from "../../operation/define.ts";
import { FollowupReport } from "./answers.ts";

export const followup = defineOperation({
  id: "followups.report",
  summary: "Show how many searches were soon followed by another search",
  http: { method: "GET", path: "/diagnostics/followup", success: 200 },
  cli: {
    command: "diagnostics followup",
    examples: ["memsvc diagnostics followup", "memsvc diagnostics followup --json"],
  },
  input: z.object({}),
  output: FollowupReport,
  errors: [],
  run: async (core) => {
    await core.recallsNoted();
    return core.followups.report();
  },
});

export const followupOperations = [followup];
