import type { Reply, SeenRequest } from "./model-server.ts";

/** A model's answers to the questions of consolidation, by the beginning of the question's instructions. */
export const sampleAnswers = {
  "You summarise": {
    title: "A day of work",
    narrative: "The store was moved to libSQL and the tests were run, all of which passed in the end.",
    keyDecisions: ["Keep sessions in libSQL"],
    filesModified: [],
    concepts: ["libsql"],
  },
  "You draw lasting facts": {
    facts: [
      { fact: "Sessions are stored in libSQL", confidence: 0.9, sessions: [1, 2, 99] },
      { fact: "Nobody ever said so", confidence: 0.9, sessions: [42] },
      { fact: "  ", confidence: 0.9, sessions: [1] },
      { fact: "No session bears it out", confidence: 0, sessions: [1] },
    ],
  },
  "You describe the recurring": {
    procedures: [
      {
        name: "Check a change",
        steps: ["npm install", "npm test"],
        trigger: "before a commit",
        patterns: [1],
      },
      { name: "Guess", steps: ["dream"], trigger: "never", patterns: [7] },
    ],
  },
  "You find what several": {
    insights: [
      { title: "Time-outs rule", content: "Every mail problem begins with a time-out", confidence: 1.7 },
      { title: "Nothing rules", content: "No statement bears it out", confidence: 0 },
    ],
  },
  "You distil one lasting memory": {
    type: "architecture",
    title: "Sessions live in libSQL",
    content: "Sessions are kept in libSQL, because the queue needs transactions over both.",
    concepts: ["Storage"],
    files: ["/etc/made-up"],
  },
} as const;

/** Answers every question of consolidation as a helpful model would. */
export function helpful({
  instructions,
}: Pick<SeenRequest, "instructions">): Reply & { readonly kind: "json" } {
  const found = Object.entries(sampleAnswers).find(([beginning]) => instructions.startsWith(beginning));
  if (found === undefined) throw new Error(`nothing to say to: ${instructions}`);
  return { kind: "json", value: found[1] };
}
