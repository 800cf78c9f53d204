import { readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { isObject } from "../../json/is-object.ts";
import { jsonIn } from "../../json/json-in.ts";
import { version } from "../../version.ts";
import { type StartedProgram, startedPrograms } from "./connection-state.ts";
import type { Places } from "./places.ts";

/** An entry that starts another version of memsvc than this one, which need not be able to use this one's store. */
export interface OtherVersion extends StartedProgram {
  readonly version: string;
}

export function otherVersions(places: Places): OtherVersion[] {
  return startedPrograms(places).flatMap((started) => {
    const installed = versionOf(started.program);
    return installed === undefined || installed === version ? [] : [{ ...started, version: installed }];
  });
}

/** The version of the installation that a script belongs to; undefined for other programs. */
function versionOf(program: string): string | undefined {
  if (basename(program) !== "main.cjs") return undefined;
  try {
    const manifest = jsonIn(readFileSync(join(dirname(dirname(program)), "package.json"), "utf8"));
    const isOurs = isObject(manifest) && manifest.name === "memsvc";
    return isOurs && typeof manifest.version === "string" ? manifest.version : undefined;
  } catch {
    // It is gone, which is reported as such.
    return undefined;
  }
}
