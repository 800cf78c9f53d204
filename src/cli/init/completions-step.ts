import { existsSync, readFileSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { writeDurably } from "../../paths/durable-file.ts";
import { packageFolder } from "../../store/migrations.ts";
import { folderFrom, type Places, xdgConfig } from "../connect/places.ts";
import type { Questions } from "./questions.ts";

/** Puts the completions where the user's shell looks for them by itself; says where, undefined when it did not. */
export async function installCompletions(places: Places, questions: Questions): Promise<string | undefined> {
  const shell = basename(places.env.SHELL ?? "");
  const target = targetOf(shell, places);
  if (target === undefined || existsSync(target.path)) return undefined;
  if (!(await questions.confirm(`Install completions for ${shell}?`, true))) return undefined;
  await mkdir(dirname(target.path), { recursive: true });
  await writeDurably(target.path, readFileSync(join(packageFolder(), "completions", target.script)), 0o644);
  return target.path;
}

/** Z shell has no such folder of the user's: its search path is set up by everybody for themselves. */
function targetOf(shell: string, places: Places): { path: string; script: string } | undefined {
  if (shell === "bash") {
    const data = folderFrom(places, "XDG_DATA_HOME", ".local", "share");
    return { path: join(data, "bash-completion", "completions", "memsvc"), script: "memsvc.bash" };
  }
  if (shell !== "fish") return undefined;
  return { path: join(xdgConfig(places), "fish", "completions", "memsvc.fish"), script: "memsvc.fish" };
}
