import type { HealthStatus } from "./snapshot.ts";

const mebibyte = 1_048_576;

/** The measures of one sample. */
export interface Measures {
  readonly lagMs: number;
  readonly cpuPercent: number;
  readonly heapShare: number;
  readonly rssBytes: number;
  /** Undefined when the probe failed. */
  readonly probeMs: number | undefined;
  readonly freeDiskBytes: number;
}

interface Verdict {
  readonly status: HealthStatus;
  readonly alerts: string[];
  readonly notes: string[];
}

interface Finding {
  readonly level: "note" | "warn" | "critical";
  readonly text: string;
}

/**
 * Judges the newest sample, together with as many earlier ones (newest last) as a threshold needs.
 * `furtherAlerts` come from elsewhere and count as warnings.
 */
export function judge(history: readonly Measures[], furtherAlerts: readonly string[] = []): Verdict {
  const latest = history.at(-1);
  if (latest === undefined) return { status: "healthy", alerts: [], notes: [] };
  const findings = [
    lag(history, latest),
    cpu(history, latest),
    heap(latest),
    probe(latest),
    disk(latest),
    ...furtherAlerts.map((text): Finding => ({ level: "warn", text })),
  ].filter((finding) => finding !== undefined);
  const alerts = findings.filter(({ level }) => level !== "note");
  const isCritical = alerts.some(({ level }) => level === "critical");
  return {
    status: isCritical ? "critical" : alerts.length > 0 ? "degraded" : "healthy",
    alerts: alerts.map(({ text }) => text),
    notes: findings.filter(({ level }) => level === "note").map(({ text }) => text),
  };
}

function lastAll(
  history: readonly Measures[],
  count: number,
  holds: (measures: Measures) => boolean,
): boolean {
  return history.length >= count && history.slice(-count).every(holds);
}

function lag(history: readonly Measures[], { lagMs }: Measures): Finding | undefined {
  const ms = Math.round(lagMs);
  if (lastAll(history, 2, (sample) => sample.lagMs > 500))
    return { level: "critical", text: `event_loop_lag_critical_${ms}ms` };
  if (lastAll(history, 2, (sample) => sample.lagMs > 100))
    return { level: "warn", text: `event_loop_lag_warn_${ms}ms` };
  return undefined;
}

function cpu(history: readonly Measures[], { cpuPercent }: Measures): Finding | undefined {
  const percent = Math.round(cpuPercent);
  if (lastAll(history, 4, (sample) => sample.cpuPercent > 90))
    return { level: "critical", text: `cpu_critical_${percent}%` };
  if (lastAll(history, 2, (sample) => sample.cpuPercent > 80))
    return { level: "warn", text: `cpu_warn_${percent}%` };
  return undefined;
}

function heap({ heapShare, rssBytes }: Measures): Finding | undefined {
  const percent = Math.round(100 * heapShare);
  const isLarge = rssBytes >= 512 * mebibyte;
  if (heapShare > 0.95 && isLarge) return { level: "critical", text: `heap_critical_${percent}%` };
  if (heapShare > 0.8) return { level: isLarge ? "warn" : "note", text: `heap_warn_${percent}%` };
  return undefined;
}

function probe({ probeMs }: Measures): Finding | undefined {
  if (probeMs === undefined) return { level: "critical", text: "database_probe_failed" };
  if (probeMs > 5_000) return { level: "critical", text: `database_probe_critical_${Math.round(probeMs)}ms` };
  if (probeMs > 250) return { level: "warn", text: `database_probe_warn_${Math.round(probeMs)}ms` };
  return undefined;
}

function disk({ freeDiskBytes }: Measures): Finding | undefined {
  const mib = Math.floor(freeDiskBytes / mebibyte);
  if (mib < 100) return { level: "critical", text: `disk_critical_${mib}MiB` };
  if (mib < 1_024) return { level: "warn", text: `disk_warn_${mib}MiB` };
  return undefined;
}
