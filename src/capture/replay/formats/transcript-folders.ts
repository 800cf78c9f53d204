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

/** The command that imports the transcripts of agents. */
export function importCommand(agents: readonly string[]): string {
  const [agent = "", ...others] = agents;
  if (others.length > 0) return "memsvc replay import --all-agents";
  return agent === "claude-code"
    ? "memsvc replay import"
    : `memsvc replay import ~/${transcriptFolders[agent]}`;
}
