import { expect, test } from "vitest";
import { catalogue } from "../../operation/catalogue.ts";
import { isReadOnlyOperation } from "./read-only.ts";

test("an operation whose tool only reads changes nothing on a command line either", () => {
  const reading = catalogue.filter(({ mcp }) => mcp?.effects === "read");
  const changing = reading.filter(({ http }) => http !== undefined && !isReadOnlyOperation({ http }));
  expect(changing.map(({ id }) => id)).toEqual([]);
});
