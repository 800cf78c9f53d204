import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { forEachTest } from "../support/for-each-test.ts";
import { hostStatus, openModelHost } from "../support/model-host.ts";
import { tinyDimensions, writeTinyOnnxModel, writeTinyStaticModel } from "../support/tiny-model.ts";
import { buildOnce, openSandbox } from "./program-process.ts";

const sandbox = forEachTest(openSandbox);
beforeAll(buildOnce);

const models = (...args: string[]) => sandbox.runHere(["models", ...args]);
/** What the same command prints for programs. */
const answer = async (...args: string[]): Promise<unknown> =>
  JSON.parse((await models(...args, "--json")).stdout);
const folderOf = (name: string) => join(sandbox.home, ".memsvc", "models", name);

describe("memsvc models", () => {
  test("lists available and installed models", async () => {
    const before = await models("list");
    expect(before).toMatchObject({ exit: 0, stdout: expect.stringContaining("all-MiniLM-L6-v2") });
    expect(before.stdout).toContain("not installed, wanted");
    writeTinyStaticModel(folderOf("mine"));
    const { stdout } = await models("list", "--json");
    const listed = JSON.parse(stdout) as { models: unknown[] };
    expect(listed.models).toContainEqual(
      expect.objectContaining({
        name: "mine",
        installed: true,
        inUse: false,
        provider: "static",
        dimensions: tinyDimensions,
      }),
    );
    const [static_, local] = await Promise.all(
      ["static", "local"].map((provider) =>
        sandbox.run(["models", "list"], {
          env: { MEMSVC_EMBEDDING_PROVIDER: provider, MEMSVC_EMBEDDING_MODEL: "mine" },
        }),
      ),
    );
    expect(static_?.stdout).toMatch(/^mine {2}static, .* dimensions, in use$/mu);
    expect(local?.stdout).toMatch(/^mine {2}static, .* dimensions$/mu);
    expect(local?.stderr).toBe(
      "there are no vectors: mine is a model for MEMSVC_EMBEDDING_PROVIDER=static, not local\n",
    );
  });

  test("pull --from installs a folder, verify detects damage, and remove deletes the model", async () => {
    const source = join(sandbox.folder, "download");
    writeTinyStaticModel(source);
    const pulled = await sandbox.run(["models", "pull", "mine", "--from", source]);
    expect(pulled).toMatchObject({ exit: 0, stdout: `${folderOf("mine")}\n` });
    expect(await models("verify", "mine")).toMatchObject({
      exit: 0,
      stdout: expect.stringContaining("all files are intact"),
    });
    const mine = { name: "mine", folder: folderOf("mine") };
    expect(await answer("verify", "mine")).toEqual({ ...mine, verified: true, problems: [] });
    writeFileSync(join(folderOf("mine"), "model.safetensors"), "damaged");
    expect(await answer("verify", "mine")).toMatchObject({ verified: false, problems: [expect.any(String)] });
    const damaged = await models("verify", "mine");
    expect(damaged).toMatchObject({ exit: 1, stdout: expect.stringContaining("model.safetensors") });
    expect(damaged.stderr).toBe("hint: fetch it again: memsvc models pull mine --from <dir>\n");
    expect(await models("remove", "mine", "--dry-run")).toMatchObject({ exit: 0 });
    const trial = await answer("remove", "mine", "--dry-run");
    expect(trial).toMatchObject({ ...mine, removed: false, dryRun: true });
    expect(existsSync(folderOf("mine"))).toBe(true);
    expect(await models("remove", "mine")).toMatchObject({
      exit: 0,
      stderr: expect.stringContaining("removed mine"),
    });
    expect(existsSync(folderOf("mine"))).toBe(false);
    writeTinyStaticModel(folderOf("mine"));
    expect(await models("verify", "mine")).toMatchObject({
      exit: 0,
      stdout: "mine: no checksums to compare with; it was not installed by memsvc\n",
    });
    expect(await answer("verify", "mine")).toEqual({ ...mine, verified: false, problems: [] });
    expect(await answer("remove", "mine")).toEqual({ ...mine, bytes: expect.any(Number), removed: true });
    expect(existsSync(folderOf("mine"))).toBe(false);
  });

  test("pull --from does not hang on a named pipe in place of a model file", async () => {
    const source = join(sandbox.folder, "download");
    writeTinyStaticModel(source);
    rmSync(join(source, "config.json"));
    execFileSync("mkfifo", [join(source, "config.json")]);
    expect(await sandbox.run(["models", "pull", "mine", "--from", source])).toMatchObject({
      exit: 2,
      stderr: expect.stringContaining("holds no embedding model"),
    });
  });

  test.each([
    ["to remove a model that is not there", ["remove", "nothing"], 3],
    ["to remove what is no model name", ["remove", "../.."], 3],
    ["to verify a model that is not there", ["verify"], 3],
    ["to fetch a model without known checksums", ["pull", "potion-base-8M"], 2],
    ["to install from nowhere", ["pull", "mine", "--from", "/nowhere"], 2],
    ["to install under a name that no folder can have", ["pull", "x".repeat(300), "--from", "."], 2],
  ])("refuses %s, in two lines", async (_name, args, exit) => {
    const run = await models(...args);
    expect(run.exit).toBe(exit);
    expect(run.stderr).toMatch(/^memsvc: .*\n(?:hint: .*\n)?$/u);
  });

  test("pull says why a download failed and leaves nothing installed", async () => {
    const host = await openModelHost("Xenova/all-MiniLM-L6-v2", { "config.json": Buffer.alloc(650) });
    try {
      const run = await sandbox.run(["models", "pull"], { env: { MEMSVC_MODEL_HOST: host.url } });
      expect(run).toMatchObject({ exit: 1, stdout: "" });
      expect(run.stderr).toContain("checksum differs");
      host.next(hostStatus(404));
      expect(
        (await sandbox.runHere(["models", "pull"], { env: { MEMSVC_MODEL_HOST: host.url } })).stderr,
      ).toContain("HTTP 404");
      expect(existsSync(folderOf("all-MiniLM-L6-v2"))).toBe(false);
    } finally {
      await host.close();
    }
  });

  test("pull --from refuses a file that has the known size but not the known checksum", async () => {
    const source = join(sandbox.folder, "forged");
    mkdirSync(source);
    writeFileSync(join(source, "config.json"), Buffer.alloc(650));
    const run = await models("pull", "--from", source);
    expect(run.exit).toBe(2);
    expect(run.stderr).toMatch(
      /config\.json is not the file that was expected: its checksum differs\nhint: it has 650 bytes/u,
    );
    expect(existsSync(folderOf("all-MiniLM-L6-v2"))).toBe(false);
  });

  test("pull waits for a short Retry-After, and fails with its length if it is long", async () => {
    const host = await openModelHost("Xenova/all-MiniLM-L6-v2", { "config.json": Buffer.alloc(650) });
    const pull = () => sandbox.runHere(["models", "pull"], { env: { MEMSVC_MODEL_HOST: host.url } });
    const hostName = new URL(host.url).host;
    try {
      host.next(hostStatus(429, { "retry-after": "2" }));
      const askedAt = performance.now();
      const waited = await pull();
      const tookMs = performance.now() - askedAt;
      expect(waited.stderr.split("\n")[0]).toBe(`${hostName} asks to wait 2 s; then it goes on`);
      expect(waited.stderr).toContain("checksum differs");
      expect(tookMs).toBeGreaterThan(1_950);
      host.next(hostStatus(503, { "retry-after": "3600" }));
      const { stderr, exit } = await pull();
      expect(exit).toBe(1);
      expect(stderr).toMatch(/^memsvc: .* could not be fetched \(HTTP 503\)\nhint: .*\n$/u);
      expect(stderr).toContain(`hint: ${hostName} asks to wait 60 min; the next try goes on`);
      expect(host.asked).toHaveLength(3);
    } finally {
      await host.close();
    }
  });
});

