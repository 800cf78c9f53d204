import {
  appendFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import {
  cutAfter,
  type HostAnswer,
  hostStatus,
  type ModelHost,
  openModelHost,
  pinnedModelOf,
} from "../../../test/support/model-host.ts";
import { temporaryFolder } from "../../../test/support/temporary-folder.ts";
import { tinyImageDimensions, writeTinyImageModel } from "../../../test/support/tiny-image-model.ts";
import {
  tinyQuantisedTable,
  writeTinyOnnxModel,
  writeTinyStaticModel,
} from "../../../test/support/tiny-model.ts";
import { loadSettings } from "../../config/load.ts";
import { downloadModel } from "./download.ts";
import { fetchMissingModel } from "./fetch-missing.ts";
import { findModel, installedNames, weightsVersion } from "./folder.ts";
import { installFrom, withModelLock } from "./install.ts";
import { verifyModel } from "./verify.ts";

let home: string;
let source: string;
let files: Record<string, Buffer>;
let host: ModelHost;
beforeEach(async () => {
  home = temporaryFolder();
  source = join(home, "source");
  writeTinyOnnxModel(source);
  files = Object.fromEntries(
    ["config.json", "tokenizer_config.json", "tokenizer.json", "onnx/model_quantized.onnx"].map((path) => [
      path,
      readFileSync(join(source, path)),
    ]),
  );
  host = await openModelHost("team/tiny", files);
});
afterEach(() => host.close());

const model = () => pinnedModelOf("tiny", files);
const folder = () => join(home, "models", "tiny");

function download(): Promise<string> {
  return downloadModel(home, model(), { host: host.url, pauseMs: 1 });
}

describe("a download", () => {
  test("installs every file as published, for the owner alone, and leaves nothing else behind", async () => {
    const seen: number[] = [];
    await downloadModel(home, model(), { host: host.url, progress: (bytes) => seen.push(bytes) });
    for (const [path, content] of Object.entries(files))
      expect(readFileSync(join(folder(), path)).equals(content)).toBe(true);
    expect(readdirSync(join(home, "models"))).toEqual(["tiny"]);
    expect(statSync(join(folder(), "config.json")).mode & 0o077).toBe(0);
    expect(statSync(folder()).mode & 0o077).toBe(0);
    const total = Object.values(files).reduce((sum, { length }) => sum + length, 0);
    expect(seen.at(-1)).toBe(total);
    expect(seen).toEqual(seen.toSorted((a, b) => a - b));
    expect(findModel(home, "tiny")).toMatchObject({ runtime: "local" });
  });

  test("that is interrupted continues where it ended", async () => {
    host.next(undefined, undefined, cutAfter(500), cutAfter(300));
    await download();
    expect(host.asked.filter((asked) => asked.startsWith("tokenizer.json"))).toEqual([
      "tokenizer.json",
      "tokenizer.json bytes=500-",
      "tokenizer.json bytes=800-",
    ]);
    expect((await verifyModel(folder(), "tiny")).problems).toEqual([]);
  });

  test("that was given up continues where it ended the next time", async () => {
    host.next(undefined, undefined, cutAfter(500), ...Array<HostAnswer>(4).fill(hostStatus(503)));
    await expect(download()).rejects.toMatchObject({
      code: "provider_failed",
      message: expect.stringContaining("(HTTP 503)"),
    });
    expect(existsSync(folder())).toBe(false);
    const before = host.asked.length;
    await download();
    expect(host.asked.slice(before)).toEqual(["tokenizer.json bytes=500-", "onnx/model_quantized.onnx"]);
  });

  test("whose kept part is longer than the host's file starts over, and continues at another host", async () => {
    host.next(undefined, undefined, cutAfter(500), hostStatus(404));
    await expect(download()).rejects.toMatchObject({ message: expect.stringContaining("404") });
    host.next(hostStatus(416, { "content-range": "bytes */300" }), (response) =>
      response.end("x".repeat(300)),
    );
    await expect(download()).rejects.toMatchObject({
      message: expect.stringContaining("is not the file that was expected: it is too short"),
    });
    await download();
    expect((await verifyModel(folder(), "tiny")).problems).toEqual([]);
  });

  test("whose kept part is longer than it should be starts over", async () => {
    host.next(undefined, undefined, cutAfter(500), hostStatus(404));
    await expect(download()).rejects.toMatchObject({ message: expect.stringContaining("404") });
    const kept = join(home, "models", ".tiny.partial", "tokenizer.json");
    expect(statSync(kept).size).toBe(500);
    appendFileSync(kept, Buffer.alloc(files["tokenizer.json"]?.length ?? 0));
    const before = host.asked.length;
    await download();
    expect(host.asked.slice(before)).toEqual(["tokenizer.json", "onnx/model_quantized.onnx"]);
    expect((await verifyModel(folder(), "tiny")).problems).toEqual([]);
  });

  test("starts over if the host does not support ranges", async () => {
    const whole: HostAnswer = (response, file) => response.writeHead(200).end(file);
    host.next(cutAfter(100), whole);
    await download();
    expect((await verifyModel(folder(), "tiny")).problems).toEqual([]);
  });

  test.each<[string, HostAnswer]>([
    ["other bytes of the same size", (response, file) => response.end(Buffer.alloc(file.length))],
    ["a page to log in, in one piece", (response) => response.end("<html>log in</html>")],
    [
      "a page to log in, in pieces",
      (response) => {
        response.write("<html>");
        response.end("log in</html>");
      },
    ],
    [
      "too many bytes, in pieces",
      (response, file) => {
        response.write(Buffer.alloc(Math.floor(file.length / 2)));
        setTimeout(() => response.end(Buffer.alloc(file.length)), 20);
      },
    ],
    ["too many bytes", (response, file) => response.end(Buffer.concat([file, Buffer.from("more")]))],
    [
      "another part than was asked for",
      (response) => response.writeHead(206, { "content-range": "bytes 3-9/10" }).end("xxxxxxx"),
    ],
  ])("of %s is rejected, and nothing is installed", async (_name, answer) => {
    host.next(answer);
    await expect(download()).rejects.toMatchObject({ code: "provider_failed", hint: expect.any(String) });
    expect(installedNames(home)).toEqual([]);
    // It does not affect the next try either.
    await download();
    expect(installedNames(home)).toEqual(["tiny"]);
  });

  test("of a file that the host lacks fails at once and names the way without a network", async () => {
    host.next(hostStatus(404));
    await expect(download()).rejects.toMatchObject({
      code: "provider_failed",
      message: expect.stringContaining("404"),
      hint: expect.stringContaining("--from"),
    });
    expect(host.asked).toHaveLength(1);
  });

  test("from an unreachable host fails", async () => {
    await host.close();
    await expect(download()).rejects.toMatchObject({ code: "provider_failed" });
    host = await openModelHost("team/tiny", files);
  });

  test.each([429, 503])(
    "from a host that answers %i with a short retry time waits, reports it and continues",
    async (status) => {
      const waits: number[] = [];
      host.next(undefined, hostStatus(status, { "retry-after": "1" }));
      const startedAt = performance.now();
      await downloadModel(home, model(), {
        host: host.url,
        pauseMs: 1,
        waiting: (waitMs) => waits.push(waitMs),
      });
      expect(performance.now() - startedAt).toBeGreaterThan(950);
      expect(waits).toEqual([1_000]);
      expect(host.asked.slice(0, 3)).toEqual([
        "config.json",
        "tokenizer_config.json",
        "tokenizer_config.json",
      ]);
      expect(installedNames(home)).toEqual(["tiny"]);
    },
  );

  test("from a host that asks for a long pause fails at once and states the time", async () => {
    const waits: number[] = [];
    host.next(hostStatus(429, { "retry-after": "850" }));
    const options = { host: host.url, pauseMs: 1, waiting: (waitMs: number) => waits.push(waitMs) };
    await expect(downloadModel(home, model(), options)).rejects.toMatchObject({
      code: "provider_failed",
      message: expect.stringContaining("(HTTP 429)"),
      hint: expect.stringMatching(
        /^127\.0\.0\.1:\d+ asks to wait 15 min; the next try goes on where this one ended/u,
      ),
    });
    expect(waits).toEqual([]);
    expect(host.asked).toEqual(["config.json"]);
    // The failure is not remembered: a later call tries again.
    await download();
    expect(installedNames(home)).toEqual(["tiny"]);
  });

  test("past a configured proxy hints at how to use the proxy", async () => {
    vi.stubEnv("HTTPS_PROXY", "http://127.0.0.1:9");
    vi.stubEnv("NODE_USE_ENV_PROXY", undefined);
    const gone = downloadModel(home, model(), { host: "http://127.0.0.1:2", pauseMs: 1 });
    const hint = expect.stringMatching(/^to use HTTPS_PROXY, set NODE_USE_ENV_PROXY=1 .+; the next try/u);
    await expect(gone).rejects.toMatchObject({ hint });
    vi.unstubAllEnvs();
  });

  test("makes its usual pause even if the host asks for a shorter one", async () => {
    host.next(hostStatus(503, { "retry-after": "0" }));
    const startedAt = performance.now();
    await downloadModel(home, model(), { host: host.url, pauseMs: 300 });
    expect(performance.now() - startedAt).toBeGreaterThan(290);
  });

  test("stops waiting for its host when it is aborted", async () => {
    host.next(hostStatus(503, { "retry-after": "20" }));
    const wanted = downloadModel(home, model(), { host: host.url, signal: AbortSignal.timeout(200) });
    await expect(wanted).rejects.toMatchObject({ name: "AbortError" });
    expect(host.asked).toEqual(["config.json"]);
  });

  test("stops when it is aborted", async () => {
    host.next(() => undefined);
    const signal = AbortSignal.timeout(50);
    const wanted = downloadModel(home, model(), { host: host.url, signal });
    await expect(wanted).rejects.toMatchObject({ name: "TimeoutError" });
  });

  test("is refused while another of the same model runs", async () => {
    await withModelLock(home, "tiny", async () => {
      await expect(download()).rejects.toMatchObject({ code: "conflict" });
    });
    await download();
  });

  test("takes over the lock of a process that died", async () => {
    mkdirSync(join(home, "models"));
    writeFileSync(join(home, "models", ".tiny.lock"), "999999999\n");
    await download();
  });
});

describe("installing from a folder", () => {
  test("records checksums, which verification then checks", async () => {
    const table = join(home, "table");
    writeTinyOnnxModel(table);
    // Published with a network of its own inputs, which are not those of the `local` provider.
    writeTinyStaticModel(table);
    await installFrom(home, "potion", table);
    const installed = join(home, "models", "potion");
    expect(findModel(home, "potion")).toMatchObject({ runtime: "static", weights: "model.safetensors" });
    expect(await verifyModel(installed, "potion")).toEqual({ isKnown: true, problems: [] });
    writeFileSync(join(installed, "config.json"), "{}");
    rmSync(join(installed, "tokenizer.json"));
    expect((await verifyModel(installed, "potion")).problems).toEqual([
      expect.stringContaining("config.json has 2 bytes"),
      expect.stringContaining("tokenizer.json is missing"),
    ]);
  });

  test("accepts one of the model's files for its folder, and files without subfolders", async () => {
    await installFrom(home, "one", join(source, "onnx", "model_quantized.onnx"));
    const flat = join(home, "flat");
    mkdirSync(flat);
    for (const [path, content] of Object.entries(files))
      writeFileSync(join(flat, path.replace("onnx/", "")), content);
    await installFrom(home, "two", flat);
    expect(installedNames(home)).toEqual(["one", "two"]);
  });

  test("accepts a compact table under any name, in the model's own folder within the given one", async () => {
    const table = join(home, "models-to-copy", "potion-tiny");
    writeTinyStaticModel(table);
    rmSync(join(table, "model.safetensors"));
    writeFileSync(join(table, "tiny.gge1.bin"), tinyQuantisedTable());
    await installFrom(home, "potion-tiny", join(home, "models-to-copy"));
    expect(findModel(home, "potion-tiny")).toMatchObject({ runtime: "static", weights: "tiny.gge1.bin" });
  });

  test("accepts an image model only with both of its networks", async () => {
    const clip = join(home, "clip");
    writeTinyImageModel(clip);
    await installFrom(home, "clip-tiny", clip);
    const installed = join(home, "models", "clip-tiny");
    expect(findModel(home, "clip-tiny")).toMatchObject({ runtime: "image", dimensions: tinyImageDimensions });
    writeFileSync(join(installed, "onnx", "text_model_quantized.onnx"), "damaged");
    expect((await verifyModel(installed, "clip-tiny")).problems).toEqual([
      expect.stringContaining("text_model_quantized.onnx has 7 bytes"),
    ]);
    rmSync(join(clip, "onnx", "text_model_quantized.onnx"));
    await expect(installFrom(home, "half", clip)).rejects.toMatchObject({ code: "invalid_input" });
  });

  test("rejects another model's files under a known name", async () => {
    await expect(installFrom(home, "all-MiniLM-L6-v2", source)).rejects.toMatchObject({
      code: "invalid_input",
      message: expect.stringContaining("checksum"),
      hint: expect.stringContaining("say its name: memsvc models pull <name> --from"),
    });
    expect(readdirSync(join(home, "models"))).toEqual([]);
  });

  test.each([
    ["an empty folder", "x", () => mkdtempSync(join(home, "empty-"))],
    ["a folder that is not there", "x", () => join(home, "nowhere")],
    ["a name that leads out of the folder", "../x", () => source],
  ])("rejects %s", async (_name, name, given) => {
    await expect(installFrom(home, name, given())).rejects.toMatchObject({ code: "invalid_input" });
    expect(installedNames(home)).toEqual([]);
  });

  test.each([
    ["a table that was cut short", "model.safetensors", (file: Buffer) => file.subarray(0, 50)],
    ["a page in place of the table", "model.safetensors", () => Buffer.from("<html>sign in</html>")],
    ["an empty tokenizer", "tokenizer.json", () => Buffer.from("{}")],
    ["other dimensions than its description", "config.json", () => Buffer.from('{"hidden_dim": 8}')],
  ])("rejects a static model with %s and keeps the installed one", async (_name, file, damage) => {
    const table = join(home, "table");
    writeTinyStaticModel(table);
    await installFrom(home, "potion", table);
    const before = installedVersion();
    writeTinyStaticModel(table, "F16");
    writeFileSync(join(table, file), damage(readFileSync(join(table, file))));
    await expect(installFrom(home, "potion", table)).rejects.toMatchObject({
      code: "invalid_input",
      message: expect.stringContaining(file),
      hint: expect.stringContaining("nothing was installed"),
    });
    expect(installedVersion()).toBe(before);
    expect(readdirSync(join(home, "models"))).toEqual(["potion"]);
  });

  test("replaces the installed model and changes its version", async () => {
    const table = join(home, "table");
    writeTinyStaticModel(table);
    await installFrom(home, "potion", table);
    const before = installedVersion();
    writeTinyStaticModel(table, "F16");
    await installFrom(home, "potion", table);
    expect(installedVersion()).not.toBe(before);
    expect(readdirSync(join(home, "models"))).toEqual(["potion"]);
    expect((await verifyModel(join(home, "models", "potion"), "potion")).problems).toEqual([]);
  });
});

test("weights that somebody puts in the place of installed ones have their own version", async () => {
  const table = join(home, "table");
  writeTinyStaticModel(table);
  const installed = await installFrom(home, "potion", table);
  const before = installedVersion();
  const weights = join(installed, "model.safetensors");
  const damaged = readFileSync(weights);
  damaged[damaged.length - 1] = (damaged.at(-1) ?? 0) ^ 1;
  // Again and again, until the system's clock has moved on since the installation.
  await expect
    .poll(() => {
      writeFileSync(weights, damaged);
      utimesSync(weights, 0, 0);
      return installedVersion();
    })
    .not.toBe(before);
  writeTinyStaticModel(installed, "F16");
  expect(statSync(weights).size).not.toBe(damaged.length);
  expect(installedVersion()).not.toBe(before);
});

test("installed weights keep their version in the copy of a home, and are read for that only once", async () => {
  const table = join(home, "table");
  writeTinyStaticModel(table);
  const installed = await installFrom(home, "potion", table);
  const before = installedVersion();
  const changed = (name: string) => statSync(join(installed, name)).ctimeMs;
  // As in a copy whose weights were written after the record.
  await expect
    .poll(() => {
      utimesSync(join(installed, "model.safetensors"), 0, 0);
      return changed("model.safetensors") > changed("installed.json");
    })
    .toBe(true);
  expect(installedVersion()).toBe(before);
  expect(changed("installed.json")).toBeGreaterThanOrEqual(changed("model.safetensors"));
});

function installedVersion(): string {
  const found = findModel(home, "potion");
  if (found === undefined) throw new Error("not installed");
  return weightsVersion(found);
}

describe("the daemon's model download", () => {
  const settings = (env: Record<string, string>) => loadSettings({ home, env, fileText: undefined }).settings;
  const lines: string[] = [];
  const fetchIt = (env: Record<string, string>) => {
    lines.length = 0;
    return fetchMissingModel(
      home,
      settings({ MEMSVC_MODEL_HOST: host.url, ...env }),
      (level) => lines.push(level),
      AbortSignal.timeout(20_000),
      5,
    );
  };

  test("waits while another process installs the model, and goes on when that has ended", async () => {
    const lock = join(home, "models", ".all-MiniLM-L6-v2.lock");
    mkdirSync(join(home, "models"));
    writeFileSync(lock, `${process.pid}\n`);
    const fetched = fetchIt({});
    expect(await Promise.race([fetched, pause(100, "it waits")])).toBe("it waits");
    expect([host.asked, lines]).toEqual([[], []]);
    rmSync(lock);
    expect(await fetched).toContain("could not be fetched");
    expect(host.asked).toHaveLength(1);
  });

  test("that fails returns a reason and logs one line", async () => {
    expect(await fetchIt({})).toContain("all-MiniLM-L6-v2 could not be fetched");
    expect(lines).toEqual(["warn"]);
    expect(host.asked).toHaveLength(1);
  });

  test.each([
    ["downloads are forbidden", { MEMSVC_MODEL_DOWNLOAD: "never" }],
    ["vectors are not wanted", { MEMSVC_EMBEDDING_PROVIDER: "none" }],
    ["another model is set, whose checksums are unknown", { MEMSVC_EMBEDDING_MODEL: "other" }],
    ["a vendor makes the vectors", { MEMSVC_EMBEDDING_PROVIDER: "voyage" }],
  ])("does not use the network if %s", async (_name, env) => {
    expect(await fetchIt(env)).toBeUndefined();
    expect(host.asked).toEqual([]);
  });
});
