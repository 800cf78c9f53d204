import type { Ground } from "../../ground.ts";
import type { SearchStreams } from "../../index/search-streams.ts";
import { beforeTimeout } from "../../time/before-timeout.ts";

/** Time limit of each part of a search; the search goes on without a part that is late. */
const shareMs: Readonly<Record<keyof SearchStreams, number>> = {
  keyword: 1_000,
  vector: 1_000,
  graph: 300,
  passages: 300,
};

export type SearchGround = Pick<Ground, "log" | "monotonic">;

/**
 * Waits for a part of a search up to its time limit. If it is late, it is left out, and its result is dropped. Errors:
 * those of the work.
 */
export async function unlessLate<T>(
  stream: keyof SearchStreams,
  work: Promise<T>,
  { log, monotonic }: SearchGround,
): Promise<T | undefined> {
  const outcome = await beforeTimeout(work, shareMs[stream], monotonic);
  if (outcome !== "late") return outcome.answer;
  log("warn", "a stream of a search was late and left out", { stream, shareMs: shareMs[stream] });
  work.catch((error: unknown) =>
    log("warn", "a stream of a search failed after its time", { stream, error: String(error) }),
  );
  return undefined;
}

/** Like `unlessLate`, and leaves the part out if it fails, so that the search does not fail. */
export function unlessLateOrFailed<T>(
  stream: keyof SearchStreams,
  work: Promise<T>,
  ground: SearchGround,
): Promise<T | undefined> {
  const found = work.catch((error: unknown) => {
    ground.log("warn", "a stream of a search failed and was left out", { stream, error: String(error) });
    return undefined;
  });
  return unlessLate(stream, found, ground);
}
