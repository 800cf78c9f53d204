import { startsOfEndedCalls } from "../../capture/observations/calls/ended-calls.ts";
import type { OutputOf } from "../../operation/define.ts";
import type { buildContext } from "../../recall/context/operations.ts";
import type { enrich, fileContext } from "../../recall/enrich/operations.ts";
import type { followup } from "../../recall/followup/operations.ts";
import type { timeline } from "../../recall/timeline/operations.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { type Field, inColumns } from "./columns.ts";
import { shownMoment } from "./time.ts";
import { toldTitle } from "./told-title.ts";

/** The block itself, so that it can be put into a prompt. */
export function renderContext(
  { context, truncated }: OutputOf<typeof buildContext>,
  { say }: Terminal,
): string {
  if (context === "")
    say(
      truncated
        ? "none of what is stored for this project fits into the budget, or it took too long: give a larger --budget"
        : "nothing is known about this project yet",
    );
  return context;
}

/** The block itself, as that of a project. */
export function renderEnrichment({ context }: OutputOf<typeof enrich>, { say }: Terminal): string {
  if (context === "") say("nothing is known about these files");
  return context;
}

/** The block itself, as that of a project. */
export function renderFileHistory({ context }: OutputOf<typeof fileContext>, { say }: Terminal): string {
  if (context === "") say("no earlier session touched these files");
  return context;
}

export function renderTimeline(answer: OutputOf<typeof timeline>, terminal: Terminal): string {
  const { paint, isForPeople } = terminal;
  if (answer.reason === "no_match") return "nothing matches";
  if (answer.entries.length === 0) return "nothing happened around it";
  const starts = startsOfEndedCalls(answer.entries.map(({ observation }) => observation));
  const shown = answer.entries.filter(
    ({ observation, relativePosition }) => relativePosition === 0 || !starts.has(observation),
  );
  const isOfSeveral = new Set(shown.map(({ project }) => project)).size > 1;
  const rows = shown.map(({ observation, relativePosition }): Field[] => {
    const isAnchor = relativePosition === 0;
    const painted = isAnchor ? paint.bold : (text: string) => text;
    return [
      painted(`${isAnchor ? ">" : " "} ${shownMoment(observation.timestamp, isForPeople)}`),
      { whole: toldTitle(observation), paint: painted },
      painted(paint.dim(`${observation.type}, ${observation.id}`)),
    ];
  });
  if (!isOfSeveral) return inColumns(rows, terminal).join("\n");
  const begins = shown.flatMap(({ project }, at) => (project !== shown[at - 1]?.project ? [at] : []));
  return begins
    .flatMap((from, at) => [
      paint.bold(`in ${shown[from]?.project ?? "no known project"}`),
      ...inColumns(rows.slice(from, begins[at + 1]), terminal),
    ])
    .join("\n");
}

export function renderFollowup(answer: OutputOf<typeof followup>, { paint }: Terminal): string {
  const { agentInitiatedSearches, followupWithinWindow, rate, windowSeconds, caveat } = answer;
  return [
    `${followupWithinWindow} of ${agentInitiatedSearches} searches were followed by another within ${windowSeconds} s (${Math.round(rate * 100)} %)`,
    paint.dim(caveat),
  ].join("\n");
}
