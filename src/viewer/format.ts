const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;

/** The units of relative times, with the time from which the next one is used. */
const units = [
  { unit: "min", length: minute, until: hour },
  { unit: "h", length: hour, until: day },
  { unit: "d", length: day, until: 60 * day },
  { unit: "months", length: 30.44 * day, until: 730 * day },
];
const longest = { unit: "years", length: 365.25 * day };

/** A relative time in words; also for times in the future. */
export function shownAgo(time: number, now: number): string {
  const apart = Math.abs(now - time);
  if (apart < 45 * second) return "just now";
  const { unit, length } = units.find(({ until }) => apart < until) ?? longest;
  const amount = `${Math.max(1, Math.round(apart / length))} ${unit}`;
  return time <= now ? `${amount} ago` : `in ${amount}`;
}

/** Example: `2026-03-01 12:05`, in the reader's time zone. */
export function shownMoment(time: number): string {
  const moment = new Date(time);
  const two = (part: number) => String(part).padStart(2, "0");
  const date = `${moment.getFullYear()}-${two(moment.getMonth() + 1)}-${two(moment.getDate())}`;
  return `${date} ${two(moment.getHours())}:${two(moment.getMinutes())}`;
}

export function shownDuration(seconds: number): string {
  if (seconds < 60) return `${Math.round(seconds)} s`;
  if (seconds < 3_600) return `${Math.round(seconds / 60)} min`;
  if (seconds < 86_400) return `${Math.round(seconds / 360) / 10} h`;
  return `${Math.round(seconds / 8_640) / 10} d`;
}

export function shownBytes(bytes: number): string {
  const units = ["B", "KiB", "MiB", "GiB", "TiB"];
  let [amount, at] = [bytes, 0];
  while (amount >= 1_024 && at < units.length - 1) [amount, at] = [amount / 1_024, at + 1];
  return `${amount < 10 && at > 0 ? Math.round(amount * 10) / 10 : Math.round(amount)} ${units[at]}`;
}

/** Example: `1,234`. */
export function shownNumber(value: number): string {
  return value.toLocaleString("en-US");
}

export function counted(count: number, one: string, many = `${one}s`): string {
  return `${shownNumber(count)} ${count === 1 ? one : many}`;
}

/** Example: `file_read` becomes `file read`. */
export function plain(name: string): string {
  return name.replaceAll("_", " ");
}

/** Who wrote a derived record: a model's provider, or rules. */
export function byWhom(provider: string): string {
  return provider === "extractive" ? "by rules" : `by ${provider}`;
}
