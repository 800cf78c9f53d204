import type { CommandRun } from "../command.ts";

export const run: CommandRun = async () => 1;
