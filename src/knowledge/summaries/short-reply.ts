import { unspacedScripts } from "../../text/scripts.ts";

const fewestWords = 4;
const shortest = 20;
const unspaced = new RegExp(`[${unspacedScripts}]`, "u");

/** Whether a prompt, such as `ok, go on`, tells nothing without what it answers. */
export function isShortReply(prompt: string): boolean {
  if (prompt.length >= shortest || prompt.includes("?") || unspaced.test(prompt)) return false;
  return prompt.trim().split(/\s+/u).length < fewestWords;
}
