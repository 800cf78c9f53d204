import { describe, expect, test } from "vitest";
import type { NewFact } from "../../src/knowledge/facts/facts.ts";
import { listFacts } from "../../src/knowledge/facts/operations.ts";
import { listProcedures } from "../../src/knowledge/procedures/operations.ts";
import type { NewProcedure } from "../../src/knowledge/procedures/procedures.ts";
import { dayMs } from "../../src/time/durations.ts";
import { forEachTest } from "../support/for-each-test.ts";
import { dumpStore, openTestHttp } from "../support/http.ts";

const http = forEachTest(openTestHttp);

function addFact(fact: string, fields: Partial<NewFact> = {}, { core } = http) {
  const given = { fact, confidence: 0.8, provider: "extractive", ...fields };
  return core.ground.store.write((tx) => core.facts.add(tx, given));
}

function addProcedure(name: string, fields: Partial<NewProcedure> = {}, { core } = http) {
  const given = {
    name,
    steps: ["test", "commit"],
    triggerCondition: "release",
    provider: "extractive",
    ...fields,
  };
  return core.ground.store.write((tx) => core.procedures.add(tx, given));
}

describe("facts", () => {
  test("are listed as created, latest change first, in pages", async () => {
    await addFact("Tests need Redis", { project: "shop", sourceSessionIds: ["s1"], agentId: "builder" });
    http.advance(1_000);
    await addFact("Deploys happen on Mondays");
    const { semantic, total } = await http.ok(listFacts, {});
    expect(total).toBe(2);
    expect(semantic.map(({ fact }) => fact)).toEqual(["Deploys happen on Mondays", "Tests need Redis"]);
    expect(semantic[1]).toEqual({
      id: expect.stringMatching(/^sem_/u),
      fact: "Tests need Redis",
      confidence: 0.8,
      project: "shop",
      agentId: "builder",
      sourceSessionIds: ["s1"],
      sourceMemoryIds: [],
      accessCount: 0,
      lastAccessedAt: "2026-03-01T12:00:00.000Z",
      strength: 0.8,
      provider: "extractive",
      createdAt: "2026-03-01T12:00:00.000Z",
      updatedAt: "2026-03-01T12:00:00.000Z",
    });
    expect((await http.ok(listFacts, { limit: 1, offset: 1 })).semantic[0]?.fact).toBe("Tests need Redis");
    expect((await http.ok(listFacts, { project: "shop" })).total).toBe(1);
    expect((await http.ok(listFacts, { agentId: "builder" })).total).toBe(1);
  });

  test("that recur in any case and spacing are reinforced, with all their sources", async () => {
    await addFact("Tests need Redis", { confidence: 0.4, sourceSessionIds: ["s1"], sourceMemoryIds: ["m1"] });
    http.advance(40 * dayMs);
    const again = await addFact("  tests need redis ", { confidence: 0.6, sourceSessionIds: ["s2", "s1"] });
    expect(again.action).toBe("reinforced");
    expect((await http.ok(listFacts, {})).semantic).toMatchObject([
      {
        fact: "Tests need Redis",
        confidence: 0.6,
        strength: 0.6,
        accessCount: 1,
        sourceSessionIds: ["s1", "s2"],
        sourceMemoryIds: ["m1"],
        lastAccessedAt: "2026-04-10T12:00:00.000Z",
      },
    ]);
    expect((await addFact("Tests need Redis", { confidence: 0.1 })).row.confidence).toBe(0.6);
  });

  test("known from more sessions than are kept are reinforced by further ones, but only once by each", async () => {
    const known = Array.from({ length: 200 }, (_, at) => `s${at}`);
    const again = async (sourceSessionIds: readonly string[]) =>
      (await addFact("Tests need Redis", { sourceSessionIds, needsNews: true })).action;
    expect(await again(known)).toBe("created");
    expect([await again(["s0", "new"]), await again(["new", "s0"])]).toEqual(["reinforced", "unchanged"]);
    const [fact] = (await http.ok(listFacts, {})).semantic;
    expect(fact?.sourceSessionIds).toEqual(["s0", ...known.slice(2), "new"]);
    expect(await again([...known, "newer"].reverse())).toBe("reinforced");
    expect(await again([...known, "newer"].reverse())).toBe("unchanged");
  });

  test("of different projects or agents stay separate", async () => {
    for (const fields of [{}, { project: "shop" }, { agentId: "a" }, { project: "shop", agentId: "a" }])
      expect((await addFact("Tests need Redis", fields)).action).toBe("created");
  });

  test("lose a tenth of their strength for each decay period without access", async () => {
    await addFact("Tests need Redis");
    http.advance(95 * dayMs);
    expect((await http.ok(listFacts, {})).semantic[0]?.strength).toBe(0.5832);
    const slower = await openTestHttp({ env: { MEMSVC_CONSOLIDATION_DECAY_DAYS: "60" } });
    await addFact("Tests need Redis", {}, slower);
    slower.advance(95 * dayMs);
    expect((await slower.ok(listFacts, {})).semantic[0]?.strength).toBe(0.72);
    await slower.close();
  });

  test("are cut to 1,000 characters, and secrets are redacted", async () => {
    const token = `ghp_${"a1B2".repeat(9)}`;
    await addFact(`${token} ${"x".repeat(2_000)}`);
    const [fact] = (await http.ok(listFacts, {})).semantic;
    expect([fact?.fact.length, fact?.fact.startsWith("[REDACTED_SECRET]")]).toEqual([1_000, true]);
  });
});

