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

function isOwnStep(step: string): boolean {
  return commandKinds(step)[0]?.split(" ")[0] === "memsvc";
}
