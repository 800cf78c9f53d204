import type { OperationEntry } from "./operation-entry.ts";

/** Whether an operation only reads (apart from notes of what was read). */
export function isReadOnlyOperation({ http }: Pick<OperationEntry, "http">): boolean {
  return http.method === "GET" || http.readOnly === true;
}
