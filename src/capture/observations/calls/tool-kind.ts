// The first match wins: the tool's name, in lower case, contains one of the words. From the contract on
// types.
const toolKinds = [
  { type: "web_fetch", words: ["fetch", "http", "web", "browser"] },
  { type: "search", words: ["grep", "search", "glob", "find"] },
  { type: "command_run", words: ["bash", "shell", "exec", "run", "terminal", "command"] },
  { type: "file_edit", words: ["edit", "update", "patch", "replace"] },
  { type: "file_write", words: ["write", "create"] },
  { type: "file_read", words: ["read", "view", "open", "cat"] },
  { type: "subagent", words: ["task", "agent"] },
] as const;

type ToolKind = (typeof toolKinds)[number]["type"];

/** What a tool does, by its name; undefined for a name that does not show it. */
export function toolKind(toolName: string): ToolKind | undefined {
  const name = toolName.toLowerCase();
  return toolKinds.find(({ words }) => words.some((word) => name.includes(word)))?.type;
}

const fileChanges: readonly string[] = ["file_edit", "file_write"];

/** SQL condition: the observation is a change of files. */
export const isFileChangeSql = `type IN (${fileChanges.map((type) => `'${type}'`).join(", ")})`;

/** Whether an observation is a change of files. */
export function isFileChange({ type }: { readonly type: string }): boolean {
  return fileChanges.includes(type);
}

const looks: readonly string[] = ["file_read", "search", "web_fetch"];

/** Whether an observation is a look at something, which changes nothing. */
export function isLook({ type }: { readonly type: string }): boolean {
  return looks.includes(type);
}

/** The tool name for a whole exchange: its input is the user's text, its output the assistant's. */
export function isConversationTool(toolName: string | undefined): boolean {
  return toolName?.toLowerCase() === "conversation";
}
