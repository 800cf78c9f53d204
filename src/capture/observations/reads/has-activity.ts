/** What tells that an agent was opened, closed or waited, and nothing else. */
const idleHooks = ["session_start", "session_end", "notification"] as const;

/** Condition for rows of `sessions`: something was done there. An agent's own commands may open and close a session, too. */
export const hasActivity = `EXISTS (SELECT 1 FROM observations WHERE observations.session_id = sessions.id
  AND observations.hook_type NOT IN (${idleHooks.map((hook) => `'${hook}'`).join(", ")}))`;
