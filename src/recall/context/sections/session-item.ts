import { isShortReply } from "../../../capture/observations/prose/short-reply.ts";
import { toldDecisions } from "../../../knowledge/decisions/told-decisions.ts";
import { briefNarrative } from "../../../knowledge/summaries/brief.ts";
import type { Extract } from "../../../knowledge/summaries/extractive.ts";
import {
  commitsAndCommands,
  itemsOfPart,
  narrativeParts,
} from "../../../knowledge/summaries/narrative-parts.ts";
import { dayText } from "../../../operation/fields.ts";
import { countCodePoints } from "../../../text/code-points.ts";
import { beginsWith } from "../../../text/cut.ts";
import { shortened } from "../safe-text.ts";
import type { Line } from "../section.ts";

export const longestTitle = 120;
const longestName = 40;

type ToldSession = Readonly<Pick<Extract, "title" | "narrative">> & {
  readonly [List in "keyDecisions" | "filesModified"]: readonly string[];
};

interface TitledSession extends BegunSession {
  readonly firstPrompt: string | null;
}

interface BegunSession {
  readonly startedAt: number;
  /** Shown if it is of another day than the start. */
  readonly lastActiveAt?: number | undefined;
  /** The agent whose session it is, if it is another one. */
  readonly by?: string | undefined;
}

/** How much of a summary is shown. */
export interface SummaryRoom {
  /** Characters. */
  readonly narrative: number;
  readonly decisions: number;
  /** Characters. */
  readonly commits: number;
  readonly files: number;
}

/** Lines for a session from its summary: date and title, narrative, decisions and changed files. */
export function summaryLines(session: TitledSession, summary: ToldSession, room: SummaryRoom): Line[] {
  const title = shortened(tellingTitle(session, summary), longestTitle);
  const decided = toldDecisions(summary.keyDecisions)
    .filter((text) => !title.includes(text))
    .slice(0, room.decisions);
  const byRules = briefNarrative(summary.narrative, [title, ...decided], room.narrative);
  const narrative = byRules ?? shortened(summary.narrative, room.narrative);
  return [
    headLine(session, title),
    ...(narrative === "" ? [] : [{ kind: "quote", text: narrative } as const]),
    ...commitsLine(summary.narrative, room.commits),
    ...decided.map((text): Line => ({ kind: "detail", text: `Decided: ${text}` })),
    ...filesLine(summary.filesModified, byRules === undefined ? narrative : "", room.files),
  ];
}

/** What else was asked stands for a first prompt that says nothing by itself, such as `go on`. */
function tellingTitle({ firstPrompt }: TitledSession, { title, narrative }: ToldSession): string {
  // A title that was made by rules is the beginning of the first prompt.
  const isPrompt = firstPrompt !== null && beginsWith(firstPrompt, title);
  const named = isPrompt ? firstPrompt : title;
  if (!isShortReply(named)) return named;
  const [asked = named] = itemsOfPart(narrativeParts(narrative).get("asked"));
  return asked;
}

/** A line with the messages of commits, as many as fit. */
function commitsLine(narrative: string, maxLength: number): Line[] {
  const { commits } = commitsAndCommands(narrativeParts(narrative).get("ran"));
  const shown: string[] = [];
  for (const message of commits)
    if (countCodePoints([...shown, message].join("; ")) <= maxLength) shown.push(message);
  if (shown.length === 0) return [];
  const rest = shown.length === commits.length ? "" : "; …";
  return [{ kind: "detail", text: `Committed: ${shown.join("; ")}${rest}` }];
}

/** A line with the files that the narrative does not name. */
function filesLine(files: readonly string[], narrative: string, most: number): Line[] {
  const unnamed = files.filter((file) => !narrative.includes(file));
  const shown = unnamed.slice(0, Math.max(0, most - (files.length - unnamed.length)));
  if (shown.length === 0) return [];
  const more = unnamed.length - shown.length;
  return [{ kind: "detail", text: `Changed: ${shown.join(", ")}${more === 0 ? "" : ` and ${more} more`}` }];
}

/** The head line of a session: its days, its agent if it is another one, and its title. */
export function headLine({ startedAt, lastActiveAt, by }: BegunSession, title: string): Line {
  const whose = by === undefined ? "" : `(${shortened(by, longestName)}) `;
  const days = new Set([dayText(startedAt), dayText(lastActiveAt ?? startedAt)]);
  return { kind: "item", text: `${[...days].join(" to ")} ${whose}${title}` };
}
