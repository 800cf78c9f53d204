import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { forEachTest } from "../support/for-each-test.ts";
import { solidPng, tinyImageDimensions, writeTinyImageModel } from "../support/tiny-image-model.ts";
import { buildOnce, openSandbox } from "./program-process.ts";

const sandbox = forEachTest(openSandbox);
beforeAll(buildOnce);

const env = { MEMSVC_IMAGE_EMBEDDINGS: "true" };
const name = "clip-vit-base-patch32";

async function install(): Promise<void> {
  const source = join(sandbox.folder, "download");
  writeTinyImageModel(source);
  expect(await sandbox.runHere(["models", "pull", name, "--from", source])).toMatchObject({ exit: 0 });
}

test("images of the current folder are embedded and found by words and by image", async () => {
  await install();
  expect((await sandbox.runHere(["vision", "search", "red"], { env })).exit).toBe(3);
  writeFileSync(join(sandbox.home, "red.png"), solidPng([220, 30, 30]));
  writeFileSync(join(sandbox.home, "blue.png"), solidPng([30, 30, 220]));
  for (const image of ["red.png", "blue.png"])
    expect(await sandbox.run(["vision", "embed", image], { env })).toMatchObject({
      exit: 0,
      stdout: expect.stringContaining("now searchable"),
    });
  const again = await sandbox.run(["vision", "embed", "red.png", "--json"], { env });
  const { imageRef } = JSON.parse(again.stdout) as { imageRef: string };
  const shown = await sandbox.run(["vision", "search", "red"], { env });
  expect(shown.stdout).toContain("2 of 2 images");
  expect(shown.stdout.split("\n")[0]).toContain(imageRef);
  const alike = await sandbox.run(["vision", "search", "--image", "red.png", "--json"], { env });
  expect(JSON.parse(alike.stdout)).toMatchObject({ total: 2, results: [{ imageRef }, {}] });
});

test("vision search without a model exits with 6 and says how to install one", async () => {
  const run = await sandbox.runHere(["vision", "search", "red"], { env });
  expect(run).toMatchObject({ exit: 6, stdout: "" });
  expect(run.stderr).toContain(`memsvc models pull ${name} --from`);
});

test("models list shows the image model, and whether it is in use", async () => {
  expect((await sandbox.runHere(["models", "list"])).stdout).toContain(`${name}  image, not installed\n`);
  await install();
  const { stdout } = await sandbox.runHere(["models", "list", "--json"], { env });
  expect((JSON.parse(stdout) as { models: unknown[] }).models).toContainEqual(
    expect.objectContaining({ name, provider: "image", inUse: true, dimensions: tinyImageDimensions }),
  );
});
