import type { CommandDefinition } from "../command.ts";
import { daemonCommands } from "./daemon-commands.ts";
import { recordCommands } from "./record-commands.ts";
import { setupCommands } from "./setup-commands.ts";

/** Commands that are not just one operation. The others are derived from the operations' declarations. */
export const ownCommands: readonly CommandDefinition[] = [
  ...recordCommands,
  ...daemonCommands,
  ...setupCommands,
];
