import type { View } from "../../capture/sessions/view.ts";
import type { Plan } from "./durable-steps.ts";
import type { Run } from "./services.ts";

/**
 * Counts the facts and procedures that became weak, and hides the lessons and insights that decayed without
 * ever being confirmed.
 */
export function planDecay({ ground, services }: Run, view: View): Plan {
  const { retentionThreshold } = ground.settings;
  return async (tx) => {
    const lessons = await services.lessons.dropDecayed(tx, view);
    const insights = await services.insights.dropDecayed(tx, view);
    return {
      counts: {
        semantic: await services.facts.countDecayed(tx, view, retentionThreshold),
        procedural: await services.procedures.countDecayed(tx, view, retentionThreshold),
        lessons: lessons.length,
        insights: insights.length,
      },
      provider: "extractive",
      targetIds: [...lessons, ...insights],
    };
  };
}
