/** Hooks that only say that an agent was opened, closed or waited. */
const idleHooks = ["session_start", "session_end", "notification"] as const;

/**
 * SQL condition on rows of `sessions`: something was done in the session. Commands that an agent runs for
 * itself may open and close sessions, too.
 */
export const hasActivity = `EXISTS (SELECT 1 FROM observations WHERE observations.session_id = sessions.id
  AND observations.hook_type NOT IN (${idleHooks.map((hook) => `'${hook}'`).join(", ")}))`;
