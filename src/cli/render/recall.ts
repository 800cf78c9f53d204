import type { z } from "zod";
import type { enrich, fileContext } from "../../recall/enrich/operations.ts";
import type { followup } from "../../recall/followup/operations.ts";
import type { timeline } from "../../recall/timeline/operations.ts";
import type { Terminal } from "../terminal.ts";
import { oneLine } from "./text.ts";
import { shownTime } from "./time.ts";

type Output<Op extends { readonly output: z.ZodType }> = z.output<Op["output"]>;

export function renderEnrichment({ context }: Output<typeof enrich>): string {
  return context === "" ? "nothing is known about these files" : context;
}

export function renderFileHistory({ context }: Output<typeof fileContext>): string {
  return context === "" ? "no earlier session touched these files" : context;
}

export function renderTimeline(answer: Output<typeof timeline>, terminal: Terminal): string {
  const { paint, isForPeople, columns } = terminal;
  if (answer.reason === "no_match") return "nothing matches";
  if (answer.entries.length === 0) return "nothing happened around it";
  return answer.entries
    .map(({ observation, relativePosition }) => {
      const isAnchor = relativePosition === 0;
      const title = oneLine(observation.title, Math.max(30, columns - 50));
      const facts = paint.dim(`${observation.type}, ${observation.id}`);
      const line = `${isAnchor ? ">" : " "} ${shownTime(observation.timestamp, isForPeople).padEnd(12)}  ${title}  ${facts}`;
      return isAnchor ? paint.bold(line) : line;
    })
    .join("\n");
}

export function renderFollowup(answer: Output<typeof followup>, { paint }: Terminal): string {
  const { agentInitiatedSearches, followupWithinWindow, rate, windowSeconds, caveat } = answer;
  return [
    `${followupWithinWindow} of ${agentInitiatedSearches} searches were followed by another within ${windowSeconds} s (${Math.round(rate * 100)} %)`,
    paint.dim(caveat),
  ].join("\n");
}
