import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { basename, join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { removeUnknownFiles } from "../../src/capture/images/eviction.ts";
import { imageRecords } from "../../src/capture/images/record.ts";
import { listObservations, observe } from "../../src/capture/observations/operations.ts";
import type { Observation } from "../../src/capture/observations/record.ts";
import { listAudit } from "../../src/governance/audit/operations.ts";
import { diagnose, heal } from "../../src/governance/diagnostics/operations.ts";
import { createSnapshot, restoreSnapshot } from "../../src/governance/snapshots/operations.ts";
import { forget } from "../../src/knowledge/memories/operations.ts";
import { openTestHttp, type TestHttp } from "../support/http.ts";
import { base64, jpegHead, picture, refOf } from "../support/images.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { happen } from "../support/workdays.ts";

const png = picture(1);

let folder: string;
let http: TestHttp;
beforeEach(async () => {
  folder = temporaryFolder();
  http = await openTestHttp({ env: { MEMSVC_ALLOWED_ROOTS: join(folder, "allowed") } });
  mkdirSync(join(folder, "allowed"));
});
afterEach(() => http.close());

async function observed(data: unknown, hookType = "notification"): Promise<Observation> {
  const observationId = await happen(http, "s1", hookType, data, { cwd: join(folder, "allowed") });
  const { observations } = await http.ok(listObservations, { sessionId: "s1", raw: true });
  const found = observations.find(({ id }) => id === observationId);
  if (found === undefined) throw new Error("the observation is not listed");
  return found;
}

const dataOf = ({ raw }: Observation) => raw?.data as Record<string, unknown>;
const filesKept = () => {
  const images = join(http.home, "images");
  return existsSync(images) ? readdirSync(images).sort() : [];
};
const records = () => imageRecords(http.core.ground.store.read.sql, { limit: 100 });

describe("an image in an event", () => {
  test("is stored as a file that only its owner can read, and replaced by a reference", async () => {
    const observation = await observed({ imageData: base64(png) }, "screen");
    const ref = refOf(png);
    expect(observation).toMatchObject({
      type: "image",
      modality: "image",
      imageRef: ref,
      title: `Image ${ref.slice(0, 8)}`,
    });
    expect(dataOf(observation)).toEqual({ imageData: ref });
    const path = join(http.home, "images", `${ref}.png`);
    expect(readFileSync(path)).toEqual(png);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(await records()).toMatchObject([{ imageRef: ref, mime: "image/png", bytes: 200, refCount: 1 }]);
  });

  test.each([
    ["PNG", picture(2), "png"],
    ["JPEG", picture(2, 200, jpegHead), "jpg"],
    ["GIF", picture(2, 200, Buffer.from("GIF89a")), "gif"],
    ["WebP", picture(2, 200, Buffer.from("RIFF\u0001\u0001\u0000\u0000WEBPVP8 ")), "webp"],
  ])("is found as %s anywhere in the data", async (_name, content, extension) => {
    const observation = await observed({
      tool_name: "Screenshot",
      tool_response: [{ type: "text", text: "see" }, { source: { type: "base64", data: base64(content) } }],
    });
    expect(observation).toMatchObject({ imageRef: refOf(content), modality: "mixed" });
    expect(filesKept()).toEqual([`${refOf(content)}.${extension}`]);
    expect(JSON.stringify(observation.raw)).not.toContain(base64(content).slice(0, 40));
  });

  test("is found as a data URL, also as the whole data, and of a type that its bytes do not show", async () => {
    const whole = await observed(`data:image/png;base64,${base64(png)}`, "screen");
    expect([whole.type, whole.imageRef]).toEqual(["image", refOf(png)]);
    expect(dataOf(whole)).toEqual({ imageData: refOf(png) });
    const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>');
    const drawn = await observed({ figure: `data:image/svg+xml;base64,${base64(svg)}` });
    expect(drawn.imageRef).toBe(refOf(svg));
    expect(filesKept()).toContain(`${refOf(svg)}.svg`);
  });

  test("is stored once when it is repeated, and a second image beside it is stored too", async () => {
    const other = picture(9, 200, jpegHead);
    await observed({ imageData: base64(png) });
    const both = await observed({ imageData: base64(png), image_data: base64(other), message: "again" });
    expect(both.imageRef).toBe(refOf(png));
    const counts = Object.fromEntries(
      (await records()).map(({ imageRef, refCount }) => [imageRef, refCount]),
    );
    expect(counts).toEqual({ [refOf(png)]: 2, [refOf(other)]: 1 });
    expect(filesKept()).toHaveLength(2);
  });

  test("leaves alone what else has the name of its file, and its event is stored all the same", async () => {
    const path = join(http.home, "images", `${refOf(png)}.png`);
    mkdirSync(path, { recursive: true });
    expect(await observed({ imageData: base64(png) })).toMatchObject({ imageRef: refOf(png) });
    expect(statSync(path).isDirectory()).toBe(true);
  });

  test("leaves the rest of the event as it is: secrets are redacted, text makes it mixed", async () => {
    const token = `ghp_${"aB3dE5gH7j".repeat(4)}`;
    const observation = await observed(
      { prompt: `look at ${token}`, screenshot: base64(png) },
      "prompt_submit",
    );
    expect(observation).toMatchObject({ type: "conversation", modality: "mixed", imageRef: refOf(png) });
    expect(dataOf(observation)).toEqual({ prompt: "look at [REDACTED_SECRET]", screenshot: refOf(png) });
  });
});

describe("data that is no valid image", () => {
  test.each([
    ["no base64", { imageData: "!!! not base64 !!!" }],
    ["base64 of something else", { image_base64: base64(Buffer.from("just words, and some more of them")) }],
    ["a data URL cut in the middle", { imageData: "data:image/png;base64,iVBORw0…[cut]" }],
  ])("marked as an image, %s, is stored as an event without one, with the reason", async (_name, data) => {
    const observation = await observed(data);
    expect(observation).not.toHaveProperty("imageRef");
    expect(observation).not.toHaveProperty("modality");
    expect(dataOf(observation).imageError).toMatch(/^the image cannot be read: /u);
    expect(filesKept()).toEqual([]);
  });

  test.each([["/9j/notes.txt of the ninth journal"], ["UklGR is how RIFF begins in base64"], ["R0lGODlh?"]])(
    "such as the text %j is left alone",
    async (text) => {
      expect(dataOf(await observed({ message: text }))).toEqual({ message: text });
    },
  );

  test("over 10 MiB is left out, and the event says so", async () => {
    const large = await openTestHttp({ env: { MEMSVC_MAX_BODY_BYTES: "30000000" } });
    await large.ok(observe, {
      hookType: "notification",
      sessionId: "s1",
      project: "shop",
      cwd: "/w",
      timestamp: "2026-03-01T12:00:00Z",
      data: { imageData: base64(picture(1, 10_485_761)), message: "big" },
    });
    const { observations } = await large.ok(listObservations, { sessionId: "s1", raw: true });
    expect(observations[0]).not.toHaveProperty("imageRef");
    expect(observations[0]?.raw?.data).toEqual({
      imageData: "[image left out]",
      message: "big",
      imageError: "the image is larger than 10 MiB",
    });
    expect(existsSync(join(large.home, "images"))).toBe(false);
    await large.close();
  });
});

describe("the path of an image", () => {
  test("in an allowed folder is read, absolute or relative to cwd, and stored as it was sent", async () => {
    writeFileSync(join(folder, "allowed", "shot.png"), png);
    for (const path of [join(folder, "allowed", "shot.png"), "shot.png"]) {
      const observation = await observed({ imagePath: path }, "screen");
      expect(observation).toMatchObject({ imageRef: refOf(png), title: "Image shot.png", type: "image" });
      expect(dataOf(observation)).toEqual({ imagePath: path });
    }
  });

  test("outside, sensitive, behind a link or of no image is kept as text", async () => {
    writeFileSync(join(folder, "outside.png"), png);
    writeFileSync(join(folder, "allowed", "my-secret.png"), png);
    symlinkSync(join(folder, "outside.png"), join(folder, "allowed", "link.png"));
    for (const path of ["../outside.png", "my-secret.png", "link.png", "missing.png", "."]) {
      const observation = await observed({ imagePath: path });
      expect(observation).not.toHaveProperty("imageRef");
      expect(dataOf(observation)).toEqual({ imagePath: path });
    }
    writeFileSync(join(folder, "allowed", "notes.png"), "words");
    expect(dataOf(await observed({ screenshot: "notes.png" })).imageError).toMatch(/cannot be read/u);
    expect(filesKept()).toEqual([]);
  });
});

describe("the removal of images", () => {
  test("happens in the sweep after their last observation is forgotten, and not before", async () => {
    const first = await observed({ imageData: base64(png) });
    const second = await observed({ imageData: base64(png), message: "again" });
    await http.ok(forget, { sessionId: "s1", observationIds: [first.id] });
    expect(await http.core.sweepImages()).toBe(0);
    await http.ok(forget, { sessionId: "s1", observationIds: [second.id] });
    expect(await http.core.sweepImages()).toBe(1);
    expect([filesKept(), await records()]).toEqual([[], []]);
    const { entries } = await http.ok(listAudit, { operation: "sweep" });
    expect(entries).toMatchObject([
      { functionId: "sweep.expire", targetIds: [refOf(png)], details: { images: 1 } },
    ]);
  });

  test("leaves the file of an image that an event has brought again meanwhile", async () => {
    await observed({ imageData: base64(png) });
    await removeUnknownFiles(http.core.ground, [{ ref: refOf(png), extension: "png" }]);
    expect(filesKept()).toEqual([`${refOf(png)}.png`]);
  });

  test("happens in heal for unreferenced ones, while those without a file are only reported", async () => {
    const { id } = await observed({ imageData: base64(png) });
    const lost = picture(7);
    await observed({ imageData: base64(lost) });
    await http.ok(forget, { sessionId: "s1", observationIds: [id] });
    rmSync(join(http.home, "images", `${refOf(lost)}.png`));
    const found = async () => {
      const { checks } = await http.ok(diagnose, { categories: ["images"] });
      return checks.map(({ name, status, ids }) => [name, status, ids]);
    };
    expect(await found()).toEqual([
      ["missing-image-file", "warn", [refOf(lost)]],
      ["unreferenced-image", "warn", [refOf(png)]],
    ]);
    await http.ok(heal, { categories: ["images"], dryRun: false });
    expect(filesKept()).toEqual([]);
    expect((await found()).map(([name]) => name)).toContain("missing-image-file");
    expect((await records()).map(({ imageRef }) => imageRef)).toEqual([refOf(lost)]);
  });

  test("does not apply to those without a file, which are all reported, however many there are", async () => {
    await http.writeSql(
      `INSERT INTO images (ref, mime, extension, bytes, created_at, used_at)
       SELECT printf('%064d', value), 'image/png', 'png', 1, 0, 0 FROM generate_series(1, 2001)`,
    );
    const { checks } = await http.ok(diagnose, { categories: ["images"] });
    expect(checks.map(({ name, count }) => [name, count])).toEqual([
      ["missing-image-file", 2_001],
      ["unreferenced-image", 2_001],
    ]);
  });

  test("does not apply to truncated files, which are reported and repaired when the image recurs", async () => {
    await observed({ imageData: base64(png) });
    const path = join(http.home, "images", `${refOf(png)}.png`);
    truncateSync(path, 10);
    const found = async () => {
      const { checks } = await http.ok(diagnose, { categories: ["images"] });
      return checks.map(({ name }) => name);
    };
    expect(await found()).toEqual(["missing-image-file"]);
    await observed({ imageData: base64(png), message: "again" });
    expect([readFileSync(path), await found()]).toEqual([png, ["images-ok"]]);
  });

  test("leaves the files in place when a heal is rolled back", async () => {
    const { id } = await observed({ imageData: base64(png) });
    await http.ok(forget, { sessionId: "s1", observationIds: [id] });
    await http.writeSql(
      "CREATE TRIGGER killed BEFORE INSERT ON audit_entries BEGIN SELECT RAISE(ABORT, 'killed'); END",
    );
    expect((await http.reply(heal, { categories: ["images"], dryRun: false })).status).toBe(500);
    expect([filesKept(), (await records()).length]).toEqual([[`${refOf(png)}.png`], 1]);
    await http.writeSql("DROP TRIGGER killed");
    await http.ok(heal, { categories: ["images"], dryRun: false });
    expect([filesKept(), await records()]).toEqual([[], []]);
  });

  test("happens in the sweep for files without a row once they are an hour old", async () => {
    await observed({ imageData: base64(png) });
    const [fresh, old] = ["a", "b"].map((digit) => join(http.home, "images", `${digit.repeat(64)}.png`));
    for (const [path, age] of [
      [fresh, 10],
      [old, 3_700],
    ] as const) {
      writeFileSync(path ?? "", png);
      utimesSync(path ?? "", new Date(), new Date(http.now() - age * 1_000));
    }
    await http.core.sweepImages();
    expect(filesKept()).toEqual([`${refOf(png)}.png`, `${"a".repeat(64)}.png`].sort());
  });

  test("takes only a new image that exceeds the quota by itself, and leaves the others", async () => {
    await http.close();
    http = await openTestHttp({ env: { MEMSVC_IMAGE_STORE_MAX_BYTES: "650" } });
    await observed({ imageData: base64(png) });
    const large = picture(2, 700);
    expect(await observed({ imageData: base64(large) })).toMatchObject({ imageRef: refOf(large) });
    expect(filesKept()).toEqual([`${refOf(png)}.png`]);
  });

  test("above the quota by a byte makes room for an image that takes all of it", async () => {
    await http.close();
    http = await openTestHttp({ env: { MEMSVC_IMAGE_STORE_MAX_BYTES: "400" } });
    for (const image of [picture(1), picture(2, 201), picture(3, 400)]) {
      await observed({ imageData: base64(image) });
      expect(filesKept()).toEqual([`${refOf(image)}.png`]);
    }
  });

  test("above the quota takes unreferenced ones first, then the least recently used", async () => {
    await http.close();
    http = await openTestHttp({ env: { MEMSVC_IMAGE_STORE_MAX_BYTES: "650" } });
    const [a, b, c, d, e] = [1, 2, 3, 4, 5].map((number) => picture(number)) as [
      Buffer,
      Buffer,
      Buffer,
      Buffer,
      Buffer,
    ];
    const left = () => new Set(filesKept().map((name) => name.slice(0, 64)));
    const ofA = await observed({ imageData: base64(a) });
    const ofB = await observed({ imageData: base64(b) });
    await observed({ imageData: base64(c) });
    await http.ok(forget, { sessionId: "s1", observationIds: [ofB.id] });
    await observed({ imageData: base64(d) });
    expect(left()).toEqual(new Set([a, c, d].map(refOf)));
    await observed({ imageData: base64(a), message: "used again" });
    await observed({ imageData: base64(e) });
    expect(left()).toEqual(new Set([a, d, e].map(refOf)));
    const { observations } = await http.ok(listObservations, { sessionId: "s1" });
    expect(observations.map(({ imageRef }) => imageRef)).toEqual([a, c, d, a, e].map(refOf));
    expect(ofA.imageRef).toBe(refOf(a));
    await observed({ imageData: base64(c), message: "back" });
    expect((await records()).find(({ imageRef }) => imageRef === refOf(c))?.refCount).toBe(2);
  });
});

test("the sweep removes an old temporary file of an image, but not one that is being written", async () => {
  await observed({ imageData: base64(png) });
  const folder = join(http.home, "images");
  const [left, inWork] = [1, 2].map((number) =>
    join(folder, `${refOf(png)}.png.memsvc-99-${number}.tmp`),
  ) as [string, string];
  for (const path of [left, inWork]) writeFileSync(path, "half");
  utimesSync(left, 0, 0);
  await http.core.sweepImages();
  expect(readdirSync(folder).sort()).toEqual([`${refOf(png)}.png`, basename(inWork)]);
});

describe("images that a snapshot refers to", () => {
  const file = () => join(http.home, "images", `${refOf(png)}.png`);
  const agedFile = () => utimesSync(file(), new Date(), new Date(http.now() - 7_200_000));
  const checked = async () => {
    const { checks } = await http.ok(diagnose, { categories: ["images"] });
    return checks.map(({ name }) => name);
  };
  beforeEach(async () => {
    await http.close();
    http = await openTestHttp({ env: { MEMSVC_IMAGE_STORE_MAX_BYTES: "250" } });
  });

  test.each([
    ["a heal", () => http.ok(heal, { categories: ["images"], dryRun: false })],
    ["the sweep", () => http.core.sweepImages()],
    ["the quota", () => observed({ imageData: base64(picture(2)) })],
  ])("keep their files in spite of %s, and are whole after a restore", async (_, remove) => {
    await observed({ imageData: base64(png) });
    const { snapshot } = await http.ok(createSnapshot, {});
    await http.ok(forget, { sessionId: "s1" });
    await remove();
    expect((await records()).map(({ imageRef }) => imageRef)).not.toContain(refOf(png));
    agedFile();
    await http.core.sweepImages();
    expect(existsSync(file())).toBe(true);
    await http.ok(restoreSnapshot, { snapshotId: snapshot.id });
    expect([await checked(), (await records()).length]).toEqual([["images-ok"], 1]);
  });

  test("keep their files for the safety snapshot after a restore of an older one", async () => {
    const { snapshot } = await http.ok(createSnapshot, {});
    await observed({ imageData: base64(png) });
    const { safetySnapshotId } = (await http.ok(restoreSnapshot, { snapshotId: snapshot.id })) as {
      safetySnapshotId: string;
    };
    agedFile();
    await http.core.sweepImages();
    await http.ok(restoreSnapshot, { snapshotId: safetySnapshotId });
    expect([await checked(), filesKept()]).toEqual([["images-ok"], [`${refOf(png)}.png`]]);
  });

  test("keep their files during a snapshot, and lose them when no snapshot is left", async () => {
    await observed({ imageData: base64(png) });
    const { snapshot } = await http.ok(createSnapshot, {});
    await http.ok(forget, { sessionId: "s1" });
    const shelf = join(http.home, "snapshots");
    const unfinished = join(shelf, `${snapshot.id}.db.part`);
    renameSync(join(shelf, `${snapshot.id}.db`), unfinished);
    await http.core.sweepImages();
    agedFile();
    await http.core.sweepImages();
    expect(filesKept()).toHaveLength(1);
    rmSync(unfinished);
    await http.core.sweepImages();
    expect(filesKept()).toEqual([]);
  });

  test("are removed when the snapshot is damaged and cannot be restored", async () => {
    await observed({ imageData: base64(png) });
    const { snapshot } = await http.ok(createSnapshot, {});
    await http.ok(forget, { sessionId: "s1" });
    writeFileSync(join(http.home, "snapshots", `${snapshot.id}.db`), "no database any more".repeat(100));
    await http.core.sweepImages();
    expect(filesKept()).toEqual([]);
  });
});
