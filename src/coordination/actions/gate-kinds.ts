import { checkpointGate } from "../checkpoints/gate.ts";
import { sentinelGate } from "../sentinels/gate.ts";
import type { GateKind } from "./gates.ts";

/** Every kind of record that an action can be gated by, besides other actions. */
export const gateKinds: readonly GateKind[] = [checkpointGate, sentinelGate];
