import { expect, test } from "vitest";
import { withLateSchemas } from "./schemas-when-used.ts";

test("schemas of a declaration are made when they are first used, once", () => {
  const code = `const look = defineOperation({
  id: "look",
  input: make("input", { output: 1 }),
  output: make("output"),
});
return look;`;
  const made: string[] = [];
  const make = (field: string) => {
    made.push(field);
    return { field };
  };
  const defineOperation = (operation: object) => operation;
  const look = new Function("make", "defineOperation", withLateSchemas(code))(make, defineOperation);
  expect(made).toEqual([]);
  expect(look.output).toEqual({ field: "output" });
  expect(look.output).toBe(look.output);
  expect(made).toEqual(["output"]);
  expect({ ...look }).toMatchObject({ id: "look", input: { field: "input" }, output: look.output });
});

test("a declaration that is no object literal is rejected", () => {
  expect(() => withLateSchemas("defineOperation(look);")).toThrow("object literal");
});
