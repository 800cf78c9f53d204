import { existsSync } from "node:fs";
import { join } from "node:path";
import type { UserPlace } from "../../../paths/application-data.ts";
import { withTilde } from "../../../paths/with-tilde.ts";
import { editorFolders } from "./editor-folders.ts";

/** Where agents keep their transcripts, below the user's home. */
export const transcriptFolders: Readonly<Record<string, string>> = {
  "claude-code": ".claude/projects",
  cline: ".cline/data/sessions",
  codex: ".codex/sessions",
  "copilot-cli": ".copilot/session-state",
  droid: ".factory/sessions",
  "gemini-cli": ".gemini/tmp",
  grok: ".grok/sessions",
  kilo: ".local/share/kilo",
  "kimi-code": ".kimi-code/sessions",
  opencode: ".local/share/opencode",
  pi: ".pi/agent/sessions",
  "qwen-code": ".qwen/projects",
};

/** The folder of Claude Code's transcripts, which an import reads unless another one is named. */
export function claudeFolder({ home }: Pick<UserPlace, "home">): string {
  return join(home, String(transcriptFolders["claude-code"]));
}

/** The folders that are there in which an agent keeps what it did, also those in editors. */
export function historyFolders(place: UserPlace, agent: string): string[] {
  return [...ownFolders(place, agent), ...editorFolders(place, agent)];
}

function ownFolders({ home }: UserPlace, agent: string): string[] {
  const folder = transcriptFolders[agent];
  return folder === undefined ? [] : [join(home, folder)].filter((path) => existsSync(path));
}

/** Those of all agents but Claude Code. */
export function otherHistoryFolders(place: UserPlace): string[] {
  const agents = Object.keys(transcriptFolders).filter((agent) => agent !== "claude-code");
  return [...agents.flatMap((agent) => ownFolders(place, agent)), ...editorFolders(place)];
}

/** The command that imports what is in folders. */
export function importCommand(folders: readonly string[], place: UserPlace): string {
  const [folder = "", ...others] = folders;
  if (others.length > 0) return "memsvc replay import --all-agents";
  if (folder === claudeFolder(place)) return "memsvc replay import";
  const path = withTilde(folder, place.home);
  // In quotes a shell leaves the tilde to memsvc.
  return `memsvc replay import ${/[\s\\]/.test(path) ? `"${path}"` : path}`;
}
