import { existsSync, mkdirSync, readdirSync, readFileSync, truncateSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { observe } from "../../src/capture/observations/operations.ts";
import { diagnose } from "../../src/governance/diagnostics/operations.ts";
import { importStore } from "../../src/governance/transfer/operations.ts";
import { forget } from "../../src/knowledge/memories/operations.ts";
import { forEachTest } from "../support/for-each-test.ts";
import { dumpStore, openTestHttp, type TestHttp } from "../support/http.ts";
import { base64, picture, refOf } from "../support/images.ts";

const http = forEachTest(openTestHttp);
const other = forEachTest(openTestHttp);

async function shown(...pictures: Buffer[]): Promise<string> {
  const base = { sessionId: "s1", project: "/w/shop", cwd: "/w/shop", hookType: "notification" };
  const data = { text: "screenshots", shots: pictures.map((one) => ({ imageData: base64(one) })) };
  return (await http.ok(observe, { ...base, timestamp: "2026-03-01T10:00:00Z", data })).observationId;
}

type Exported = Record<string, unknown> & { images: Record<string, unknown>[] };

async function exported(from: TestHttp, includeImages = true): Promise<Exported> {
  const query: Record<string, string> = includeImages ? { includeImages: "true" } : {};
  return (await from.send("/export", { query })).body as Exported;
}

const fileOf = (of: TestHttp, content: Buffer) =>
  join(of.core.ground.home, "images", `${refOf(content)}.png`);

describe("images in an export", () => {
  test("have their bytes only on request", async () => {
    await shown(picture(1));
    const [bare] = (await exported(http, false)).images;
    expect(bare).toMatchObject({ imageRef: refOf(picture(1)), mime: "image/png", bytes: 200, refCount: 1 });
    expect(bare).not.toHaveProperty("dataBase64");
    expect((await exported(http)).images).toMatchObject([{ dataBase64: base64(picture(1)) }]);
  });

  test("are imported into an empty store with their files and references", async () => {
    await shown(picture(1), picture(2));
    const whole = await exported(http);
    const { counts, warnings } = await other.ok(importStore, { exportData: whole });
    expect([counts.images, warnings]).toEqual([{ written: 2, skipped: 0 }, []]);
    expect(readFileSync(fileOf(other, picture(2)))).toEqual(picture(2));
    const { audit: _a, exportedAt: _b, ...got } = await exported(other);
    const { audit: _c, exportedAt: _d, ...had } = whole;
    expect(got.images).toEqual(had.images);
    const { checks } = await other.ok(diagnose, { categories: ["images"] });
    expect(checks.map(({ name }) => name)).toEqual(["images-ok"]);
    const again = await other.ok(importStore, { exportData: whole });
    expect(again.counts.images).toEqual({ written: 0, skipped: 2 });
  });

  test("are left out with a warning without their bytes, and are imported later with them", async () => {
    await shown(picture(1));
    const { warnings, counts } = await other.ok(importStore, { exportData: await exported(http, false) });
    expect(counts.images).toEqual({ written: 0, skipped: 1 });
    expect(warnings.join()).toContain("export with includeImages");
    await other.ok(importStore, { exportData: await exported(http) });
    expect((await exported(other)).images).toMatchObject([{ refCount: 1, dataBase64: base64(picture(1)) }]);
  });

  test("do not include images of forgotten observations", async () => {
    const observationId = await shown(picture(1));
    await http.ok(forget, { sessionId: "s1", observationIds: [observationId] });
    expect((await exported(http)).images).toEqual([]);
  });

  test("have no bytes when their file is damaged, which does not stop the import of others", async () => {
    await shown(picture(1), picture(2), picture(3));
    truncateSync(fileOf(http, picture(1)), 10);
    writeFileSync(fileOf(http, picture(2)), picture(7));
    const whole = await exported(http);
    const sent = whole.images.map(({ imageRef, dataBase64 }) => [imageRef, dataBase64]);
    expect(new Map(sent as [string, string][])).toEqual(
      new Map([
        [refOf(picture(1)), undefined],
        [refOf(picture(2)), undefined],
        [refOf(picture(3)), base64(picture(3))],
      ]),
    );
    const { counts, warnings } = await other.ok(importStore, { exportData: whole });
    expect([counts.images, counts.observations]).toEqual([
      { written: 1, skipped: 2 },
      { written: 1, skipped: 0 },
    ]);
    expect(warnings.join()).toContain("left out");
  });

  test("repair a damaged file, and are not taken from one", async () => {
    await shown(picture(1));
    const whole = await exported(http);
    const damaged = () => writeFileSync(fileOf(other, picture(1)), "cut");
    mkdirSync(dirname(fileOf(other, picture(1))));
    damaged();
    const { counts, warnings } = await other.ok(importStore, { exportData: await exported(http, false) });
    expect([counts.images, warnings.join()]).toEqual([
      { written: 0, skipped: 1 },
      expect.stringContaining("left out"),
    ]);
    const written = async () => (await other.ok(importStore, { exportData: whole })).counts.images?.written;
    expect(await written()).toBe(1);
    expect((await exported(other)).images).toEqual(whole.images);
    damaged();
    expect([await written(), await written()]).toEqual([1, 0]);
    expect((await exported(other)).images).toEqual(whole.images);
  });

  test("without bytes do not remove the files of a store that they replace", async () => {
    await shown(picture(1));
    const whole = await exported(http, false);
    await http.ok(importStore, { exportData: whole, strategy: "replace" });
    expect((await exported(http)).images).toMatchObject([{ refCount: 1, dataBase64: base64(picture(1)) }]);
  });

  test("may each have the maximum size", async () => {
    const large = picture(7, 10_485_760);
    const row = {
      imageRef: refOf(large),
      createdAt: 0,
      pins: [{ sessionId: "s1", createdAt: 0 }],
      dataBase64: base64(large),
    };
    await http.ok(importStore, { exportData: { images: [row, row] } });
    expect((await exported(http)).images).toMatchObject([{ bytes: 10_485_760 }]);
  });

  test("keep the sessions and agents that they were stored for", async () => {
    const content = picture(3);
    const pins = [{ sessionId: "s1", agentId: "builder", createdAt: "2026-01-01T00:00:00.000Z" }];
    const row = { imageRef: refOf(content), createdAt: 0, pins, dataBase64: base64(content) };
    await http.ok(importStore, { exportData: { images: [row] } });
    const whole = await exported(http);
    expect(whole.images).toMatchObject([{ pins }]);
    const { checks } = await http.ok(diagnose, { categories: ["images"] });
    expect(checks.map(({ name }) => name)).toEqual(["images-ok"]);
    const again = await http.ok(importStore, { exportData: whole });
    expect(again.counts.images).toEqual({ written: 0, skipped: 1 });
  });

  const good = picture(1);
  test.each([
    ["bytes of another image", { imageRef: refOf(good), dataBase64: base64(picture(2)) }, "dataBase64"],
    [
      "no image",
      { imageRef: refOf(Buffer.from("<script>")), dataBase64: base64(Buffer.from("<script>")) },
      "dataBase64",
    ],
    ["no base64", { imageRef: refOf(good), dataBase64: "../../etc/passwd" }, "dataBase64"],
    ["too many bytes", { imageRef: refOf(good), dataBase64: base64(picture(1, 10_485_761)) }, "dataBase64"],
    ["a path as its name", { imageRef: "../../../etc/passwd", dataBase64: base64(good) }, "imageRef"],
  ])("with %s are a 400 that names the field, and nothing changes", async (_, row, field) => {
    const before = await dumpStore(http);
    const fine = { imageRef: refOf(good), createdAt: 0, dataBase64: base64(good) };
    const reply = await http.reply(importStore, { exportData: { images: [fine, { ...row, createdAt: 0 }] } });
    expect(reply.status).toBe(400);
    expect(reply.body.issues).toMatchObject([{ path: `exportData.images.1.${field}` }]);
    expect(await dumpStore(http)).toBe(before);
    const folder = join(http.core.ground.home, "images");
    expect(existsSync(folder) ? readdirSync(folder) : []).toEqual([]);
  });
});
