import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import Database from "libsql";
import { linkCommit } from "../../src/capture/commits/operations.ts";
import { observe } from "../../src/capture/observations/operations.ts";
import { endSession, startSession } from "../../src/capture/sessions/operations.ts";
import { databaseFile } from "../../src/config/home.ts";
import { loadSettings } from "../../src/config/load.ts";
import { Core } from "../../src/core.ts";
import { JobWorker } from "../../src/jobs/worker.ts";
import { saveLesson } from "../../src/knowledge/lessons/operations.ts";
import { evolve, forget, getMemory, remember } from "../../src/knowledge/memories/operations.ts";
import { getProfile } from "../../src/knowledge/profiles/operations.ts";
import { createSlot } from "../../src/knowledge/slots/operations.ts";
import { smartSearch } from "../../src/recall/search/operations.ts";
import { schemaVersion } from "../../src/store/migrate.ts";
import { minuteMs } from "../../src/time/durations.ts";
import { addSharedWork, sharingSettings } from "./shared-work.ts";
import { describeStore } from "./store-contents.ts";

/*
 * Makes the fixture of the present schema: `npx tsx test/upgrade/make-fixture.ts`, once at each release that changes
 * the schema. It writes a small store with rows in every table, and a file with what must be found in it. A fixture
 * that was released is never made again.
 */

/** A PNG. */
const onePixel =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

const folder = fileURLToPath(new URL("fixtures", import.meta.url));
const startedAt = Date.parse("2026-03-01T12:00:00.000Z");

const home = mkdtempSync(join(tmpdir(), "memsvc-fixture-"));
try {
  await fill();
  const name = join(folder, `schema-${schemaVersion}`);
  const path = databaseFile(home);
  writeFileSync(`${name}.json`, `${JSON.stringify(describeStore(path), null, 2)}\n`);
  writeFileSync(`${name}.db.gz`, gzipSync(readFileSync(path), { level: 9 }));
} finally {
  rmSync(home, { recursive: true });
}

async function fill(): Promise<void> {
  let time = startedAt;
  const { settings } = loadSettings({
    home,
    env: { MEMSVC_SLOTS: "true", ...sharingSettings },
    fileText: undefined,
  });
  const core = await Core.open({ home, settings, now: () => time, userHome: "/home/dev" });
  const cli = { face: "cli" } as const;
  const session = { sessionId: "ses_first", project: "shop", cwd: "/srv/shop" };
  await core.call(startSession, session, cli);
  const events = [
    { hookType: "prompt_submit", data: { userPrompt: "Why does the checkout test fail at midnight?" } },
    {
      hookType: "post_tool_use",
      data: {
        toolName: "Edit",
        toolInput: {
          file_path: "/srv/shop/src/clock.ts",
          old_string: "new Date()",
          new_string: "clock.now()",
        },
        toolOutput: "edited",
      },
    },
    {
      hookType: "post_tool_use",
      data: {
        toolName: "Bash",
        toolInput: { command: "npm test" },
        toolOutput: "12 passed\nnaïve café ünïcode",
      },
    },
    {
      hookType: "post_tool_use",
      data: {
        toolName: "Bash",
        toolInput: { command: "git commit -am 'fix: clock at midnight'" },
        toolOutput: "[main 7c0ffee] fix: clock at midnight\n 1 file changed, 1 insertion(+), 1 deletion(-)",
      },
    },
  ];
  for (const event of events) {
    time += minuteMs;
    await core.call(observe, { ...session, ...event, timestamp: new Date(time).toISOString() }, cli);
  }
  const elsewhere = {
    sessionId: "ses_second",
    project: "/srv/shop",
    cwd: "/srv/shop",
    hookType: "prompt_submit",
  };
  await core.call(
    observe,
    {
      ...elsewhere,
      timestamp: new Date(time).toISOString(),
      data: { userPrompt: "Tidy up the release notes" },
    },
    cli,
  );
  const first = await core.call(
    remember,
    {
      content: "The checkout reads the time from clock.now()",
      project: "shop",
      type: "architecture",
      concepts: ["clock"],
    },
    cli,
  );
  await core.call(
    evolve,
    { memoryId: first.memoryId, newContent: "All services read the time from clock.now(), in UTC" },
    cli,
  );
  const kept = await core.call(
    remember,
    { content: "Releases are tagged by hand on Fridays", ttlDays: 36_000 },
    cli,
  );
  await core.call(getMemory, { id: kept.memoryId }, cli);
  const gone = await core.call(remember, { content: "Forgotten before it was of use" }, cli);
  await core.call(forget, { memoryId: gone.memoryId }, cli);
  await core.call(endSession, { sessionId: session.sessionId }, cli);
  await JobWorker.runDue(core.ground, core.jobHandlers());
  await core.call(getProfile, { project: "shop" }, cli);
  await core.call(
    observe,
    { ...session, hookType: "stop", timestamp: new Date(time + 1).toISOString() },
    cli,
  );
  await core.call(
    observe,
    {
      ...session,
      hookType: "post_tool_use",
      timestamp: new Date(time + 2).toISOString(),
      data: { toolName: "Screenshot", imageData: onePixel },
    },
    cli,
  );
  await core.call(
    linkCommit,
    {
      sha: "0123456789abcdef0123456789abcdef01234567",
      sessionId: session.sessionId,
      message: "Use the clock",
    },
    cli,
  );
  await core.call(saveLesson, { content: "Never read the time twice", project: "shop" }, cli);
  await core.call(createSlot, { label: "release_notes", content: "on Fridays", project: "shop" }, cli);
  await core.call(smartSearch, { query: "clock", sessionId: session.sessionId }, { face: "library" });
  await core.search.notes.settled();
  await addConclusions(core);
  await addSharedWork(core, kept.memoryId);
  // The store is closed before this memory is placed in the graph, so the fixture has a pending row.
  await core.call(remember, { content: "Tags are signed", project: "shop", concepts: ["signing"] }, cli);
  await core.close();
  addRows();
}

