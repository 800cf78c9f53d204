import { afterEach, expect, test } from "vitest";
import { observe } from "../../src/capture/observations/operations.ts";
import { endSession } from "../../src/capture/sessions/operations.ts";
import { listAudit } from "../../src/governance/audit/operations.ts";
import { consolidate, consolidatePipeline } from "../../src/knowledge/consolidation/operations.ts";
import { forget, getMemory, listMemories, remember } from "../../src/knowledge/memories/operations.ts";
import type { Memory } from "../../src/knowledge/memories/record.ts";
import { summarizeSession } from "../../src/knowledge/summaries/operations.ts";
import { buildContext } from "../../src/recall/context/operations.ts";
import { enrich } from "../../src/recall/enrich/operations.ts";
import { smartSearch } from "../../src/recall/search/operations.ts";
import { openTestHttp, type TestHttp } from "../support/http.ts";
import { helpful } from "../support/model-answers.ts";
import { openModelServer } from "../support/model-server.ts";
import { happen, type Place } from "../support/workdays.ts";

let http: TestHttp;
afterEach(() => http.close());

const asked = "Why do the invoices of March have no VAT number?";
const cause = "The VAT number was dropped because the importer trims columns by a fixed width.";
const fix = "I read the width from the header now.";

/** A turn of a session: what was asked, which file was changed, and what the agent answered. */
async function turn(
  sessionId: string,
  answer: string,
  {
    prompt = asked,
    file = "src/import/columns.ts",
    ...place
  }: Place & { prompt?: string; file?: string } = {},
): Promise<string> {
  const { project = "shop", cwd = `/home/dev/${project}` } = place;
  await happen(http, sessionId, "prompt_submit", { prompt }, place);
  const input = { file_path: `${cwd}/${file}`, old_string: "a", new_string: "b" };
  await happen(http, sessionId, "post_tool_use", { tool_name: "Edit", tool_input: input }, place);
  return happen(http, sessionId, "stop", { assistantResponse: answer }, place);
}

async function findings(view: { readonly agentId?: string } = {}): Promise<Memory[]> {
  const list = await http.ok(listMemories, { latest: true, ...view });
  if (!("memories" in list)) throw new Error("the memories were only counted");
  return list.memories;
}

const distil = (input: { project?: string; agentId?: string } = {}) =>
  http.ok(consolidatePipeline, { tier: "semantic", ...input });

test("what an agent found out becomes a memory in its own words, with its files, concepts and sources", async () => {
  http = await openTestHttp();
  const answerId = await turn("1", `Done. ${cause} ${fix} All 12 tests pass.`);
  const result = await distil();
  expect(result).toMatchObject({ results: { semantic: { findings: 1 } } });
  const [memory, ...others] = await findings();
  expect(others).toEqual([]);
  expect(memory).toMatchObject({
    type: "bug",
    title: "The VAT number was dropped",
    content: `${cause} ${fix}`,
    files: ["src/import/columns.ts"],
    concepts: expect.arrayContaining(["importer"]),
    sourceObservationIds: [answerId],
    sessionIds: ["1"],
    project: "shop",
    version: 1,
    origin: { channel: "consolidation", detail: "finding" },
  });
  const { entries } = await http.ok(listAudit, { operation: "consolidate" });
  expect(entries[0]?.targetIds).toContain(memory?.id);
});

test("the findings of one answer are kept in the order in which it tells them", async () => {
  http = await openTestHttp();
  const other = "The totals were wrong because the discount was applied twice.";
  await turn("1", `Done. ${cause} ${fix} ${other} I apply it once now.`);
  await distil();
  const newestFirst = (await findings()).map(({ content }) => content);
  expect(newestFirst).toEqual([`${other} I apply it once now.`, `${cause} ${fix}`]);
});

test("a finding that only points to its effect is named after what was asked", async () => {
  http = await openTestHttp();
  await turn("1", "It was caused by the importer, which trims columns by a fixed width.");
  await distil();
  expect((await findings())[0]?.title).toBe(asked);
});

test("its files are those that it names, then those that were changed in its turn, not in earlier ones", async () => {
  http = await openTestHttp();
  await turn("1", "Done.", { file: "src/mail/send.ts", prompt: "Give the mails a footer, please." });
  await turn("1", "The test failed because jsdom has no structuredClone; it is in test/setup.ts now.");
  await distil();
  expect((await findings()).map(({ files }) => files)).toEqual([["test/setup.ts", "src/import/columns.ts"]]);
});

test("a run without findings says nothing about them, and a second run makes nothing new", async () => {
  http = await openTestHttp();
  await turn("1", `${cause} ${fix}`);
  await distil();
  const before = await http.ok(listMemories, {});
  const again = await distil();
  expect(again).not.toHaveProperty("results.semantic.findings");
  expect(await http.ok(listMemories, {})).toEqual(before);
});