describe("procedures", () => {
  test("are listed as created", async () => {
    await addProcedure("test → commit", {
      project: "shop",
      concepts: ["release"],
      expectedOutcome: "a release",
    });
    const { procedural } = await http.ok(listProcedures, { project: "shop" });
    expect(procedural).toEqual([
      {
        id: expect.stringMatching(/^prc_/u),
        name: "test → commit",
        steps: ["test", "commit"],
        triggerCondition: "release",
        expectedOutcome: "a release",
        frequency: 1,
        project: "shop",
        sourceSessionIds: [],
        sourceObservationIds: [],
        tags: [],
        concepts: ["release"],
        strength: 0.5,
        provider: "extractive",
        createdAt: "2026-03-01T12:00:00.000Z",
        updatedAt: "2026-03-01T12:00:00.000Z",
      },
    ]);
    expect((await http.ok(listProcedures, { project: "bank" })).total).toBe(0);
  });

  test("of the same name are reinforced from their decayed strength, up to 1", async () => {
    await addProcedure("ship", { sourceSessionIds: ["s1"] });
    http.advance(30 * dayMs);
    expect((await http.ok(listProcedures, {})).procedural[0]?.strength).toBe(0.45);
    const { row } = await addProcedure("ship", { sourceSessionIds: ["s2"] });
    expect(row).toMatchObject({ frequency: 2, strength: 0.55, sourceSessionIds: ["s1", "s2"] });
    for (let times = 0; times < 8; times += 1) await addProcedure("ship");
    expect((await http.ok(listProcedures, {})).procedural[0]).toMatchObject({ frequency: 10, strength: 1 });
    expect((await addProcedure("ship", { agentId: "a" })).action).toBe("created");
  });

  test("redact secrets in all their texts", async () => {
    const token = `ghp_${"a1B2".repeat(9)}`;
    await addProcedure(`run ${token}`, { steps: [token], triggerCondition: token, expectedOutcome: token });
    expect(await dumpStore(http)).not.toContain(token);
  });
});

test.each([listFacts, listProcedures])("isolated agents see only their own rows", async (operation) => {
  const isolated = await openTestHttp({ env: { MEMSVC_AGENT_SCOPE: "isolated" } });
  await addFact("x y", { agentId: "a" }, isolated);
  await addProcedure("x y", { agentId: "a" }, isolated);
  await addFact("x y", {}, isolated);
  await addProcedure("x y", {}, isolated);
  expect((await isolated.reply(operation, {})).status).toBe(400);
  const total = async (fields: Readonly<Record<string, unknown>>) =>
    (await isolated.reply(operation, fields)).body.total;
  expect(await total({ agentId: "a" })).toBe(1);
  expect(await total({ agentId: "b" })).toBe(0);
  expect(await total({ agentId: "b", includeOrphans: true })).toBe(1);
  expect(await total({ agentId: "*" })).toBe(2);
  await isolated.close();
});
