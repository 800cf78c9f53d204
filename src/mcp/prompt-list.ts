import type { Prompt } from "@modelcontextprotocol/sdk/types.js";

const prompts = [
  {
    name: "recall_context",
    title: "Recall context",
    description: "What is known about a task, to start it with",
    arguments: [
      { name: "task_description", description: "what is to be done, in plain words", required: true },
    ],
  },
  {
    name: "session_handoff",
    title: "Hand a session over",
    description: "What a session did, decided and left open, for whoever continues it",
    arguments: [{ name: "session_id", description: "session that is handed over", required: true }],
  },
  {
    name: "detect_patterns",
    title: "Detect patterns",
    description: "Recurring patterns in the sessions of a project, for review",
    arguments: [{ name: "project", description: "project to look at (default: all)", required: false }],
  },
] as const satisfies readonly Prompt[];

export type PromptName = (typeof prompts)[number]["name"];

export function listPrompts(): Prompt[] {
  return prompts.map((prompt) => ({ ...prompt, arguments: [...prompt.arguments] }));
}
