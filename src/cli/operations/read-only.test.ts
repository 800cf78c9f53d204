import { expect, test } from "vitest";
import { catalogue } from "../../operation/catalogue.ts";
import type { OperationEntry } from "./operation-entry.ts";
import { operationTable } from "./operations.generated.ts";
import { isReadOnlyOperation } from "./read-only.ts";

test("an operation whose MCP tool only reads is read-only on the command line", () => {
  const reading = new Set(catalogue.filter(({ mcp }) => mcp?.effects === "read").map(({ id }) => id));
  const entries: OperationEntry[] = Object.values(operationTable);
  const changing = entries.filter((entry) => reading.has(entry.id) && !isReadOnlyOperation(entry));
  expect(changing.map(({ id }) => id)).toEqual([]);
});