/** Stores what consolidation would make if there were more sessions than these. */
async function addConclusions(core: Core): Promise<void> {
  const derived = { project: "shop", provider: "extractive" };
  await core.ground.store.write(async (tx) => {
    await core.facts.add(tx, { ...derived, fact: "The checkout reads clock.now()", confidence: 0.5 });
    await core.procedures.add(tx, {
      ...derived,
      name: "npm test → npm publish",
      steps: ["npm test", "npm publish"],
      triggerCondition: "release",
    });
    await core.insights.save(tx, {
      ...derived,
      title: "Recurring: clock",
      content: "Time is read in one place",
      confidence: 0.3,
      sourceConceptCluster: ["clock"],
    });
  });
}

/** Adds rows that only a model would make. There is none here, and only the shape of the tables matters. */
function addRows(): void {
  const database = new Database(databaseFile(home));
  database.exec(`
    INSERT INTO llm_usage VALUES ('2026-03-01', 'summary', 1, 0, 100, 20);
    INSERT INTO pending_compressions SELECT id, session_id, 0 FROM observations WHERE seq = 1;
    INSERT INTO consolidation_runs VALUES ('/srv/shop', '', ${startedAt});
    INSERT INTO mesh_arrivals SELECT 'memories', id, ${startedAt}, NULL FROM memories LIMIT 1;
    INSERT INTO image_pins SELECT ref, NULL, NULL, created_at FROM images;
    INSERT INTO image_vectors SELECT ref, 'fixture', x'0000803f', created_at FROM images;`);
  database
    .prepare(
      "INSERT INTO document_vectors (document_id, chunk, fingerprint, vector) VALUES (1, 0, 'fixture', ?)",
    )
    .run([Buffer.from(new Float32Array([0.6, 0.8, 0, 0]).buffer)]);
  database.exec(
    "DELETE FROM pending_vectors WHERE document_id = 1; PRAGMA wal_checkpoint(TRUNCATE); VACUUM;",
  );
  database.close();
}
