import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { observe } from "../../src/capture/observations/operations.ts";
import { endSession, startSession } from "../../src/capture/sessions/operations.ts";
import { graphSettled } from "../../src/graph/structural/settled.ts";
import { saveLesson } from "../../src/knowledge/lessons/operations.ts";
import { evolve, remember } from "../../src/knowledge/memories/operations.ts";
import { relate } from "../../src/knowledge/memories/relations/operations.ts";
import { createSlot } from "../../src/knowledge/slots/operations.ts";
import { summarizeSession } from "../../src/knowledge/summaries/operations.ts";
import { catalogue } from "../../src/operation/catalogue.ts";
import type { Operation } from "../../src/operation/define.ts";
import { fieldNames, plausibleInput } from "../support/generated-input.ts";
import { openTestHttp, type Sending, type TestHttp } from "../support/http.ts";

/*
 * Agents are isolated here, and one of them has written a word that no other knows. Every operation that is
 * scoped by agent is called for another agent, with every id and name of the first one's records in every field that
 * might take it: no answer may contain the word, and no record of the first agent may change. The other agent is named
 * by the request, or by the caller's header to a daemon whose AGENT_ID is the first one.
 */

const word = "quetzalcoatlus";
const project = "shop";
const cwd = "/w/shop";
const file = `src/${word}.ts`;
const env = {
  MEMSVC_AGENT_SCOPE: "isolated",
  MEMSVC_SLOTS: "true",
  MEMSVC_REFLECT: "true",
  MEMSVC_TEAM_ID: "core",
  MEMSVC_USER_ID: "ann",
};

interface Asker {
  readonly env: Readonly<Record<string, string>>;
  readonly input: Readonly<Record<string, string>>;
  readonly sending: Sending;
}

const askers: [string, Asker][] = [
  ["named by the request", { env: {}, input: { agentId: "bob" }, sending: {} }],
  [
    "named by the caller's header",
    { env: { AGENT_ID: "ann" }, input: {}, sending: { headers: { "x-memsvc-agent": "bob" } } },
  ],
];

let http: TestHttp;
let ids: readonly string[];

/** The first agent's records: all rows with its name. */
async function belongings(): Promise<string> {
  await graphSettled(http.core.ground);
  const { sql } = http.core.ground.store.read;
  const tables = await sql.all<{ name: string }>(
    "SELECT name FROM sqlite_master WHERE type = 'table' AND sql LIKE '%agent_id%' ORDER BY name",
  );
  const contents: string[] = [];
  for (const { name } of tables.filter((table) => table.name !== "audit_entries")) {
    const rows = await sql.values(`SELECT * FROM "${name}" WHERE agent_id = 'ann' ORDER BY 1`);
    contents.push(`${name}: ${JSON.stringify(rows)}`);
  }
  return contents.join("\n");
}

async function write() {
  const agentId = "ann";
  const session = { sessionId: "session-of-ann", project, cwd, agentId };
  await http.ok(startSession, { ...session, title: `about ${word}` });
  const event = { ...session, timestamp: new Date(http.now()).toISOString() };
  const prompt = await http.ok(observe, {
    ...event,
    hookType: "prompt_submit",
    data: { prompt: `we will always feed the ${word} at noon` },
  });
  const edit = await http.ok(observe, {
    ...event,
    hookType: "post_tool_use",
    data: {
      tool_name: "Edit",
      tool_input: { file_path: `${cwd}/${file}`, new_string: `const a = "${word}"` },
    },
  });
  await http.ok(observe, {
    ...event,
    hookType: "post_tool_failure",
    data: { tool_name: "Bash", tool_input: { command: `feed ${word}` }, error: `Error: ${word} is hungry` },
  });
  const first = await http.ok(remember, {
    content: `the ${word} eats at noon`,
    project,
    concepts: [word],
    files: [file],
    sourceObservationIds: [prompt.observationId],
    agentId,
  });
  const second = await http.ok(evolve, {
    memoryId: first.memoryId,
    newContent: `the ${word} eats at one`,
    agentId,
  });
  const other = await http.ok(remember, { content: `cages for a ${word} are large`, project, agentId });
  const relation = await http.ok(relate, {
    sourceId: second.memoryId,
    targetId: other.memoryId,
    type: "related",
    agentId,
  });
  const { lesson } = await http.ok(saveLesson, { content: `never wake a ${word}`, project, agentId });
  await http.ok(createSlot, { label: "notes_of_ann", content: `the ${word}`, project, agentId });
  await http.ok(summarizeSession, { sessionId: session.sessionId, agentId });
  await http.ok(endSession, { sessionId: session.sessionId, agentId });
  await http.settled();
  ids = [
    session.sessionId,
    prompt.observationId,
    edit.observationId,
    first.memoryId,
    second.memoryId,
    other.memoryId,
    relation.relationId,
    lesson.id,
    "notes_of_ann",
  ];
}

