import { type Highlight, highlightsOf } from "../../../capture/observations/history.ts";
import { newestSessions, type PastSession } from "../../../capture/sessions/history.ts";
import type { Ground } from "../../../ground.ts";
import { timeText } from "../../../operation/fields.ts";
import { shortened } from "../safe-text.ts";
import type { Line, Section, SectionItem } from "../section.ts";

const mostSessions = 10;
/** Some sessions have nothing to tell, so more are looked at. */
const sessionsLookedAt = 20;
const longestTitle = 120;
const mostHighlights = 5;
/** The same command may run many times, so more are read than are shown. */
const highlights = { importance: 5, perSession: 15 } as const;

/** The newest other sessions of the project, each with the most important of what happened in it. */
export function recentSessionsSection(ground: Ground): Section {
  return async ({ sessionId, view }) => {
    const { sql } = ground.store.read;
    const sessions = await newestSessions(sql, view, sessionsLookedAt, sessionId);
    const ids = sessions.map(({ id }) => id);
    const found = await highlightsOf(sql, ids, view.filter, highlights);
    return sessions
      .flatMap((session) =>
        sessionItem(
          session,
          found.filter((highlight) => highlight.sessionId === session.id),
        ),
      )
      .slice(0, mostSessions);
  };
}

function sessionItem(session: PastSession, found: readonly Highlight[]): SectionItem[] {
  const title = shortened(session.summary ?? session.firstPrompt ?? "", longestTitle);
  if (title === "" && found.length === 0) return [];
  const day = timeText(session.startedAt).slice(0, 10);
  const head: Line = { kind: "item", text: `${day} ${title}` };
  const lines = new Map(found.map((highlight) => [highlight.title, highlightLine(highlight)]));
  return [{ lines: [head, ...[...lines.values()].slice(0, mostHighlights)] }];
}

/** What a tool said is told apart from what a person or the agent said. */
function highlightLine({ type, title, channel }: Highlight): Line {
  const label = channel === "tool" ? `${type}, from tool` : type;
  return { kind: "detail", text: `[${label}] ${title}` };
}
