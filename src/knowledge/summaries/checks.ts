import { type Check, findingOf } from "../../governance/diagnostics/check.ts";

/** What can be wrong with summaries. */
export const summaryChecks: readonly Check[] = [
  {
    category: "summaries",
    name: "summaries-empty-content",
    hint: "make one again: memsvc session summarize <id>",
    find: (connection) =>
      findingOf(
        connection,
        "SELECT session_id FROM session_summaries WHERE trim(title) = '' OR trim(narrative) = ''",
        [],
        (count) => ({ status: "warn", message: `${count} say nothing` }),
      ),
  },
  {
    category: "summaries",
    name: "summaries-missing-source",
    find: (connection) =>
      findingOf(
        connection,
        `SELECT session_id FROM session_summaries
         WHERE NOT EXISTS (SELECT 1 FROM sessions WHERE id = session_summaries.session_id)`,
        [],
        (count) => ({ status: "warn", message: `${count} of sessions that are gone` }),
      ),
  },
];
