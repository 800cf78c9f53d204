import { type Check, recordsFound, writtenByOthers } from "../../governance/diagnostics/check.ts";

/** Checks of `doctor` on summaries. */
export const summaryChecks: readonly Check[] = [
  {
    category: "summaries",
    name: "summaries-empty-content",
    hint: "make one again: memsvc session summarize <id>",
    find: recordsFound(
      "SELECT session_id FROM session_summaries WHERE trim(title) = '' OR trim(narrative) = ''",
      "warn",
      (count) => `${count} say nothing`,
    ),
  },
  {
    category: "summaries",
    name: "summaries-missing-source",
    hint: writtenByOthers,
    find: recordsFound(
      `SELECT session_id FROM session_summaries
         WHERE NOT EXISTS (SELECT 1 FROM sessions WHERE id = session_summaries.session_id)`,
      "warn",
      (count) => `${count} of sessions that are gone`,
    ),
  },
];