test("the same finding in another session strengthens the first, in the same session it changes nothing", async () => {
  http = await openTestHttp();
  await turn("1", `${cause} ${fix}`);
  await distil();
  await turn("1", `In short, this is it. ${cause} ${fix}`, { prompt: "Sum up what you did today, please." });
  await distil();
  expect((await findings())[0]).toMatchObject({ version: 1, sessionIds: ["1"] });
  http.advance(200 * 86_400_000);
  expect((await findings())[0]?.strength).toBeLessThan(0.5);
  await turn("2", cause, { file: "src/import/width.ts" });
  await distil();
  const [memory, ...others] = await findings();
  expect(others).toEqual([]);
  expect(memory).toMatchObject({
    version: 2,
    strength: 1,
    sessionIds: ["2", "1"],
    files: ["src/import/width.ts", "src/import/columns.ts"],
  });
});

test("a later finding that denies an earlier cause replaces it, if both are about the same", async () => {
  http = await openTestHttp();
  await turn("1", cause);
  await turn("2", "The nightly mail failed because the importer was running.", {
    file: "src/mail/send.ts",
    prompt: "Why was there no mail tonight?",
  });
  await distil();
  await turn(
    "3",
    "It was not the importer after all. The VAT number was dropped because Excel saved it as a number.",
  );
  await distil();
  const now = await findings();
  expect(now.map(({ content }) => content).sort()).toEqual([
    "The VAT number was dropped because Excel saved it as a number.",
    "The nightly mail failed because the importer was running.",
  ]);
  const replacing = now.find(({ content }) => content.includes("Excel"));
  expect(replacing).toMatchObject({ version: 2, sessionIds: ["3", "1"] });
});

test("a memory that somebody made stays as it is, and no finding is put beside it", async () => {
  http = await openTestHttp();
  await turn("1", cause);
  const { memoryId } = await http.ok(remember, { content: cause, project: "shop", type: "fact" });
  const { memory: before } = await http.ok(getMemory, { id: memoryId });
  await distil();
  expect((await findings()).map(({ id }) => id)).toEqual([memoryId]);
  expect((await http.ok(getMemory, { id: memoryId })).memory).toEqual(before);
});

test("a finding that was forgotten does not come back", async () => {
  http = await openTestHttp();
  await turn("1", cause);
  await distil();
  const [memory] = await findings();
  await http.ok(forget, { memoryId: memory?.id ?? "" });
  await distil();
  expect(await findings()).toEqual([]);
});

test("findings stay with their project", async () => {
  http = await openTestHttp();
  await turn("1", cause, { project: "shop" });
  await turn("2", cause, { project: "blog" });
  await distil({ project: "shop" });
  expect((await findings()).map(({ project }) => project)).toEqual(["shop"]);
  await distil({ project: "blog" });
  expect((await findings()).map(({ project, version }) => ({ project, version }))).toEqual([
    { project: "blog", version: 1 },
    { project: "shop", version: 1 },
  ]);
});

test("where agents are isolated, each has the findings of its own sessions", async () => {
  http = await openTestHttp({ env: { MEMSVC_AGENT_SCOPE: "isolated" } });
  await turn("1", cause, { agentId: "anna" });
  await turn("2", cause, { agentId: "bert" });
  await distil({ agentId: "*" });
  for (const agentId of ["anna", "bert"])
    expect((await findings({ agentId })).map((memory) => [memory.agentId, memory.version])).toEqual([
      [agentId, 1],
    ]);
});

test("where agents are isolated, none corrects the finding of another", async () => {
  http = await openTestHttp({ env: { MEMSVC_AGENT_SCOPE: "isolated" } });
  await turn("1", cause, { agentId: "anna" });
  await distil({ agentId: "*" });
  const correction = "It was not the importer after all. The VAT number was dropped because Excel cut it.";
  await turn("2", correction, { agentId: "bert" });
  await distil({ agentId: "*" });
  expect((await findings({ agentId: "anna" })).map(({ content }) => content)).toEqual([cause]);
  expect((await findings({ agentId: "bert" })).map(({ version }) => version)).toEqual([1]);
});

test("a secret in a finding is redacted", async () => {
  http = await openTestHttp();
  const secret = ["ghp", "0123456789abcdefghijABCDEFGHIJ012345"].join("_");
  await turn("1", `The push failed because the token ${secret} had expired.`);
  await distil();
  const [memory] = await findings();
  expect(memory?.content).toMatch(/^The push failed because the token .* had expired\.$/);
  expect(JSON.stringify(memory)).not.toContain(secret);
});

test("the message of a commit is read for findings, too", async () => {
  http = await openTestHttp();
  const message =
    "fix(import): VAT numbers of March\n\nIt failed because columns were trimmed by a fixed width.";
  const commands = [
    `git add -A && git commit -m "$(cat <<'EOF'\n${message}\n\nCo-Authored-By: Agent <agent@example.com>\nEOF\n)"`,
    `git commit -m 'Sort names' -m 'The list was wrong because names were compared by bytes.'`,
  ];
  for (const command of commands) {
    const call = {
      tool_name: "Bash",
      tool_input: { command },
      tool_response: { stdout: "[main 3f2a91c] x", exit_code: 0 },
    };
    await happen(http, "1", "post_tool_use", call);
  }
  await distil();
  expect((await findings()).map(({ title, content }) => [title, content])).toEqual([
    ["The list was wrong", "The list was wrong because names were compared by bytes."],
    ["VAT numbers of March", "It failed because columns were trimmed by a fixed width."],
  ]);
});

