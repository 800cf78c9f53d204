import { isVisible } from "../../../capture/sessions/agent-scope.ts";
import type { Ground } from "../../../ground.ts";
import type { Summaries } from "../../../knowledge/summaries/summaries.ts";
import { handoffOf } from "../../handoff/handoff.ts";
import type { Line, Section } from "../section.ts";
import { type SummaryRoom, summaryLines } from "./session-item.ts";

const room: SummaryRoom = { narrative: 800, decisions: 8, files: 15 };
const mostOpenItems = 8;

/** What the asking session did so far, for an agent whose conversation was made shorter. */
export function ownSessionSection(
  { store }: Ground,
  { summaries }: { readonly summaries: Summaries },
): Section {
  return async ({ session, view }) => {
    if (session === undefined || !isVisible(view.filter, session.agentId)) return [];
    if (session.observationCount === 0) return [];
    const { openItems, ...told } = await handoffOf(store.read, summaries, session);
    const left = openItems
      .slice(-mostOpenItems)
      .map((text): Line => ({ kind: "detail", text: `Left to do: ${text}` }));
    return [{ lines: [...summaryLines(session, told, room), ...left] }];
  };
}
