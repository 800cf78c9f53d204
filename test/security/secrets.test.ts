import { afterAll, beforeAll, expect, test } from "vitest";
import * as z from "zod";
import { startSession } from "../../src/capture/sessions/operations.ts";
import { createAction, updateAction } from "../../src/coordination/actions/operations.ts";
import { createCheckpoint } from "../../src/coordination/checkpoints/operations.ts";
import { acquireLease } from "../../src/coordination/leases/operations.ts";
import { saveRoutine } from "../../src/coordination/routines/operations.ts";
import { createSentinel } from "../../src/coordination/sentinels/operations.ts";
import { createSketch } from "../../src/coordination/sketches/operations.ts";
import { saveLesson } from "../../src/knowledge/lessons/operations.ts";
import { remember } from "../../src/knowledge/memories/operations.ts";
import { catalogue } from "../../src/operation/catalogue.ts";
import { plausibleInput } from "../support/generated-input.ts";
import { dumpStore, openTestHttp, type TestHttp } from "../support/http.ts";

/*
 * Walks the catalogue: each field of each writing operation gets a secret, while the other fields are valid,
 * and the secret must be nowhere in the store afterwards. Stored as given are only the names by which records are found
 * again: ids, projects, paths, enumerations.
 */

const keptAsGiven =
  /^(?:project|cwd|sha|hookType|syncFilter)$|^(?:from|to|createdBy|assignedTo|initiatedBy|resolvedBy)$|(?:Id|Ids|files|Path|path|Dir)$/u;

const writing = catalogue.filter(
  ({ http, runOnBody, runOnMessage }) =>
    http !== undefined && http.method !== "GET" && runOnBody === undefined && runOnMessage === undefined,
);
const fields = writing.flatMap((operation) => {
  const { properties = {} } = z.toJSONSchema(operation.input, { io: "input", unrepresentable: "any" });
  return Object.entries(properties).flatMap(([name, schema]) =>
    keptAsGiven.test(name) ? [] : [{ operation, name, schema }],
  );
});

let http: TestHttp;
beforeAll(async () => {
  http = await openTestHttp({
    env: {
      MEMSVC_SLOTS: "true",
      MEMSVC_TEAM_ID: "core",
      MEMSVC_USER_ID: "ann",
      // Nobody answers there, but jobs that wait for a model are stored all the same.
      OPENAI_BASE_URL: "http://127.0.0.1:9/v1",
      GRAPH_EXTRACTION_ENABLED: "true",
      CONSOLIDATION_ENABLED: "true",
      MEMSVC_AUTO_COMPRESS: "true",
    },
  });
  await http.ok(startSession, { sessionId: "s1", project: "shop", cwd: "/w/shop" });
});
afterAll(() => http.close());

/** New records, so that each call stores what it is given; the agent `word` holds the lease. */
async function freshRecords(place: number) {
  const { memoryId } = await http.ok(remember, { content: `there from the start of ${place}` });
  const { action } = await http.ok(createAction, { title: "build" });
  await http.ok(acquireLease, { actionId: action.id, agentId: "word" });
  const { sentinel } = await http.ok(createSentinel, {
    name: "later",
    type: "timer",
    config: { durationMs: 86_400_000 },
  });
  return {
    memoryId,
    id: memoryId,
    targetId: memoryId,
    itemId: memoryId,
    itemType: "memory",
    targetType: "memory",
    lessonId: (await http.ok(saveLesson, { content: `look ${place} times` })).lesson.id,
    actionId: action.id,
    sourceActionId: action.id,
    targetActionId: (await http.ok(createAction, { title: "ship" })).action.id,
    checkpointId: (await http.ok(createCheckpoint, { name: "tests" })).checkpoint.id,
    sentinelId: sentinel.id,
    sketchId: (await http.ok(createSketch, { title: "plan" })).sketch.id,
  };
}

