import { expect, test } from "vitest";
import { createAction, updateAction } from "../../src/coordination/actions/operations.ts";
import { acquireLease } from "../../src/coordination/leases/operations.ts";
import { deleteMemories } from "../../src/governance/deletion/operations.ts";
import { evolve, remember } from "../../src/knowledge/memories/operations.ts";
import { DescribedAnswers } from "../support/described-answers.ts";
import { forEachTest } from "../support/for-each-test.ts";
import { openTestHttp, type Reply } from "../support/http.ts";

const http = forEachTest(openTestHttp);

const described = new DescribedAnswers();

const refusals: readonly (readonly [string, string, () => Promise<Reply>])[] = [
  [
    "/leases/acquire",
    "heldBy",
    async () => {
      const { action } = await http.ok(createAction, { title: "build it" });
      await http.ok(acquireLease, { actionId: action.id, agentId: "ann" });
      return http.reply(acquireLease, { actionId: action.id, agentId: "ben" });
    },
  ],
  [
    "/actions/update",
    "blockers",
    async () => {
      const { action: first } = await http.ok(createAction, { title: "build it" });
      const edges = [{ type: "requires" as const, targetActionId: first.id }];
      const { action } = await http.ok(createAction, { title: "ship it", edges });
      return http.reply(updateAction, { actionId: action.id, status: "active" });
    },
  ],
  [
    "/evolve",
    "latestId",
    async () => {
      const { memoryId } = await http.ok(remember, { content: "deploys go out on Tuesdays" });
      await http.ok(evolve, { memoryId, newContent: "deploys go out on Fridays" });
      return http.reply(evolve, { memoryId, newContent: "deploys go out on Mondays" });
    },
  ],
  ["/governance/memories", "notFound", () => http.reply(deleteMemories, { memoryIds: ["mem_none"] })],
];

test.each(refusals)(
  "the refusal of %s has the field %s, which the OpenAPI document describes",
  async (path, field, refused) => {
    const reply = await refused();
    expect(reply.body).toHaveProperty(field);
    expect(described.faultsOf(path === "/governance/memories" ? "DELETE" : "POST", path, reply)).toEqual([]);
  },
);

test("the check reports a field that the OpenAPI document does not describe", () => {
  const body = { error: "no", nobodyToldOfIt: 1 };
  expect(described.faultsOf("POST", "/evolve", { status: 409, body })).not.toEqual([]);
});

test("health may be refused with a 503, as during the restore of a snapshot", () => {
  const body = { error: "the store is being restored" };
  expect(described.faultsOf("GET", "/health", { status: 503, body })).toEqual([]);
});
