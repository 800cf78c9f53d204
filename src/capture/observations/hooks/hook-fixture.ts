import { type PickedFields, pickUpFields } from "../pick-up-fields.ts";
import { type HookContext, type ObserveInput, observeInputFrom } from "./hook-payload.ts";

export const context: HookContext = {
  now: () => new Date("2025-01-31T09:08:07.065Z"),
  projectOf: (cwd) => `project of ${cwd}`,
  fallbackCwd: "/fallback",
};

/** The `observe` input for a hook's payload. */
export function read(payload: Record<string, unknown>): ObserveInput {
  const result = observeInputFrom(payload, context);
  if (result.kind !== "event") throw new Error(result.reason);
  return result.input;
}

/** The fields that are picked up from a hook's payload. */
export function picked(payload: Record<string, unknown>): PickedFields {
  const input = read(payload);
  return pickUpFields({ ...input, timestamp: Date.parse(input.timestamp) });
}
