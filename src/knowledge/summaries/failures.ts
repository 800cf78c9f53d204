import { isNoProblem } from "../../capture/observations/outputs/refusals.ts";
import type { SessionObservation } from "../../capture/observations/reads/read-session.ts";
import { failuresLeft } from "./overcome.ts";

/** The failures of a session, each distinct one as it was last seen. */
interface Failures {
  /** How many there were, repetitions included. */
  readonly count: number;
  /** Titles of those that no success followed, the newest first. */
  readonly left: readonly string[];
  /** Titles of the others, in the order of time. */
  readonly overcome: readonly string[];
}

/** Finds the failures among the observations of a session, which are given in the order of time. */
export function failuresIn(observations: readonly SessionObservation[]): Failures {
  const errors = observations.filter(({ type, title }) => type === "error" && !isNoProblem(title));
  const byTitle = new Map(errors.map((error) => [error.title, error]));
  const latest = errors.filter((error) => byTitle.get(error.title) === error);
  const left = failuresLeft(observations, latest);
  const titlesOf = (failures: readonly SessionObservation[]) => failures.map(({ title }) => title);
  return {
    count: errors.length,
    left: titlesOf(latest.filter((error) => left.has(error)).reverse()),
    overcome: titlesOf(latest.filter((error) => !left.has(error))),
  };
}
