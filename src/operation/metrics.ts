import { roundTo } from "../round-to.ts";
import { monotonicMs } from "../time/monotonic-ms.ts";

/** Calls of one function since the process started. */
interface FunctionMetric {
  readonly functionId: string;
  readonly totalCalls: number;
  readonly successCount: number;
  readonly failureCount: number;
  readonly avgLatencyMs: number;
  /** 0 to 100; for functions that score their output. */
  readonly avgQualityScore?: number;
}

interface Counter {
  calls: number;
  failures: number;
  totalMs: number;
  scored: number;
  totalScore: number;
}

/** How the end of a call counts. */
interface Verdict<T> {
  /** Whether an error is a failure of the function; every one is unless given. */
  readonly isFailure?: (error: unknown) => boolean;
  readonly scoreOf?: (result: T) => number | undefined;
}

/** Counts calls per function, and their duration. */
export class Metrics {
  readonly #counters = new Map<string, Counter>();

  record(functionId: string, elapsedMs: number, failed: boolean, qualityScore?: number): void {
    const counter = this.#counters.get(functionId) ?? {
      calls: 0,
      failures: 0,
      totalMs: 0,
      scored: 0,
      totalScore: 0,
    };
    counter.calls += 1;
    counter.failures += failed ? 1 : 0;
    counter.totalMs += elapsedMs;
    if (qualityScore !== undefined) {
      counter.scored += 1;
      counter.totalScore += qualityScore;
    }
    this.#counters.set(functionId, counter);
  }

  /** Counts a work as a call of a function, with how long it took and how it ended. Errors: those of the work. */
  async timed<T>(
    functionId: string,
    work: () => Promise<T>,
    { isFailure = () => true, scoreOf }: Verdict<T> = {},
  ): Promise<T> {
    const startedAt = monotonicMs();
    const count = (failed: boolean, score?: number) =>
      this.record(functionId, monotonicMs() - startedAt, failed, score);
    try {
      const result = await work();
      count(false, scoreOf?.(result));
      return result;
    } catch (error) {
      count(isFailure(error));
      throw error;
    }
  }

  list(): FunctionMetric[] {
    return [...this.#counters].map(([functionId, { calls, failures, totalMs, scored, totalScore }]) => ({
      functionId,
      totalCalls: calls,
      successCount: calls - failures,
      failureCount: failures,
      avgLatencyMs: roundTo(totalMs / calls, 2),
      ...(scored === 0 ? {} : { avgQualityScore: roundTo(totalScore / scored, 2) }),
    }));
  }
}
