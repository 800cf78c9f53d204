import type { Core } from "../core.ts";
import type { Caller } from "./define.ts";

/** How many characters of an answer whoever called shows; undefined: all. What is cut off a tool's result nobody sees. */
export function roomFor({ ground }: Core, { face }: Caller): number | undefined {
  return face === "mcp" ? ground.settings.mcpMaxResultChars : undefined;
}
