import { expect, test } from "vitest";
import { MemsvcError } from "../../operation/errors.ts";
import { withFlagNames } from "./flag-names.ts";

const command = {
  positionals: [{ field: "actionId" }],
  flags: [
    { field: "ttlMs", name: "ttl" },
    { field: "type", name: "kind" },
  ],
};

test("an error names flags and arguments in place of fields, and is otherwise the same", () => {
  const issues = [{ path: "ttlMs", message: "must be at least 1" }];
  const cause = new Error("why");
  const error = new MemsvcError("invalid_input", "ttlMs must be at least 1", {
    hint: "give ttlMs, or another actionId",
    issues,
    extra: { latestId: "act_1" },
    cause,
  });
  const told = withFlagNames(error, command);
  expect(told).toBeInstanceOf(MemsvcError);
  expect(told).toMatchObject({
    code: "invalid_input",
    message: "--ttl must be at least 1",
    hint: "give --ttl, or another <actionId>",
    issues,
    extra: { latestId: "act_1" },
    cause,
    stack: error.stack,
  });
});

test("a hint is translated also where the message names no field, and the message where there is no hint", () => {
  const hinted = new MemsvcError("not_found", "it is gone", { hint: "leave ttlMs out" });
  expect(withFlagNames(hinted, command)).toMatchObject({ message: "it is gone", hint: "leave --ttl out" });
  const plain = new MemsvcError("conflict", "actionId is taken");
  expect(withFlagNames(plain, command)).toMatchObject({ message: "<actionId> is taken", hint: undefined });
});

test.each([
  new Error("ttlMs broke"),
  new MemsvcError("conflict", 'another one of this type has "ttlMs" in its text'),
])("%s stays as it is", (error) => {
  expect(withFlagNames(error, command)).toBe(error);
});
