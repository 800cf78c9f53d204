import { execFileSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { compressFile as compress, textHash } from "../../src/capture/files/compress-file.ts";
import { compressFile } from "../../src/capture/files/operations.ts";
import { listAudit } from "../../src/governance/audit/operations.ts";
import { startJob } from "../../src/jobs/claim-job.ts";
import { countJobs } from "../../src/jobs/jobs.ts";
import type { LanguageModel } from "../../src/llm/language-model.ts";
import { noModel } from "../../src/llm/no-model.ts";
import { MemsvcError } from "../../src/operation/errors.ts";
import { forEachTest } from "../support/for-each-test.ts";
import { openTestHttp, type TestHttp } from "../support/http.ts";
import { openModelServer } from "../support/model-server.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const paragraph =
  "Every worker takes one job at a time, and a job that fails is put back into the queue for later.";
const wordy = `# Queue\n\n${paragraph}\n\n\n\nShort.   \n\n${paragraph}\n\nShort.\n`;
const brief = `# Queue\n\n${paragraph}\n\nShort.\n\nShort.\n`;

let folder: string;
let http: TestHttp;
beforeEach(async () => {
  folder = temporaryFolder();
  mkdirSync(join(folder, "docs"));
  http = await openTestHttp({ env: { MEMSVC_ALLOWED_ROOTS: join(folder, "docs") } });
});
afterEach(() => http.close());

const at = (name: string) => join(folder, "docs", name);
const put = (name: string, text: string | Uint8Array) => writeFileSync(at(name), text);
const read = (name: string) => readFileSync(at(name), "utf8");
const reply = (name: string) => http.reply(compressFile, { filePath: at(name) });

describe("compressing a file by rules", () => {
  test("is done by only one of two processes that start at the same moment", async () => {
    put("notes.md", wordy);
    const { ground, audit } = http.core;
    // Called directly, since requests in one process would share a run.
    const both = await Promise.allSettled([1, 2].map(() => compress(ground, audit, at("notes.md"))));
    expect(both.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
    expect(readdirSync(join(folder, "docs")).sort()).toEqual(["notes.md", "notes.original.md"]);
    expect((await http.ok(listAudit, { operation: "compress_file" })).total).toBe(1);
  });

  test("shortens the file, keeps the original beside it with the same mode and reports both sizes", async () => {
    put("notes.md", wordy);
    chmodSync(at("notes.md"), 0o640);
    const { status, body } = await reply("notes.md");
    expect(status).toBe(200);
    expect(body).toEqual({
      success: true,
      filePath: at("notes.md"),
      backupPath: at("notes.original.md"),
      originalChars: wordy.length,
      compressedChars: brief.length,
      provider: "rules",
    });
    expect([read("notes.md"), read("notes.original.md")]).toEqual([brief, wordy]);
    expect(statSync(at("notes.md")).mode & 0o777).toBe(0o640);
    expect(readdirSync(join(folder, "docs")).sort()).toEqual(["notes.md", "notes.original.md"]);
    const { entries } = await http.ok(listAudit, { operation: "compress_file" });
    expect(entries).toMatchObject([
      {
        functionId: "file.compress",
        targetIds: [at("notes.md")],
        details: { path: at("notes.md"), originalChars: wordy.length, compressedChars: brief.length },
      },
    ]);
  });

  test("keeps text written into the file meanwhile and answers 409", async () => {
    put("notes.md", wordy);
    let isWritten = false;
    const writeMeanwhile = () => {
      isWritten = readdirSync(join(folder, "docs")).some((name) => name.endsWith(".tmp"));
      if (isWritten) put("notes.md", `${wordy}late\n`);
      else setImmediate(writeMeanwhile);
    };
    writeMeanwhile();
    const { status, body } = await reply("notes.md");
    expect([status, body.error, isWritten]).toEqual([409, expect.stringContaining("was changed"), true]);
    expect(read("notes.md")).toBe(`${wordy}late\n`);
    expect(readdirSync(join(folder, "docs"))).toEqual(["notes.md"]);
  });

  test("uses the next free name for the backup, and resolves a relative path from cwd", async () => {
    put("notes.markdown", wordy);
    put("notes.original.md", "something else");
    const { body } = await http.reply(compressFile, {
      filePath: "notes.markdown",
      cwd: join(folder, "docs"),
    });
    expect(body.backupPath).toBe(at("notes.original-2.md"));
    expect(read("notes.original.md")).toBe("something else");
  });

  test("runs once for concurrent requests", async () => {
    put("notes.md", wordy);
    // The first has to write to the store, so it is still under way when the last arrives.
    const held = http.core.ground.store.write(() => wait(100));
    const answers = await Promise.all(["notes.md", "notes.md", "notes.md"].map(reply));
    await held;
    expect(new Set(answers.map(({ body }) => body.backupPath))).toEqual(new Set([at("notes.original.md")]));
    expect(readdirSync(join(folder, "docs")).sort()).toEqual(["notes.md", "notes.original.md"]);
    expect((await http.ok(listAudit, { operation: "compress_file" })).total).toBe(1);
  });

  test.each([
    ["the backup", 250],
    ["what is written first", 243],
  ])("is refused when the name leaves no room for %s, and leaves nothing behind", async (_, length) => {
    const name = `${"n".repeat(length)}.md`;
    put(name, wordy);
    const { status, body } = await reply(name);
    expect([status, body.error]).toEqual([403, expect.stringContaining("ENAMETOOLONG")]);
    expect([read(name), readdirSync(join(folder, "docs"))]).toEqual([wordy, [name]]);
  });

  test("skips an empty file and makes no backup of it", async () => {
    put("empty.md", "");
    expect((await reply("empty.md")).body).toMatchObject({ skipped: true, reason: "nothing to gain" });
    expect(existsSync(at("empty.original.md"))).toBe(false);
  });

  test("does not use the name of a broken link for the backup", async () => {
    put("notes.md", wordy);
    symlinkSync(at("gone.md"), at("notes.original.md"));
    const ask = { filePath: at("notes.md") };
    const { body: tried } = await http.reply(compressFile, { ...ask, dryRun: true });
    const { status, body } = await http.reply(compressFile, ask);
    expect([status, tried.backupPath, body.backupPath]).toEqual([
      200,
      at("notes.original-2.md"),
      at("notes.original-2.md"),
    ]);
  });

  test("does not read a named pipe in the place of a backup", async () => {
    put("empty.md", "");
    execFileSync("mkfifo", [at("empty.original.md")]);
    expect((await reply("empty.md")).body).toMatchObject({ skipped: true, reason: "nothing to gain" });
  });

  test("skips a file with nothing to gain and one whose original is already kept", async () => {
    put("tidy.md", brief);
    expect((await reply("tidy.md")).body).toEqual({
      success: true,
      skipped: true,
      reason: "nothing to gain",
      filePath: at("tidy.md"),
    });
    put("notes.md", wordy);
    await reply("notes.md");
    expect((await reply("notes.md")).body.reason).toBe("nothing to gain");
    put("notes.md", wordy);
    expect((await reply("notes.md")).body.reason).toBe("already compressed");
    expect(read("notes.md")).toBe(wordy);
    expect((await http.ok(listAudit, { operation: "compress_file" })).total).toBe(1);
  });
});

test("a file of up to 1 MiB is compressed when that saves at least 5 %", async () => {
  const text = (blanks: number) => `${"x".repeat(999 - blanks)}${" ".repeat(blanks)}\n`;
  put("enough.md", text(50));
  put("little.md", text(49));
  put("large.md", "x".repeat(1_048_576));
  expect((await reply("enough.md")).body).toMatchObject({ originalChars: 1_000, compressedChars: 950 });
  for (const name of ["little.md", "large.md"])
    expect((await reply(name)).body).toMatchObject({ skipped: true, reason: "nothing to gain" });
});

describe("a file that may not be compressed", () => {
  test.each([
    ["no Markdown", "notes.txt", "x", 400],
    ["a sensitive name", "my-secrets.md", wordy, 403],
    ["more than 1 MiB", "big.md", "x".repeat(1_048_577), 413],
    ["bytes that are no text", "odd.md", new Uint8Array([0xff, 0xfe, 0x00]), 400],
  ])("with %s is refused and stays unchanged", async (_name, file, content, expected) => {
    put(file, content);
    expect((await reply(file)).status).toBe(expected);
    expect(readdirSync(join(folder, "docs"))).toEqual([file]);
  });

  test("outside the allowed folders, behind a link, missing or a folder, is refused", async () => {
    writeFileSync(join(folder, "outside.md"), wordy);
    put("inside.md", wordy);
    symlinkSync(join(folder, "outside.md"), at("out.md"));
    symlinkSync(at("inside.md"), at("in.md"));
    mkdirSync(at("folder.md"));
    const statuses = await Promise.all(
      ["../outside.md", "out.md", "in.md", "missing.md", "missing.txt", "folder.md"].map(
        async (name) => (await reply(name)).status,
      ),
    );
    expect(statuses).toEqual([403, 403, 403, 404, 404, 400]);
    expect(readFileSync(join(folder, "outside.md"), "utf8")).toBe(wordy);
    expect(existsSync(at("inside.original.md"))).toBe(false);
  });
});

describe("compressing a file by a model", () => {
  /** A model that answers with the text. */
  function model(answer: string | Error): LanguageModel {
    return {
      ...noModel,
      provider: "openai",
      ask: async ({ schema }) => {
        if (answer instanceof Error) throw answer;
        const usage = { inputTokens: 1, outputTokens: 1 };
        return { value: schema.parse({ text: answer }), provider: "openai", model: "m", usage };
      },
    };
  }

  const text = `# Queue\n\nSee https://example.org/queue and \`retry()\`.\n\n\`\`\`ts\nretry();\n\`\`\`\n\n${paragraph}\n\n${paragraph}\n`;
  const essence = "# Queue\n\nSee https://example.org/queue and `retry()`.\n\n```ts\nretry();\n```\n";

  const run = (answer: string | Error) =>
    compress({ ...http.core.ground, llm: model(answer) }, http.core.audit, at("notes.md"));

  test("uses the model's text when every heading, address and piece of code is still there", async () => {
    put("notes.md", text);
    expect(await run(`${essence}\nFailed jobs wait.\n`)).toMatchObject({ provider: "openai" });
    expect(read("notes.md")).toContain("Failed jobs wait.");
  });

  test.each([
    ["a heading", essence.replace("# Queue", "Queue")],
    ["an address", essence.replace("https://example.org/queue", "the page")],
    ["a heading that another begins with", essence.replace("# Queue", "## Queue of mails")],
    ["an address that another begins with", essence.replace("org/queue", "org/queue/mails")],
    ["inline code", essence.replace("`retry()`", "retry")],
    ["a line of a code block", essence.replace("```ts\nretry();", "```ts")],
  ])("falls back to rules with a warning when %s is lost", async (_name, answer) => {
    put("notes.md", text);
    expect(await run(answer)).toMatchObject({
      provider: "rules",
      warning: expect.stringContaining("lacks"),
    });
    expect(read("notes.md")).toBe(text.replace(`\n${paragraph}\n`, ""));
  });

  test("falls back to rules when the model fails, and does not send it a file with secrets", async () => {
    put("notes.md", text);
    const failure = new MemsvcError("provider_failed", "no answer");
    expect(await run(failure)).toMatchObject({
      provider: "rules",
      warning: expect.stringContaining("no answer"),
    });
    const secret = `token ghp_${"aB3dE5gH7j".repeat(4)}`;
    put("notes.md", `${text}\n${secret}\n`);
    expect(await run(essence)).toMatchObject({
      provider: "rules",
      warning: expect.stringContaining("secrets"),
    });
    expect(read("notes.md")).toContain(secret);
  });

  test("leaves the file alone when it is changed meanwhile", async () => {
    put("notes.md", text);
    const writing: LanguageModel = {
      ...noModel,
      provider: "openai",
      ask: async (request) => {
        put("notes.md", "written meanwhile");
        return model(essence).ask(request);
      },
    };
    await expect(
      compress({ ...http.core.ground, llm: writing }, http.core.audit, at("notes.md")),
    ).rejects.toMatchObject({ code: "conflict" });
    expect(read("notes.md")).toBe("written meanwhile");
  });
});

describe("compressing a file by a model over HTTP", () => {
  const long = `# T\n\n${"word ".repeat(100)}\n`;
  const server = forEachTest(openModelServer);
  let withModel: TestHttp;
  beforeEach(async () => {
    withModel = await openTestHttp({
      env: { ...server.env("anthropic"), MEMSVC_ALLOWED_ROOTS: join(folder, "docs") },
    });
    // Each answer is half as long as the file, so that a second run would show.
    server.answer(({ prompt }) => ({
      kind: "json",
      value: { text: `# T\n\n${"word ".repeat(Math.floor(prompt.split("word").length / 2))}\n` },
    }));
    put("notes.md", long);
  });
  afterEach(() => withModel.close());

  test("asks the model once for concurrent requests, and not again later", async () => {
    const ask = () => withModel.reply(compressFile, { filePath: at("notes.md") });
    const answers = await Promise.all([ask(), ask()]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    const shorter = read("notes.md");
    withModel.advance(61_000);
    await withModel.runDueJobs();
    expect(read("notes.md")).toBe(shorter);
    expect(readdirSync(join(folder, "docs")).sort()).toEqual(["notes.md", "notes.original.md"]);
    expect(server.seen).toHaveLength(1);
  });

  test("does not resume after a crash when the file has changed since", async () => {
    const { ground } = withModel.core;
    // The job that a process left when it crashed.
    await startJob(ground, {
      kind: "file.compress",
      key: at("notes.md"),
      payload: { path: at("notes.md"), textHash: await textHash(at("notes.md")) },
    });
    put("notes.md", `${long}More.\n`);
    withModel.advance(61_000);
    await withModel.runDueJobs();
    expect(read("notes.md")).toBe(`${long}More.\n`);
    expect(server.seen).toEqual([]);
    expect(await countJobs(ground)).toMatchObject({ queued: 0, running: 0, failed: 0 });
  });
});