test("what users write is not read for findings", async () => {
  http = await openTestHttp();
  await happen(http, "1", "prompt_submit", { prompt: cause });
  await happen(http, "1", "stop", { assistantResponse: "Thanks, I will keep that in mind." });
  await distil();
  expect(await findings()).toEqual([]);
});

test("a finding is found, and shown to a session that works on its files, after its observations are forgotten", async () => {
  http = await openTestHttp();
  await turn("1", `${cause} ${fix}`);
  await http.ok(endSession, { sessionId: "1" });
  await distil();
  await http.ok(forget, { sessionId: "1" });
  const { results } = await http.ok(smartSearch, {
    query: "why did invoices lose the VAT number",
    project: "shop",
  });
  const [memory] = await findings();
  expect(results[0]?.obsId).toBe(memory?.id);
  const { context } = await http.ok(buildContext, { sessionId: "new", project: "shop" });
  expect(context).toContain(`[bug] The VAT number was dropped because the importer trims`);
  const { knownIssues } = await http.ok(enrich, {
    sessionId: "new",
    project: "shop",
    files: ["src/import/columns.ts"],
  });
  expect(knownIssues).toEqual([expect.objectContaining({ id: memory?.id, kind: "memory" })]);
});

test("what a model made of an answer stays as it is, and no finding is put beside it", async () => {
  const server = await openModelServer();
  const made = { type: "bug", title: "VAT", content: cause, concepts: ["vat"], files: [] };
  server.answer((seen) =>
    seen.instructions.startsWith("You distil") ? { kind: "json", value: made } : helpful(seen),
  );
  http = await openTestHttp({ env: { ...server.env("openai"), CONSOLIDATION_ENABLED: "true" } });
  try {
    for (const id of ["1", "2", "3"]) {
      await turn(id, cause, { prompt: `We decided to look at the importer ${id}.` });
      await http.ok(endSession, { sessionId: id });
    }
    await http.ok(consolidate, { minObservations: 1 });
    const told = (await findings()).filter(({ content }) => content === cause);
    expect(told.map(({ title, origin }) => [title, origin?.detail])).toEqual([["VAT", undefined]]);
  } finally {
    await server.close();
  }
});

test("an event with another text than an answer is not read", async () => {
  http = await openTestHttp();
  await http.ok(observe, {
    project: "shop",
    cwd: "/home/dev/shop",
    sessionId: "1",
    hookType: "notification",
    timestamp: new Date(http.now()).toISOString(),
    data: { message: cause },
  });
  await distil();
  expect(await findings()).toEqual([]);
});

test("the block shows two findings after what was remembered, and all that concern files of the asking session", async () => {
  http = await openTestHttp();
  const causes = [
    ["mailer", "The mailer crashed because REDIS_URL was empty."],
    ["importer", "Turns out the importer reads dates as local time."],
    ["exporter", "The culprit was a lock that the exporter never released."],
    ["indexer", "Accents got lost, since the indexer folds them twice at night."],
  ] as const;
  for (const [name, text] of causes) await turn(name, text, { file: `src/${name}.ts` });
  await distil();
  for (const [name] of causes) await http.ok(forget, { sessionId: name });
  await http.ok(remember, { content: "Amounts are cents.", project: "shop" });
  const place = { project: "shop", cwd: "/home/dev/shop" };
  const shown = async (sessionId: string) => {
    const { context } = await http.ok(buildContext, { ...place, sessionId });
    const [, memories = ""] = context.split("## Memories\n");
    return memories
      .split("\n\n")[0]
      ?.split("\n")
      .filter((line) => line.startsWith("- "))
      .map((line) => /Amounts|mailer|importer|exporter|indexer/.exec(line)?.[0]);
  };
  expect(await shown("asking")).toEqual(["Amounts", "indexer", "exporter"]);
  for (const name of ["mailer", "importer"]) {
    const input = { file_path: `/home/dev/shop/src/${name}.ts` };
    await happen(http, "asking", "post_tool_use", {
      tool_name: "Read",
      tool_input: input,
      tool_response: "x",
    });
  }
  expect((await shown("asking"))?.toSorted()).toEqual(
    ["Amounts", "exporter", "importer", "indexer", "mailer"].toSorted(),
  );
});

test("the block tells a finding once: with the session that found it out while that is shown, else as a memory", async () => {
  http = await openTestHttp();
  await turn("1", `${cause} ${fix}`);
  await http.ok(endSession, { sessionId: "1" });
  await http.ok(summarizeSession, { sessionId: "1" });
  await distil();
  const shown = async () => (await http.ok(buildContext, { sessionId: "new", project: "shop" })).context;
  const withSession = await shown();
  expect(withSession).toContain("Ended with: The VAT number was dropped");
  expect(withSession).not.toContain("[bug]");
  await http.ok(forget, { sessionId: "1" });
  expect(await shown()).toContain("[bug] The VAT number was dropped");
});
