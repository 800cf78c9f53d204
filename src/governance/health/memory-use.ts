import type { HeapInfo } from "node:v8";
import type { HealthSnapshot } from "./snapshot.ts";

/**
 * What this process holds in memory. Without /proc, as in a sandbox, the system does not say it, and the runtime none of
 * it: then the heap tells of itself, and the most that the process ever held stands for what it holds.
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
