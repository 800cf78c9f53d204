import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { homedir, userInfo } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { temporaryFolder } from "../../../test/support/temporary-folder.ts";
import { requireServiceManager, type ServiceManager } from "./service-manager.ts";
import { launchdLabel } from "./unit-templates.ts";

const domain = `gui/${userInfo().uid}`;
/** What launchctl adds to any refusal. */
const advice = "Try re-running the command as root for richer errors.";
const service = `${domain}/${launchdLabel}`;

let folder: string;
let launchd: ServiceManager;
beforeEach(() => {
  folder = temporaryFolder();
  mkdirSync(join(folder, "bin"));
  vi.stubEnv("PATH", `${join(folder, "bin")}:/usr/bin:/bin`);
  launchd = requireServiceManager("darwin");
});
afterEach(() => {
  vi.unstubAllEnvs();
});

/**
 * A launchctl that records its calls. It knows the service while the file `loaded` exists, unloads it some calls after
 * it was asked to, and refuses to load it once for each line of the file `refusals`, with the exit code in that line.
 */
function withLaunchctl({ isLoaded = false, looks = 0, refusals = [] as readonly number[], told = "" }) {
  const at = (name: string) => `'${join(folder, name)}'`;
  if (isLoaded) writeFileSync(join(folder, "loaded"), "");
  writeFileSync(join(folder, "looks"), "\n".repeat(looks));
  writeFileSync(join(folder, "refusals"), refusals.map((code) => `${code}\n`).join(""));
  const script = [
    "#!/bin/sh",
    'shorten() { tail -n +2 "$1" > "$1.rest"; mv "$1.rest" "$1"; }',
    `echo "$*" >> ${at("asked")}`,
    'case "$1" in',
    `bootout) [ -e ${at("loaded")} ] || { echo 'Boot-out failed: 3: No such process' >&2; exit 3; }`,
    `  [ -s ${at("looks")} ] || { rm ${at("loaded")}; exit 0; }`,
    `  touch ${at("leaving")}; echo 'Boot-out failed: 36: Operation now in progress' >&2; exit 36 ;;`,
    `print) [ -e ${at("loaded")} ] || { echo 'Could not find service' >&2; exit 113; }`,
    `  printf '%s' '${told}'`,
    `  [ -e ${at("leaving")} ] || exit 0`,
    `  shorten ${at("looks")}; [ -s ${at("looks")} ] || rm ${at("loaded")} ;;`,
    `bootstrap) [ -e ${at("loaded")} ] && { echo 'Bootstrap failed: 37: Operation already in progress' >&2; exit 37; }`,
    `  code=$(head -n 1 ${at("refusals")}); shorten ${at("refusals")}`,
    `  [ -z "$code" ] || { printf 'Bootstrap failed: %s: Input/output error\\n%s\\n' "$code" '${advice}' >&2; exit "$code"; }`,
    `  touch ${at("loaded")} ;;`,
    "esac",
  ];
  writeFileSync(join(folder, "bin", "launchctl"), `${script.join("\n")}\n`, { mode: 0o755 });
}

function asked(): string[] {
  return readFileSync(join(folder, "asked"), "utf8").trim().split("\n");
}

test("the service is registered where launchd looks for a user's agents", () => {
  expect(launchd.path.startsWith(join(homedir(), "Library", "LaunchAgents"))).toBe(true);
});

test("restarting a service waits until launchd has unloaded it, enables it and retries", async () => {
  withLaunchctl({ isLoaded: true, looks: 2, refusals: [5] });
  await launchd.start();
  const bootstrap = `bootstrap ${domain} ${launchd.path}`;
  const looks = Array.from({ length: 3 }, () => `print ${service}`);
  expect(asked()).toEqual([`bootout ${service}`, ...looks, `enable ${service}`, bootstrap, bootstrap]);
});

test("a permanent refusal by launchd is reported at once, with its message", async () => {
  withLaunchctl({ refusals: [125, 125] });
  await expect(launchd.start()).rejects.toMatchObject({
    code: "unavailable",
    message: "no service can be set up here: Bootstrap failed: 125: Input/output error",
  });
  expect(asked().filter((words) => words.startsWith("bootstrap"))).toHaveLength(1);
});

test("a service that launchd does not know, or is still unloading, can be stopped", async () => {
  withLaunchctl({});
  await launchd.stop();
  withLaunchctl({ isLoaded: true, looks: 2 });
  await launchd.stop();
  expect(existsSync(join(folder, "loaded"))).toBe(false);
});

test("a running service is left alone if it is only to be started", async () => {
  withLaunchctl({ isLoaded: true, told: "\tstate = running\n\tpid = 4711\n" });
  await launchd.startAgain("start");
  expect(asked()).toEqual([`print ${service}`]);
  withLaunchctl({ isLoaded: true, told: "\tstate = not running\n" });
  await launchd.startAgain("start");
  expect(asked().at(-1)).toBe(`bootstrap ${domain} ${launchd.path}`);
});
