import type { Terminal } from "../terminal/terminal.ts";

/** A number with its noun: `1 memory`, `3 memories`. */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}

export interface Page {
  readonly total: number;
  readonly offset: number;
}

/** A line with the number of rows after the shown ones and how to see them; empty if there are none. */
export function moreAfter(page: Page, shown: readonly unknown[], paint: Terminal["paint"]): string[] {
  const rest = restAfter(page, shown);
  return rest > 0 ? [paint.dim(`… ${rest} more: --offset ${page.offset + shown.length}`)] : [];
}

/** The number of rows after the shown ones. */
export function restAfter({ total, offset }: Page, shown: readonly unknown[]): number {
  return total - offset - shown.length;
}

/** A size in readable form: `216 KiB`, `3.4 MiB`. */
export function shownBytes(bytes: number): string {
  if (bytes < 1_048_576) return `${Math.ceil(bytes / 1_024)} KiB`;
  if (bytes < 1_073_741_824) return `${(bytes / 1_048_576).toFixed(1)} MiB`;
  return `${(bytes / 1_073_741_824).toFixed(1)} GiB`;
}

const units = [
  [86_400, "d"],
  [3_600, "h"],
  [60, "min"],
] as const;

/** A duration in its largest unit: `45 s`, `3 h`. */
export function shownDuration(seconds: number): string {
  const [size, unit] = units.find(([length]) => seconds >= length) ?? ([1, "s"] as const);
  return `${Math.floor(seconds / size)} ${unit}`;
}
