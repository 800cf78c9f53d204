import type { Operation } from "./define.ts";
import type { Metrics } from "./metrics.ts";

/** Counted functions that are not operations: what operations and jobs call. */
const besidesOperations: readonly string[] = [
  "llm.complete",
  "embed.document",
  "embed.query",
  "embed.image",
  "embed.text",
  "observe.compress",
];

/** The id under which calls of an operation are counted. */
export function functionIdOf(operation: Operation): string {
  if (operation.functionId !== undefined) return operation.functionId;
  return operation.http === undefined
    ? operation.id
    : `route:${operation.http.method} ${operation.http.path}`;
}

/** Whether calls are, or could be, counted under this id. */
export async function isFunctionId(id: string, metrics: Pick<Metrics, "list">): Promise<boolean> {
  if (besidesOperations.includes(id) || metrics.list().some(({ functionId }) => functionId === id))
    return true;
  // Imported late, because the catalogue imports the modules that call this.
  const { catalogue } = await import("./catalogue.ts");
  return catalogue.some((operation) => functionIdOf(operation) === id);
}
