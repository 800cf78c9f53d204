import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { applicationData, type UserPlace } from "../../../paths/application-data.ts";

/*
 * Where agents that live in editors keep their histories: below the folder of the user's settings of each editor that
 * is made from VS Code, and of its server on a machine that it works on from afar.
 */

const editors = [
  ...["Code", "Code - Insiders", "VSCodium", "VSCodium - Insiders", "Cursor", "Windsurf", "Windsurf - Next"],
] as const;
const servers = [
  ...[".vscode-server", ".vscode-server-insiders", ".vscode-remote", ".vscodium-server"],
  ...[".cursor-server", ".windsurf-server"],
] as const;

/** Agents, and the extensions whose folders hold their tasks. */
const extensions: Readonly<Record<string, string>> = {
  cline: "saoudrizwan.claude-dev",
  "roo-code": "rooveterinaryinc.roo-cline",
  kilo: "kilocode.kilo-code",
};
/** The agent in whose extension's folder a path lies. */
export function extensionIn(path: string): string | undefined {
  const names = new Set(path.split(/[\\/]/));
  return Object.entries(extensions).find(([, extension]) => names.has(extension))?.[0];
}

const chats = "chatSessions";
const chatsWithoutFolder = "emptyWindowChatSessions";
/** Names in an editor's storage that lead to histories. */
const leading: ReadonlySet<string> = new Set([...Object.values(extensions), chatsWithoutFolder]);

/** The folders of users' settings in which an agent has a history; without an agent, any agent. */
export function editorFolders(place: UserPlace, agent?: string): string[] {
  const folders = [
    ...editors.map((editor) => join(applicationData(place), editor, "User")),
    ...servers.map((server) => join(place.home, server, "data", "User")),
  ];
  return folders.filter((folder) => {
    const agents = existsSync(folder) ? agentsIn(folder) : [];
    return agent === undefined ? agents.length > 0 : agents.includes(agent);
  });
}

function agentsIn(folder: string): string[] {
  const storage = join(folder, "globalStorage");
  const withTasks = Object.keys(extensions).filter((agent) =>
    existsSync(join(storage, String(extensions[agent]), "tasks")),
  );
  const isOfCursor = /[\\/]\.?Cursor\b[^\\/]*[\\/](?:data[\\/])?User$/i.test(folder);
  return [
    ...withTasks,
    ...(hasChats(folder) ? ["vscode"] : []),
    ...(isOfCursor && existsSync(join(storage, "state.vscdb")) ? ["cursor"] : []),
  ];
}

function hasChats(folder: string): boolean {
  if (existsSync(join(folder, "globalStorage", chatsWithoutFolder))) return true;
  const workspaces = join(folder, "workspaceStorage");
  return (
    existsSync(workspaces) &&
    readdirSync(workspaces).some((name) => existsSync(join(workspaces, name, chats)))
  );
}

/**
 * Whether a folder in another may lead to histories: the storage of an editor holds thousands of other files.
 * `beside`: what else is in the other folder, `above`: the names of the folders that it is in, the nearest first.
 */
export function mayLeadToHistory(
  name: string,
  above: readonly string[],
  beside: ReadonlySet<string>,
): boolean {
  const [folder = "", outer] = above;
  if (folder === "globalStorage") return leading.has(name);
  if (outer === "globalStorage" && folder !== chatsWithoutFolder && leading.has(folder))
    return name === "tasks";
  if (outer === "workspaceStorage") return name === chats;
  if (beside.has("globalStorage") && beside.has("workspaceStorage"))
    return name === "globalStorage" || name === "workspaceStorage" || name === "profiles";
  return true;
}
