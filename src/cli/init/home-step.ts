import { randomBytes } from "node:crypto";
import { chmodSync, existsSync } from "node:fs";
import { changeConfigFile, readConfigFile } from "../../config/config-file.ts";
import { isSetInEnvFile, setInEnvFile } from "../../config/env-file.ts";
import { configFile } from "../../config/home.ts";
import type { CommandContext } from "../command.ts";
import { homeWithoutEnvironment, storeHome } from "../location/store-home.ts";
import type { Questions } from "./questions.ts";

const firstLine = "# Settings of memsvc, one NAME=value on a line; memsvc config list shows them all.\n";

/** Asks for the store's location, and creates the folder and its config file, readable by the owner only. */
export async function makeHome({ globals, terminal }: CommandContext, questions: Questions): Promise<string> {
  const usual = storeHome(globals);
  const named = await questions.text("Where should memsvc store its data?", usual);
  const home = homeWithoutEnvironment(named);
  const file = configFile(home);
  if (existsSync(file)) chmodSync(file, 0o600);
  else await changeConfigFile(home, (text) => (text === "" ? firstLine : undefined));
  if (home !== storeHome()) terminal.say(`for other commands to find it, ${waysToName(home)}`);
  return home;
}

/** How a home becomes the default for all commands of the user. */
export function waysToName(home: string, platform: NodeJS.Platform = process.platform): string {
  return platform === "win32"
    ? `run this, then open another terminal: setx MEMSVC_HOME "${home}"`
    : `put this into your shell's profile: export MEMSVC_HOME="${home}"`;
}

/** Offers to set a secret, which clients of the daemon must then send. Returns whether there is one now. */
export async function makeSecret(home: string, questions: Questions): Promise<boolean> {
  if (isSetInEnvFile(readConfigFile(home) ?? "", "MEMSVC_SECRET") || process.env.MEMSVC_SECRET) return true;
  const question =
    "Should the daemon require a secret? It listens on this machine only, but its other users can reach it";
  if (!(await questions.confirm(question, false))) return false;
  const secret = randomBytes(32).toString("base64url");
  await changeConfigFile(home, (current) =>
    isSetInEnvFile(current, "MEMSVC_SECRET") ? undefined : setInEnvFile(current, "MEMSVC_SECRET", secret),
  );
  return true;
}
