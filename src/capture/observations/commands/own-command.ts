import { commandKinds, onlyObserves } from "./command-kind.ts";
import { commandParts } from "./command-steps.ts";

/** Whether a command does nothing but call memsvc. What its output is piped into only reads it. */
export function isOwnCommand(command: string): boolean {
  let isOwn = false;
  let isPiped = false;
  for (const { after, text } of commandParts(command)) {
    if (after === "|" && isPiped) continue;
    isPiped = isOwnStep(text);
    if (!isPiped && !onlyObserves(text)) return false;
    isOwn ||= isPiped;
  }
  return isOwn;
}

/** A step may have a shell run several commands. */
function isOwnStep(step: string): boolean {
  const kinds = commandKinds(step);
  return kinds.length > 0 && kinds.every((kind) => kind.split(" ")[0] === "memsvc");
}
