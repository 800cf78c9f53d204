import type { Ground } from "../../ground.ts";
import { beforeTimeout } from "../../time/before-timeout.ts";

/**
 * Waits for a stream up to its time limit. A late stream is left out, and its result is dropped. Errors: those of the
 * work.
 */
export async function withTimeout<T>(
  name: string,
  shareMs: number,
  work: Promise<T>,
  { log, monotonic }: Pick<Ground, "log" | "monotonic">,
): Promise<T | undefined> {
  const outcome = await beforeTimeout(work, shareMs, monotonic);
  if (outcome !== "late") return outcome.answer;
  log("warn", "a stream of a search was late and left out", { stream: name, shareMs });
  work.catch((error: unknown) =>
    log("warn", "a stream of a search failed after its time", { stream: name, error: String(error) }),
  );
  return undefined;
}
