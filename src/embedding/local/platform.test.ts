import { expect, test } from "vitest";
import { runtimeProblem } from "./platform.ts";

test.each([
  ["linux", "x64", "glibc"],
  ["linux", "arm64", "glibc"],
  ["darwin", "arm64", "unused"],
  ["win32", "x64", "unused"],
])("local models run on %s %s", (platform, arch, libc) => {
  expect(runtimeProblem({ platform, arch, libc: () => libc })).toBeUndefined();
});

test.each([
  ["linux", "x64", "musl", "linux x64 with musl"],
  ["linux", "arm", "glibc", "linux arm"],
  ["freebsd", "x64", "unused", "freebsd x64"],
])(
  "on %s %s with %s the problem names the machine and the static provider",
  (platform, arch, libc, shown) => {
    const problem = runtimeProblem({ platform, arch, libc: () => libc });
    expect(problem).toContain(shown);
    expect(problem).toContain("MEMSVC_EMBEDDING_PROVIDER=static");
  },
);
