import { randomBytes } from "node:crypto";
import { chmodSync, existsSync } from "node:fs";
import { homedir } from "node:os";
import { readConfigFile, writeConfigFile } from "../../config/config-file.ts";
import { parseEnvFile, setInEnvFile } from "../../config/env-file.ts";
import { configFile, homeFolder } from "../../config/home.ts";
import type { CommandContext } from "../command.ts";
import type { Questions } from "./questions.ts";

const firstLine = "# Settings of memsvc, one NAME=value on a line; memsvc config list shows them all.\n";

/** Asks where the store shall be, and makes the folder with its config file, both for the owner alone. */
export async function makeHome({ globals, terminal }: CommandContext, questions: Questions): Promise<string> {
  const usual = homeFolder({ flag: globals.home, env: process.env, userHome: homedir() });
  const named = await questions.text("Where shall memsvc keep what it stores?", usual);
  const home = homeFolder({ flag: named, env: {}, userHome: homedir() });
  const file = configFile(home);
  if (existsSync(file)) chmodSync(file, 0o600);
  else await writeConfigFile(home, firstLine);
  if (home !== homeFolder({ env: process.env, userHome: homedir() }))
    terminal.say(
      `for other commands to find it, put this into your shell's profile: export MEMSVC_HOME="${home}"`,
    );
  return home;
}

/** Offers a secret, which whoever talks to the daemon must then know. Says whether there is one now. */
export async function makeSecret(home: string, questions: Questions): Promise<boolean> {
  const text = readConfigFile(home) ?? "";
  if ((parseEnvFile(text).get("MEMSVC_SECRET") ?? "") !== "" || process.env.MEMSVC_SECRET) return true;
  const question =
    "Shall the daemon ask for a secret? It listens on this machine alone; other users of it could reach it";
  if (!(await questions.confirm(question, false))) return false;
  await writeConfigFile(home, setInEnvFile(text, "MEMSVC_SECRET", randomBytes(32).toString("base64url")));
  return true;
}