describe("a daemon", () => {
  test("without its model serves anyway, says so once, and health shows why", async () => {
    const host = await openModelHost("Xenova/all-MiniLM-L6-v2", {});
    const daemon = sandbox.start(["serve", "--port", "0"], {
      env: { MEMSVC_MODEL_DOWNLOAD: "auto", MEMSVC_MODEL_HOST: host.url },
    });
    try {
      const complaints = await heard(daemon.stderr, "all-MiniLM-L6-v2 is missing");
      expect(complaints.trim().split("\n")).toHaveLength(1);
      expect(host.asked).toEqual(["config.json"]);
      const health = await sandbox.runHere(["health", "--json"]);
      expect(health.exit).toBe(0);
      const report = JSON.parse(health.stdout) as { health: { notes: string[] } };
      await sandbox.runHere(["remember", "the cat sat on the mat"]);
      expect((await sandbox.runHere(["search", "cat"])).exit).toBe(0);
      expect(report.health.notes.join()).toMatch(/all-MiniLM-L6-v2/u);
      expect((await sandbox.runHere(["status"])).stdout).toContain("words and relations; no embedding model");
    } finally {
      daemon.kill("SIGTERM");
      await new Promise((resolve) => daemon.on("close", resolve));
      await host.close();
    }
    expect(
      readdirSync(join(sandbox.home, ".memsvc", "models")).filter((name) => name.endsWith(".lock")),
    ).toEqual([]);
  });

  test("embeds new memories in the model's thread, and ends with exit code 0", async () => {
    writeTinyOnnxModel(folderOf("tiny"));
    const daemon = sandbox.start(["serve", "--port", "0"], { env: { MEMSVC_EMBEDDING_MODEL: "tiny" } });
    await heard(daemon.stdout, "listening on");
    await sandbox.runHere(["remember", "the cat sat on the mat"]);
    await sandbox.runHere(["remember", "deploy the staging database with a migration"]);
    const env = { MEMSVC_EMBEDDING_MODEL: "tiny" };
    const vectors = async () => {
      const { stdout } = await sandbox.runHere(["status", "--json", "--offline"], { env });
      return (JSON.parse(stdout) as { health: { index: { vectors: number } } }).health.index.vectors;
    };
    await expect.poll(vectors, { interval: 300 }).toBe(2);
    const flags = JSON.parse((await sandbox.runHere(["flags", "--json"])).stdout) as {
      embeddingProvider: string;
    };
    expect(flags.embeddingProvider).toBe("embeddings");
    daemon.kill("SIGTERM");
    expect(await new Promise((resolve) => daemon.on("close", resolve))).toBe(0);
  });
});

/** Everything that a stream said up to and with the words. */
function heard(stream: NodeJS.ReadableStream | null, words: string): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = "";
    stream?.on("data", (chunk: Buffer) => {
      text += chunk.toString();
      if (text.includes(words)) resolve(text);
    });
    stream?.on("end", () => reject(new Error(`never said: ${words}; but: ${text}`)));
  });
}