/** A value that the schema accepts, with the secret in each of its texts. */
function filled(schema: z.core.JSONSchema._JSONSchema, secret: string): unknown {
  if (typeof schema === "boolean") return { note: secret };
  if (schema.enum !== undefined || schema.const !== undefined) return undefined;
  const [variant] = schema.anyOf ?? schema.oneOf ?? [];
  if (variant !== undefined) return filled(variant, secret);
  if (schema.type === "string") {
    if (schema.format === "date-time") return undefined;
    return schema.format === "uri" ? `https://shop.example/?key=${secret}` : `use ${secret} here`;
  }
  if (schema.type === "array") {
    const { items } = schema;
    const item = filled(typeof items === "object" && !Array.isArray(items) ? items : {}, secret);
    return item === undefined ? undefined : [item];
  }
  if (schema.type === "object" && schema.properties !== undefined) {
    const inner = Object.entries(schema.properties).filter(([name]) => !keptAsGiven.test(name));
    return Object.fromEntries(inner.map(([name, one]) => [name, filled(one, secret)]));
  }
  return schema.type === undefined || schema.type === "object" ? { note: secret } : undefined;
}

const redacted = new Set<string>();
const refused = new Set<string>();

test.each(fields.map((field) => [field.operation.id, field.name, field] as const))(
  "%s stores no secret given in its field %s",
  async (id, name, field) => {
    const { operation, schema } = field;
    const place = fields.indexOf(field);
    const secret = `ghp_${"a1B2c3D4e5".repeat(3)}${String(place).padStart(6, "0")}`;
    const value = filled(schema, secret);
    if (value === undefined) return;
    const fresh = await freshRecords(place);
    const label = id === "slots.create" ? `slot_${place}` : "persona";
    const known: Readonly<Record<string, unknown>> = { ...fresh, label };
    const input = plausibleInput(operation, fresh.memoryId);
    for (const [other, given] of Object.entries(input)) {
      if (other in known) input[other] = known[other];
      // The same text again would only reinforce the record of an earlier call.
      else if (other === "content" && typeof given === "string") input[other] = `${given} ${place}`;
    }
    const before = await dumpStore(http);
    const { status } = await http.reply(operation, { ...input, [name]: value });
    await http.settled();
    const after = await dumpStore(http);
    expect(after.toLowerCase()).not.toContain(secret.toLowerCase());
    if (status === 400) refused.add(`${id} ${name}`);
    if (status < 300 && marksIn(after) > marksIn(before)) redacted.add(`${id} ${name}`);
  },
);

test("fields with secrets are stored in redacted form", () => {
  expect([...redacted]).toEqual(
    expect.arrayContaining([
      "observations.observe data",
      "commits.link message",
      "memories.remember content",
      "memories.evolve newContent",
      "memories.evolve newTitle",
      "lessons.save content",
      "lessons.save tags",
      "slots.append text",
      "slots.create description",
      "search.smart query",
      "actions.create metadata",
      "actions.edge metadata",
      "leases.release result",
      "routines.save steps",
      "signals.send content",
      "checkpoints.resolve result",
      "sentinels.trigger result",
      "sketches.create description",
      "sketches.add description",
    ]),
  );
});

/** Fields of a form of their own, which the walk does not write: what they take is a name, or is stored by others. */
const ofOwnForm = [
  "actions.create edges",
  "facets.query matchAll",
  "facets.query matchAny",
  "mcp.call name",
  "mcp.prompt name",
  "mcp.readResource uri",
  "projects.separate folder",
  "routines.run overrides",
  "search.full format",
  "slots.append label",
  "slots.create label",
  "slots.delete label",
  "slots.replace label",
  "snapshots.restore commitHash",
  "vault.export types",
  "vault.exportObsidian types",
];

test("no other field refuses the text with its secret, which would prove nothing", () => {
  expect([...refused].toSorted(), "filled() above makes a text of the field's form").toEqual(ofOwnForm);
});

test("tags that are the same once they are redacted are stored once", async () => {
  const tags = ["a", "b"].map((sign) => `ghp_${sign.repeat(18)}${"T4".repeat(9)}`).concat("release");
  const { memory } = await http.ok(remember, { content: "tokens were tags", concepts: tags });
  const { lesson } = await http.ok(saveLesson, { content: "tokens are no tags", tags });
  const { action } = await http.ok(createAction, { title: "retag", tags });
  const updated = await http.ok(updateAction, { actionId: action.id, tags });
  const { routine } = await http.ok(saveRoutine, { name: "tag", steps: [{ title: "tag it" }], tags });
  for (const stored of [memory.concepts, lesson.tags, action.tags, updated.action.tags, routine.tags])
    expect(stored).toEqual(["[REDACTED_SECRET]", "release"]);
});

function marksIn(dump: string): number {
  return dump.toLowerCase().split("[redacted_secret]").length;
}
