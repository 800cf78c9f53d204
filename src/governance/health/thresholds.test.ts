import { describe, expect, test } from "vitest";
import { judge, type Measures } from "./thresholds.ts";

const mebibyte = 1_048_576;
const fine: Measures = {
  lagMs: 1,
  cpuPercent: 5,
  heapShare: 0.3,
  rssBytes: 100 * mebibyte,
  probeMs: 1,
  freeDiskBytes: 50_000 * mebibyte,
};

function verdict(...samples: Partial<Measures>[]) {
  return judge(samples.map((sample) => ({ ...fine, ...sample })));
}

test("the status is healthy without samples and with good samples", () => {
  const healthy = { status: "healthy", alerts: [], notes: [] };
  expect(judge([])).toEqual(healthy);
  expect(verdict({})).toEqual(healthy);
});

describe("event-loop lag", () => {
  test("counts only if it is high in two consecutive samples", () => {
    expect(verdict({ lagMs: 101 }).status).toBe("healthy");
    expect(verdict({ lagMs: 101 }, {}, { lagMs: 101 }).status).toBe("healthy");
    expect(verdict({ lagMs: 101 }, { lagMs: 120.4 })).toMatchObject({
      status: "degraded",
      alerts: ["event_loop_lag_warn_120ms"],
    });
    expect(verdict({ lagMs: 100 }, { lagMs: 100 }).status).toBe("healthy");
    expect(verdict({ lagMs: 501 }, { lagMs: 612 })).toMatchObject({
      status: "critical",
      alerts: ["event_loop_lag_critical_612ms"],
    });
    expect(verdict({ lagMs: 500 }, { lagMs: 612 }).status).toBe("degraded");
  });
});

describe("processor load", () => {
  test("is a warning after two high samples and critical after four", () => {
    const busy = { cpuPercent: 95 };
    expect(verdict(busy).status).toBe("healthy");
    expect(verdict({ cpuPercent: 81 }, { cpuPercent: 85 })).toMatchObject({
      status: "degraded",
      alerts: ["cpu_warn_85%"],
    });
    expect(verdict({ cpuPercent: 80 }, busy).status).toBe("healthy");
    expect(verdict(busy, busy, busy).status).toBe("degraded");
    expect(verdict(busy, busy, busy, busy)).toMatchObject({
      status: "critical",
      alerts: ["cpu_critical_95%"],
    });
    expect(verdict(busy, { cpuPercent: 90 }, busy, busy).status).toBe("degraded");
  });
});

describe("heap use", () => {
  const large = 512 * mebibyte;
  test("counts only in a large process, and is a note in a small one", () => {
    expect(verdict({ heapShare: 0.99, rssBytes: large - 1 })).toEqual({
      status: "healthy",
      alerts: [],
      notes: ["heap_warn_99%"],
    });
    expect(verdict({ heapShare: 0.81, rssBytes: large })).toMatchObject({
      status: "degraded",
      alerts: ["heap_warn_81%"],
    });
    expect(verdict({ heapShare: 0.96, rssBytes: large })).toMatchObject({
      status: "critical",
      alerts: ["heap_critical_96%"],
    });
    expect(verdict({ heapShare: 0.8, rssBytes: large }).status).toBe("healthy");
    expect(verdict({ heapShare: 0.95, rssBytes: large }).status).toBe("degraded");
  });
});

test.each([
  ["a probe of 250 ms", { probeMs: 250 }, "healthy", []],
  ["a probe of 251 ms", { probeMs: 251 }, "degraded", ["database_probe_warn_251ms"]],
  ["a probe of 5 s", { probeMs: 5_000 }, "degraded", ["database_probe_warn_5000ms"]],
  ["a probe of more than 5 s", { probeMs: 5_001 }, "critical", ["database_probe_critical_5001ms"]],
  ["a probe that failed", { probeMs: undefined }, "critical", ["database_probe_failed"]],
  ["1 GiB of free disk", { freeDiskBytes: 1_024 * mebibyte }, "healthy", []],
  [
    "less than 1 GiB of free disk",
    { freeDiskBytes: 1_024 * mebibyte - 1 },
    "degraded",
    ["disk_warn_1023MiB"],
  ],
  ["100 MiB of free disk", { freeDiskBytes: 100 * mebibyte }, "degraded", ["disk_warn_100MiB"]],
  [
    "less than 100 MiB of free disk",
    { freeDiskBytes: 100 * mebibyte - 1 },
    "critical",
    ["disk_critical_99MiB"],
  ],
])("%s is judged from one sample", (_name, sample, status, alerts) => {
  expect(verdict(sample)).toEqual({ status, alerts, notes: [] });
});

test("the worst finding decides the status, and all findings are listed", () => {
  const { status, alerts } = verdict({}, { probeMs: 300, freeDiskBytes: 0 });
  expect([status, alerts]).toEqual(["critical", ["database_probe_warn_300ms", "disk_critical_0MiB"]]);
});
