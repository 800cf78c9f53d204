import { expect, test } from "vitest";
import { catalogue } from "../../operation/catalogue.ts";
import { isReadOnlyOperation } from "./read-only.ts";

test("an operation whose MCP tool only reads is read-only on the command line", () => {
  const reading = catalogue.filter(({ mcp }) => mcp?.effects === "read");
  const changing = reading.filter(({ http }) => http !== undefined && !isReadOnlyOperation({ http }));
  expect(changing.map(({ id }) => id)).toEqual([]);
});
