import fs from "node:fs/promises";
import { expect, test } from "vitest";
import { diagnose } from "../../src/governance/diagnostics/operations.ts";
import { openTestHttp } from "../support/http.ts";
import { replaceFunctions } from "../support/replaced-functions.ts";

const disk = { isReadOnly: false };
const { access } = fs;
replaceFunctions(fs, {
  access: async (path, mode) => {
    if (disk.isReadOnly) throw Object.assign(new Error("EROFS: read-only file system"), { code: "EROFS" });
    return access(path, mode);
  },
});

test("diagnostics report a disk that became read-only, with a hint", async () => {
  const http = await openTestHttp();
  const found = async () => {
    const { checks } = await http.ok(diagnose, { categories: ["database"] });
    return checks.filter(({ name }) => name === "read-only");
  };
  expect(await found()).toEqual([]);
  disk.isReadOnly = true;
  const [finding] = await found();
  expect(finding).toMatchObject({
    status: "fail",
    message: `${http.home} is on a disk that is read-only now`,
  });
  expect(finding?.hint).toContain("let this user write to it");
  await http.close();
});
