import type { HeapInfo } from "node:v8";
import type { HealthSnapshot } from "./snapshot.ts";

/**
 * The memory of this process. Without /proc, as in some sandboxes, `process.memoryUsage()` fails; then the
 * numbers come from the heap statistics, and the process's peak stands for its present size.
 */
export function memoryUse(heap: HeapInfo): HealthSnapshot["memory"] {
  try {
    const { heapUsed, heapTotal, rss, external } = process.memoryUsage();
    return { heapUsed, heapTotal, rss, external };
  } catch {
    return {
      heapUsed: heap.used_heap_size,
      heapTotal: heap.total_heap_size,
      rss: process.resourceUsage().maxRSS * 1_024,
      external: heap.external_memory,
    };
  }
}
