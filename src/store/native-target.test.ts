import { afterEach, expect, test } from "vitest";
import { familySync, GLIBC, MUSL } from "./native-target.ts";

const { execPath } = process;
afterEach(() => {
  process.execPath = execPath;
});

test.runIf(process.platform === "linux")(
  "the C library is detected even if Node's executable cannot be read, as without /proc",
  () => {
    process.execPath = "node";
    const { header } = process.report.getReport() as { header: { glibcVersionRuntime?: string } };
    expect(familySync()).toBe(header.glibcVersionRuntime === undefined ? MUSL : GLIBC);
  },
);
