import { MemsvcError } from "../../operation/errors.ts";
import { maxJsonBytes } from "../../operation/fields.ts";

type Metadata = Readonly<Record<string, unknown>>;

/** By key, the later in the place of the earlier. Error: invalid_input where that is more than metadata may be. */
export function mergedMetadata(...parts: readonly (Metadata | null | undefined)[]): Metadata {
  // Not Object.assign: a key named __proto__ is plain data.
  const merged: Metadata = Object.fromEntries(parts.flatMap((part) => Object.entries(part ?? {})));
  if (Buffer.byteLength(JSON.stringify(merged)) <= maxJsonBytes) return merged;
  throw new MemsvcError("invalid_input", `metadata would be more than ${maxJsonBytes} bytes in all`);
}
