import { percentile } from "../percentile.ts";

/** One thing that was measured. */
export interface Figure {
  readonly section: string;
  readonly name: string;
  readonly unit: "ms" | "µs" | "MiB" | "GiB/s" | "per s";
  /** Absent for the machine's own floors. */
  readonly target?: number;
  /** One value per round. */
  readonly rounds: readonly number[];
}

/** The best of the rounds: what makes a round slower than that is other load on the machine. */
export function best({ rounds, unit }: Figure): number {
  return unit === "per s" || unit === "GiB/s" ? Math.max(...rounds) : Math.min(...rounds);
}

export function median(values: readonly number[]): number {
  return percentile(values, 0.5);
}

/** Whether the figure meets its target; undefined without a target. */
export function isMet(figure: Figure): boolean | undefined {
  if (figure.target === undefined) return undefined;
  return figure.unit === "per s" ? best(figure) >= figure.target : best(figure) <= figure.target;
}

/** The figures as a table for a terminal. */
export function tableOf(figures: readonly Figure[]): string {
  const head = ["figure", "target", "best", "median", "unit", ""];
  const rows = figures.map((figure) => [
    `${figure.section}: ${figure.name}`,
    figure.target === undefined ? "" : `${figure.unit === "per s" ? "≥" : "≤"} ${figure.target}`,
    rounded(best(figure)),
    rounded(median(figure.rounds)),
    figure.unit,
    { true: "met", false: "MISSED", undefined: "" }[String(isMet(figure)) as "true" | "false" | "undefined"],
  ]);
  const widths = head.map((_, column) => Math.max(...[head, ...rows].map((row) => row[column]?.length ?? 0)));
  return [head, ...rows]
    .map((row) =>
      row
        .map((cell, column) =>
          column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0),
        )
        .join("  ")
        .trimEnd(),
    )
    .join("\n");
}

export function rounded(value: number): string {
  return value >= 100 ? value.toFixed(0) : value >= 10 ? value.toFixed(1) : value.toFixed(2);
}
