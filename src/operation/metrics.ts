/** Calls of one function since the process started. */
export interface FunctionMetric {
  readonly functionId: string;
  readonly totalCalls: number;
  readonly successCount: number;
  readonly failureCount: number;
  readonly avgLatencyMs: number;
}

interface Counter {
  calls: number;
  failures: number;
  totalMs: number;
}

/** Counts calls and how long they took. */
export class Metrics {
  readonly #counters = new Map<string, Counter>();

  record(functionId: string, elapsedMs: number, failed: boolean): void {
    const counter = this.#counters.get(functionId) ?? { calls: 0, failures: 0, totalMs: 0 };
    counter.calls += 1;
    counter.failures += failed ? 1 : 0;
    counter.totalMs += elapsedMs;
    this.#counters.set(functionId, counter);
  }

  list(): FunctionMetric[] {
    return [...this.#counters].map(([functionId, { calls, failures, totalMs }]) => ({
      functionId,
      totalCalls: calls,
      successCount: calls - failures,
      failureCount: failures,
      avgLatencyMs: Math.round((totalMs / calls) * 100) / 100,
    }));
  }
}
