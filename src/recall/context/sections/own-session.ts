import { isVisible } from "../../../capture/sessions/agent-scope.ts";
import type { Ground } from "../../../ground.ts";
import { handoffOf } from "../../handoff/handoff.ts";
import { shortened } from "../safe-text.ts";
import type { Line, Section } from "../section.ts";
import { itemsLeft } from "./last-words.ts";
import { type SummaryRoom, summaryLines } from "./session-item.ts";

const room: SummaryRoom = { narrative: 800, decisions: 8, commits: 480, files: 15 };
const mostOpenItems = 8;
const longestPrompt = 500;

/** What the asking session did so far, for an agent whose conversation was compacted. */
export function ownSessionSection({ store }: Ground): Section {
  return async ({ session, view }) => {
    if (session === undefined || !isVisible(view.filter, session.agentId)) return [];
    if (session.observationCount === 0) return [];
    const { openItems, prompts, ...told } = await handoffOf(store.read, session, view.filter);
    const summary = summaryLines(session, told, room);
    const lines = [...summary, ...itemsLeft(openItems, summary).slice(-mostOpenItems)];
    return [{ lines, spare: askedInFull(prompts, lines) }];
  };
}

/** The last and the first prompt in full, if the lines only contain their beginnings. */
function askedInFull(prompts: readonly string[], lines: readonly Line[]): Line[][] {
  const [first, last] = [prompts[0], prompts.at(-1)];
  const asked = [
    ...(last === first ? [] : [{ label: "Asked last", prompt: last }]),
    { label: "Asked first", prompt: first },
  ];
  return asked.flatMap(({ label, prompt = "" }) => {
    const text = shortened(prompt, longestPrompt);
    if (lines.some((line) => line.text.includes(text))) return [];
    return [[{ kind: "detail", text: `${label}: ${text}` }]];
  });
}
