import { MemsvcError } from "../../operation/errors.ts";
import { maxJsonBytes } from "../../operation/fields.ts";

type Metadata = Readonly<Record<string, unknown>>;

/**
 * Merges metadata by key; later parts win. Error: invalid_input when the result is longer than metadata may
 * be.
 */
export function mergedMetadata(...parts: readonly (Metadata | null | undefined)[]): Metadata {
  // Not Object.assign: a key named __proto__ is plain data.
  const merged: Metadata = Object.fromEntries(parts.flatMap((part) => Object.entries(part ?? {})));
  if (Buffer.byteLength(JSON.stringify(merged)) <= maxJsonBytes) return merged;
  throw new MemsvcError("invalid_input", `metadata would be more than ${maxJsonBytes} bytes in all`);
}
