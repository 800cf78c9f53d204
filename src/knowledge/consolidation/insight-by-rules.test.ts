import { expect, test } from "vitest";
import { insightByRules } from "./insight-by-rules.ts";
import { clusterOf, tokenizeStatement } from "./term-clusters.ts";

test.each([
  ["Mail retries wait for the queue.", "Mail retries wait for the queue"],
  ["mail retries wait for the queue", "Mail retries wait for the queue."],
])("an insight quotes the sentence %j once, though another statement has it as %j", (sentence, shared) => {
  const longer = [`Repair the mail queue: ${shared}`, "Write tests for logins and orders: 3 tests pass"];
  const other = "Herons nest in tall trees near the mail office";
  const texts = [sentence, longer.join("\n"), other];
  const about = texts.map((text, at) => ({ kind: "memory" as const, id: `m${at}`, text, tags: [] }));
  const { content } = insightByRules(clusterOf(["mail", "queue"], about.map(tokenizeStatement), 1));
  expect(content.split("\n").sort()).toEqual([other, ...longer].sort());
});