/** Events and commits belong to the session that they name, whoever reports them. */
const belongsToItsSession = new Set(["observations.observe", "commits.link"]);

const scoped = catalogue
  .filter((operation) => operation.http !== undefined && fieldNames(operation).includes("agentId"))
  // These two work on the whole store.
  .filter(({ id }) => !["audit.list", "governance.bulkDelete"].includes(id))
  .map((operation) => [operation.id, operation] as const);

/** Fields that may name a record, in the singular and in the plural. */
const isIdField = (name: string) => /(?:^id|Id|anchor|label|sha)$/u.test(name);
const isIdsField = (name: string) => /(?:Ids|categories)$/u.test(name);

/** The input of somebody who looks for the first agent's records. */
function curious(operation: Operation, id: string, asker: Asker): Record<string, unknown> {
  const names = fieldNames(operation);
  const values: Readonly<Record<string, unknown>> = {
    project,
    cwd,
    files: [file],
    query: word,
    terms: [word],
    anchor: id,
  };
  const known = names.flatMap((name): [string, unknown][] => {
    if (name === "agentId") return [];
    // A request that names a session, but no agent, acts for the agent of the session.
    if (name === "sessionId" && asker.input.agentId === undefined) return [];
    if (isIdsField(name)) return [[name, [id]]];
    if (isIdField(name)) return [[name, id]];
    return name in values ? [[name, values[name]]] : [];
  });
  const { agentId, ...plausible } = plausibleInput(operation, id);
  // Where agentId is required, it has nothing to do with the scope.
  const needed = agentId === undefined ? {} : { agentId: "bob" };
  return { ...plausible, ...Object.fromEntries(known), ...needed, ...asker.input };
}

/** Removes the parts of the input that an answer may repeat. */
function withoutEcho(text: string, input: Readonly<Record<string, unknown>>): string {
  return [JSON.stringify(input.query ?? ""), JSON.stringify(file).slice(1, -1), ...ids].reduce(
    (left, echo) => left.replaceAll(echo, ""),
    text,
  );
}

function without(
  input: Readonly<Record<string, unknown>>,
  names: readonly string[],
  kept: string,
): Record<string, unknown> {
  return Object.fromEntries(
    names
      .filter((name) => name !== kept && name !== "agentId" && name in input)
      .map((name) => [name, undefined]),
  );
}

describe.each(askers)("another agent, %s,", (_asker, asker) => {
  beforeAll(async () => {
    http = await openTestHttp({ env: { ...env, ...asker.env } });
    await write();
  });
  afterAll(() => http.close());

  test.each(scoped)(
    "learns nothing of the first agent's records from %s, and cannot change them",
    async (_id, operation) => {
      const before = await belongings();
      const optional = fieldNames(operation).filter((name) => isIdField(name) || isIdsField(name));
      for (const id of ids) {
        const all = curious(operation, id, asker);
        // Each field alone, too: an unknown id in one must not hide a leak through another.
        const inputs = [all, ...optional.map((name) => ({ ...all, ...without(all, optional, name) }))];
        for (const input of inputs) {
          const { text, status } = await http.reply(operation, input, asker.sending);
          expect(withoutEcho(text, input), `${status} to ${JSON.stringify(input)}`).not.toContain(word);
        }
      }
      await http.settled();
      if (!belongsToItsSession.has(operation.id)) expect(await belongings()).toBe(before);
    },
  );

  test("the walk could detect a leak: the search finds the word for the first agent", async () => {
    const search = catalogue.find(({ id }) => id === "search.smart");
    if (search === undefined) throw new Error("there is no search");
    const { text } = await http.reply(search, { query: word, agentId: "ann" });
    expect(withoutEcho(text, { query: word })).toContain(word);
  });
});
