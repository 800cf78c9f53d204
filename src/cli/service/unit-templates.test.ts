import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { requireServiceManager } from "./service-manager.ts";
import { launchdLabel, launchdPlist, systemdUnit, unitMark } from "./unit-templates.ts";

const words = ["/opt/node 20/bin/node", "/home/u/100%/$HOME/main.cjs", "serve", "--home", '/a "b" & <c>'];

/** The words of an ExecStart line, as systemd's documentation says they are read. */
function execStart(unit: string): string[] {
  const line = /^ExecStart=(.*)$/mu.exec(unit)?.[1] ?? "";
  return [...line.matchAll(/"((?:[^"\\]|\\.)*)"/gu)].map(([, word = ""]) =>
    word
      .replaceAll(/\\(.)/gu, (_, letter: string) => (letter === "n" ? "\n" : letter))
      .replaceAll("%%", "%")
      .replaceAll("$$", "$"),
  );
}

function programArguments(list: string): string[] {
  const array = /<key>ProgramArguments<\/key>\s*<array>([\s\S]*?)<\/array>/u.exec(list)?.[1] ?? "";
  return [...array.matchAll(/<string>([^<]*)<\/string>/gu)].map(([, text = ""]) =>
    text.replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&amp;", "&"),
  );
}

describe("the file for a service manager", () => {
  test.each([
    ["systemd", systemdUnit, execStart],
    ["launchd", launchdPlist, programArguments],
  ] as const)(
    "of %s starts the program with exactly the given words, and has our mark",
    (_name, unit, read) => {
      expect(read(unit(words))).toEqual(words);
      expect(unit(words)).toContain(unitMark);
      const word = fc.string({ unit: "grapheme-ascii", minLength: 1 });
      fc.assert(
        fc.property(fc.array(word, { minLength: 1, maxLength: 4 }), (any) => {
          expect(read(unit(any))).toEqual(any);
        }),
        { numRuns: 100 },
      );
    },
  );

  test("starts the daemon at login and after failures, but not after permanent ones", () => {
    const unit = systemdUnit(words);
    expect(unit).toMatch(/^\[Service\]\n(?:.+\n)*Restart=on-failure\n/mu);
    expect(unit).toMatch(/^RestartPreventExitStatus=2 3 4 5$/mu);
    expect(unit).toMatch(/^\[Install\]\nWantedBy=default\.target$/mu);
    expect(Number(/^TimeoutStopSec=(\d+)$/mu.exec(unit)?.[1])).toBeGreaterThan(20);
    const list = launchdPlist(words);
    expect(list).toMatch(/<key>RunAtLoad<\/key>\s*<true\/>/u);
    expect(list).toMatch(/<key>SuccessfulExit<\/key>\s*<false\/>/u);
    expect(list).toContain(`<string>${launchdLabel}</string>`);
  });

  test("keeps what the daemon writes from other users", () => {
    expect(systemdUnit(words)).toMatch(/^UMask=0077$/mu);
    const umask = /<key>Umask<\/key>\s*<integer>(\d+)<\/integer>/u.exec(launchdPlist(words))?.[1];
    expect(Number(umask)).toBe(0o077);
  });
});

test.each(["linux", "darwin"] as const)("the file of %s is recognised only for its own home", (platform) => {
  const manager = requireServiceManager(platform);
  const unit = manager.unit(["/bin/node", "/main.cjs", "serve", "--home", "/a <home> 100%"]);
  expect(manager.hasWords(unit, ["--home", "/a <home> 100%"])).toBe(true);
  for (const other of ["/a", "/a <home> 100", "/a <home> 100%/b"])
    expect(manager.hasWords(unit, ["--home", other])).toBe(false);
});

test("without systemd and launchd the error suggests memsvc daemon start", () => {
  expect(() => requireServiceManager("win32")).toThrow(
    expect.objectContaining({ code: "unavailable", hint: expect.stringContaining("memsvc daemon start") }),
  );
});
