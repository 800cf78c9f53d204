import type { OperationEntry } from "./operation-entry.ts";

/** Whether an operation changes nothing that somebody asked it to change. */
export function isReadOnlyOperation({ http }: Pick<OperationEntry, "http">): boolean {
  return http.method === "GET" || http.readOnly === true;
}
