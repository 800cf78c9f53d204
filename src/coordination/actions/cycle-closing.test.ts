import fc from "fast-check";
import { expect, test } from "vitest";
import { processorTimer } from "../../../test/support/processor-time.ts";
import { cycleClosing } from "./cycle-closing.ts";

interface Requirement {
  readonly source: string;
  readonly target: string;
}

/** The expected result, found by searching all kept requirements for each one. */
function closingByLooking(requirements: readonly Requirement[]): Requirement[] {
  const kept: Requirement[] = [];
  return requirements.filter((one) => {
    const reached = new Set([one.target]);
    for (const id of reached) for (const { source, target } of kept) if (source === id) reached.add(target);
    if (reached.has(one.source)) return true;
    kept.push(one);
    return false;
  });
}

test("returns exactly the requirements that close a cycle with earlier ones", () => {
  const action = fc.integer({ min: 0, max: 9 }).map(String);
  const requirement = fc.record({ source: action, target: action });
  fc.assert(
    fc.property(fc.array(requirement, { maxLength: 40 }), (requirements) => {
      expect(cycleClosing(requirements)).toEqual(closingByLooking(requirements));
    }),
    { numRuns: 2_000 },
  );
});

const many = 10_000;

test.each<[string, (at: number) => [number, number]]>([
  ["one cycle from its end", (at) => [many - 1 - at, (many - at) % many]],
  ["one cycle from both ends", (at) => (at % 2 === 0 ? [at / 2, at / 2 + 1] : oneBack((at - 1) / 2))],
  ["a chain with edges back", (at) => (at < many / 2 ? [at, at + 1] : [at - many / 2 + 1, (at * 7) % 99])],
])("checks ten thousand requirements of %s within three seconds", (_shape, ends) => {
  const requirements = Array.from({ length: many }, (_, at) => {
    const [source, target] = ends(at);
    return { source: String(source), target: String(target) };
  });
  const elapsedMs = processorTimer();
  expect(cycleClosing(requirements).length).toBeGreaterThan(0);
  expect(elapsedMs()).toBeLessThan(3_000);
});

function oneBack(at: number): [number, number] {
  return [many - 1 - at, (many - at) % many];
}
