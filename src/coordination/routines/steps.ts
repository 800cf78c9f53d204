import * as z from "zod";
import { Title } from "../../operation/fields.ts";
import { Description } from "../long-texts.ts";
import { ActionTemplate } from "./record.ts";

const mostSteps = 100;

const StepInput = z.object({
  order: z.number().int().optional().describe("number by which other steps name it (default: its position)"),
  title: Title.describe("what is to be done, in a line"),
  description: Description.default("").describe("longer description"),
  actionTemplate: ActionTemplate.default({}).describe(
    "what its action gets besides: title, description, priority, tags, assignedTo, metadata",
  ),
  dependsOn: z
    .array(z.number().int())
    .max(mostSteps)
    .default([])
    .describe("steps that must be finished first, by their order"),
});

type Step = z.output<typeof StepInput> & { readonly order: number };

interface Fault {
  readonly path: readonly (string | number)[];
  readonly message: string;
}

/** The steps of a routine, sorted by `order`: each with a unique order, and without cyclic dependencies. */
export const Steps = z
  .array(StepInput)
  .min(1)
  .max(mostSteps)
  .transform((given, context): Step[] => {
    const steps = given.map(({ order, ...step }, at) => ({ order: order ?? at + 1, ...step }));
    const faults = faultsOf(steps);
    for (const { path, message } of faults) context.addIssue({ code: "custom", message, path: [...path] });
    if (faults.length > 0) return z.NEVER;
    return steps
      .map((step) => ({ ...step, dependsOn: [...new Set(step.dependsOn)] }))
      .sort((a, b) => a.order - b.order);
  });

function faultsOf(steps: readonly Step[]): Fault[] {
  const orders = steps.map(({ order }) => order);
  const faults = steps.flatMap(({ order, dependsOn }, at): Fault[] => [
    ...(orders.indexOf(order) < at
      ? [{ path: [at, "order"], message: `another step has the order ${order} already` }]
      : []),
    ...dependsOn.flatMap((needed, place): Fault[] => {
      const path = [at, "dependsOn", place];
      if (needed === order) return [{ path, message: `step ${order} cannot depend on itself` }];
      return orders.includes(needed) ? [] : [{ path, message: `there is no step with the order ${needed}` }];
    }),
  ]);
  if (faults.length > 0) return faults;
  const circling = waitingInCircles(steps);
  if (circling.length === 0) return [];
  return [{ path: [], message: `these steps would wait for each other: ${circling.join(", ")}` }];
}

/** Steps in topological order: each after the steps that it depends on, else by `order`. */
export function topologicalOrder<One extends Pick<Step, "order" | "dependsOn">>(
  steps: readonly One[],
): One[] {
  const sorted: One[] = [];
  const done = new Set<number>();
  let waiting = [...steps];
  for (;;) {
    const ready = waiting.filter(({ dependsOn }) => dependsOn.every((order) => done.has(order)));
    if (ready.length === 0) return sorted;
    sorted.push(...ready);
    for (const { order } of ready) done.add(order);
    waiting = waiting.filter(({ order }) => !done.has(order));
  }
}

/** The orders of the steps that can never begin, because they depend on a cycle. */
function waitingInCircles(steps: readonly Step[]): number[] {
  const free = new Set(topologicalOrder(steps).map(({ order }) => order));
  return steps.map(({ order }) => order).filter((order) => !free.has(order));
}
