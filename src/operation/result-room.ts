import type { Core } from "../core.ts";
import type { Caller } from "./define.ts";

/** How many characters of an answer the caller will show; undefined: all. Results of tools are cut at this length. */
export function roomFor({ ground }: Core, { face }: Caller): number | undefined {
  return face === "mcp" ? ground.settings.mcpMaxResultChars : undefined;
}
