import { checkpointFamily } from "../checkpoints/gate.ts";
import { sentinelFamily } from "../sentinels/gate.ts";

/** Every kind of record that an action can be gated by, besides other actions. */
export const gateFamilies: readonly { kind: "checkpoint" | "sentinel"; openWhen: readonly string[] }[] = [
  checkpointFamily,
  sentinelFamily,
];
