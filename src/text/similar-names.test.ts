import { expect, test } from "vitest";
import { similarNames } from "./similar-names.ts";

test.each([
  ["--limt", ["--limit"], ["--limit"]],
  ["--prject", ["--project"], ["--project"]],
  ["--porject", ["--project"], ["--project"]],
  ["serach", ["search"], ["search"]],
  ["--nope", ["--home", "--type"], []],
  ["--jsn", ["--json", "--ndjson"], ["--json"]],
])("for %s the suggestions %j are reduced to %j", (typed, suggested, near) => {
  expect(similarNames(typed, suggested)).toEqual(near);
});
