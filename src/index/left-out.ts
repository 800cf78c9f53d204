import type { Ground } from "../ground.ts";
import { MemsvcError } from "../operation/errors.ts";
import { beforeTimeout } from "../time/before-timeout.ts";
import type { SearchStreams } from "./search-streams.ts";

/** Time limit of each part of a search; the search goes on without a part that is late. */
const shareMs: Readonly<Record<Part, number>> = {
  keyword: 1_000,
  lessons: 1_000,
  vector: 1_000,
  graph: 300,
  passages: 300,
};
/** Time limit of a part without which there is nothing to answer. */
const longestWaitMs = 5_000;

/** A stream, or the lessons, which are searched by their words beside the others. */
type Part = keyof SearchStreams | "lessons";

export type SearchGround = Pick<Ground, "log" | "monotonic">;

/** What a part of a search found; `left out` if it was late, or failed. */
export type PartOutcome<T> = { readonly answer: T } | "left out";

/**
 * Waits for a part of a search up to its time limit. If it is late, it is left out, and its result is dropped; unless
 * it `isIndispensable`, which is asked only then: a late answer is better than none. Errors: those of the work.
 */
export async function unlessLate<T>(
  stream: Part,
  work: Promise<T>,
  { log, monotonic }: SearchGround,
  isIndispensable: () => Promise<boolean> = async () => false,
): Promise<PartOutcome<T>> {
  const startedMs = monotonic();
  const inTime = await beforeTimeout(work, shareMs[stream], monotonic);
  const outcome =
    inTime === "late" && (await isIndispensable())
      ? await beforeTimeout(work, startedMs + longestWaitMs - monotonic(), monotonic)
      : inTime;
  if (outcome !== "late") return outcome;
  log("warn", "a stream of a search was late and left out", { stream, afterMs: monotonic() - startedMs });
  work.catch((error: unknown) =>
    log("warn", "a stream of a search failed after its time", { stream, error: String(error) }),
  );
  return "left out";
}

/** Like `unlessLate`, and leaves the part out if it fails, so that the search does not fail. */
export async function unlessLateOrFailed<T>(
  stream: Part,
  work: Promise<T>,
  ground: SearchGround,
): Promise<PartOutcome<T>> {
  const found = work.then(
    (answer): PartOutcome<T> => ({ answer }),
    (error: unknown): PartOutcome<T> => {
      ground.log("warn", "a stream of a search failed and was left out", { stream, error: String(error) });
      return "left out";
    },
  );
  const outcome = await unlessLate(stream, found, ground);
  return outcome === "left out" ? outcome : outcome.answer;
}

/**
 * Waits for what is searched by words alone. Errors: those of the work; unavailable if it is too late, because an
 * answer without hits would be untrue.
 */
export async function wordsInTime<T>(work: Promise<T>, ground: SearchGround): Promise<T> {
  const outcome = await unlessLate("keyword", work, ground, async () => true);
  if (outcome !== "left out") return outcome.answer;
  throw new MemsvcError("unavailable", "the words could not be searched in time", { hint: "search again" });
}
