import type { Prompt } from "@modelcontextprotocol/sdk/types.js";

const prompts = [
  {
    name: "recall_context",
    title: "Recall context",
    description: "What is known about a task, to begin it with",
    arguments: [
      { name: "task_description", description: "what is to be done, in plain words", required: true },
    ],
  },
  {
    name: "session_handoff",
    title: "Hand a session over",
    description: "What a session did, decided and left open, for whoever goes on with it",
    arguments: [{ name: "session_id", description: "session that is handed over", required: true }],
  },
  {
    name: "detect_patterns",
    title: "Detect patterns",
    description: "What recurs in the sessions of a project, to be judged",
    arguments: [
      { name: "project", description: "project that is looked at; all of them without one", required: false },
    ],
  },
] as const satisfies readonly Prompt[];

export type PromptName = (typeof prompts)[number]["name"];

export function listPrompts(): Prompt[] {
  return prompts.map((prompt) => ({ ...prompt, arguments: [...prompt.arguments] }));
}
