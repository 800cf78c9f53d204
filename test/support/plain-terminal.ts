import { Chalk } from "chalk";
import type { Terminal } from "../../src/cli/terminal/terminal.ts";

/** A terminal for programs: no colours, lines of any length, and what is printed is dropped. */
export const plainTerminal: Terminal = {
  isInteractive: false,
  isForPeople: false,
  columns: Number.POSITIVE_INFINITY,
  paint: new Chalk({ level: 0 }),
  print: () => undefined,
  say: () => undefined,
  complain: () => undefined,
};
