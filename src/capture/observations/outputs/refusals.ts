/** Agents report a call that the user refused as a failure of the tool. */
const refusal =
  / failed: (?:The user doesn['’]t want to (?:proceed with|take) this|\[Request interrupted by user|User (?:rejected|denied|declined) |Tool "[^"]{1,200}" was not run because |(?:Command|Request|Tool execution) cancelled by user)/i;

/** Whether an error (by its title) is a call that the user refused: nothing went wrong. */
export function isRefusal(title: string): boolean {
  return refusal.test(title);
}

/** Answers of agents' own tools to wrong calls, which say nothing about the project. */
const slips = [
  // Claude Code
  "File does not exist",
  "File has not been read yet",
  "File has been (?:unexpectedly )?modified",
  "String to replace not found",
  "Found \\d+ matches of the string",
  "No changes to make",
  "InputValidationError",
  "No such tool available",
  "EISDIR: ",
  "(?:Sibling|Cancelled: parallel) tool call",
  // Gemini CLI
  "Failed to edit, expected 1 occurrence",
  "File not found\\. Cannot apply edit",
  // Qwen Code
  "Failed to edit(?:, 0 occurrences found|\\. Found \\d+ occurrences) for old_string",
  "No changes to apply\\. The ",
  "File \\S.* has (?:not been read in this session|been modified since you last read it)",
  "(?<=^read_file failed: )File not found: ",
  // OpenCode
  "Could not find oldString in the file",
  "Found multiple matches for oldString",
  "oldString and newString are ",
  "Model tried to call unavailable tool ",
  "The \\w+ tool was called with invalid arguments: ",
  "(?<=^read failed: )File not found: ",
  // Kimi Code
  "old_string (?:not found|is not unique) in ",
  "(?<=^edit failed: )read failed: path does not exist",
  '(?<=^read failed: )"[^"]*" does not exist\\.',
  // Copilot CLI
  "Tool '[^']{1,200}' does not exist\\.",
  // Cline
  "Editor operation failed: No replacement performed: ",
  "(?<=^(?:editor|read_files|search_codebase|fetch_web_content|spawn_agent) failed: )✖ ",
  "(?<=^read_files failed: )Error reading file: (?:ENOENT|Path is not a file)",
  // Droid
  "The text to replace was not found in the file",
  "Found \\d+ occurrences of the specified text",
  '(?<=^read failed: )Path "[^"]*" is a directory',
  "(?<=^(?:create|edit|read) failed: )\\w+ is required",
  "\\w+ call rejected: missing required parameters",
  "Not found: \\w+\\. Only request exact tool names",
  "(?<=^read failed: )Error reading file: ENOENT",
  // Codex
  "apply_patch verification failed",
];
const slip = new RegExp(` failed: (?:${slips.join("|")})`, "i");

/** Whether an error (by its title) is a wrong call of the agent, and no problem of the project. */
function isToolSlip(title: string): boolean {
  return slip.test(title);
}

/** Whether the title of an error tells of a refusal or a wrong call of the agent, and so of no problem in the work. */
export function isNoProblem(title: string): boolean {
  return isRefusal(title) || isToolSlip(title);
}

/** The same for the text of an error. */
export function tellsNoProblem(errorLine: string): boolean {
  return isNoProblem(`Tool failed: ${errorLine}`);
}
