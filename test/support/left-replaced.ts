import childProcess from "node:child_process";
import fs from "node:fs";
import { vi } from "vitest";

/*
 * Files of tests share processes. What one of them leaves replaced makes later ones fail, or wait for ever, far from
 * the fault.
 */

const owners: Readonly<Record<string, object>> = {
  globalThis,
  Date,
  Math,
  process,
  fs,
  "fs.promises": fs.promises,
  child_process: childProcess,
};
/** Libraries replace or set these for good. */
const replacedByLibraries = [
  // The HTTP server.
  ...["globalThis.Request", "globalThis.Response"],
  // The driver of the browser, when it is loaded.
  ...["process.chdir", "process.cwd", "fs.close", "fs.closeSync"],
  // The image library of the reference for our tokenizer.
  "process.env.VIPSHOME",
];
/** These are no properties of their owner itself, or are read through an accessor. */
const others: Readonly<Record<string, () => unknown>> = {
  process: () => globalThis.process,
  "performance.now": () => performance.now,
  "process.stdout.write": () => process.stdout.write,
  "process.stderr.write": () => process.stderr.write,
};

/** Functions and environment variables by their names. */
export type InPlace = ReadonlyMap<string, unknown>;

export function inPlace(): InPlace {
  const found = new Map<string, unknown>();
  for (const [owner, object] of Object.entries(owners))
    for (const [name, { value }] of Object.entries(Object.getOwnPropertyDescriptors(object)))
      if (typeof value === "function") found.set(`${owner}.${name}`, value);
  for (const [name, read] of Object.entries(others)) found.set(name, read());
  for (const [name, value] of Object.entries(process.env)) found.set(`process.env.${name}`, value);
  for (const name of replacedByLibraries) found.delete(name);
  return found;
}

/** Names what differs from before, fake timers included. Functions that were added are no replacements. */
export function leftReplaced(before: InPlace): string[] {
  const now = inPlace();
  const isEnv = (name: string) => name.startsWith("process.env.");
  const names = [...before.keys(), ...[...now.keys()].filter((name) => isEnv(name) && !before.has(name))];
  const replaced = names.filter((name) => before.get(name) !== now.get(name));
  return vi.isFakeTimers() ? ["fake timers", ...replaced] : replaced;
}
