import { checkpointFamily } from "../checkpoints/gate.ts";
import { sentinelFamily } from "../sentinels/gate.ts";

/** The kinds of records, besides actions, that can gate an action. */
export const gateFamilies: readonly { kind: "checkpoint" | "sentinel"; openWhen: readonly string[] }[] = [
  checkpointFamily,
  sentinelFamily,
];
