import { dayMs, hourMs, minuteMs } from "../../time/durations.ts";

const steps: readonly (readonly [number, string])[] = [
  [minuteMs, "min"],
  [hourMs, "h"],
  [dayMs, "d"],
];

/** A relative time such as `3 h ago`, or the date if it is more than a month ago. */
export function ago(iso: string, now = Date.now()): string {
  const age = now - Date.parse(iso);
  if (Number.isNaN(age)) return iso;
  if (Math.abs(age) < minuteMs) return "just now";
  if (Math.abs(age) > 30 * dayMs) return localTime(iso).slice(0, 10);
  const [size, unit] = steps.findLast(([step]) => Math.abs(age) >= step) ?? [minuteMs, "min"];
  const count = Math.floor(Math.abs(age) / size);
  return age > 0 ? `${count} ${unit} ago` : `in ${count} ${unit}`;
}

/** A time in the local time zone: `2026-03-01 17:04:59`. */
function localTime(iso: string): string {
  const time = new Date(iso);
  const [month, day, ...clock] = [
    time.getMonth() + 1,
    time.getDate(),
    time.getHours(),
    time.getMinutes(),
    time.getSeconds(),
  ].map((part) => String(part).padStart(2, "0"));
  return `${String(time.getFullYear()).padStart(4, "0")}-${month}-${day} ${clock.join(":")}`;
}

/** An exact time: local for people, ISO for programs. */
export function shownMoment(iso: string, forPeople: boolean): string {
  return forPeople ? localTime(iso) : iso;
}

/** A time: relative for people, ISO for programs. */
export function shownTime(iso: string, forPeople: boolean): string {
  return forPeople ? ago(iso) : iso;
}
