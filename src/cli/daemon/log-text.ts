import { oneLine, printable } from "../render/text.ts";

type Entry = Readonly<Record<string, unknown>>;

/** A message of the log and what belongs to it, each as `name=value`. */
export function logText({ message, ...fields }: Entry): string {
  const more = Object.entries(fields).map(([name, value]) => ` ${name}=${JSON.stringify(value)}`);
  return printable(`${String(message)}${more.join("")}`);
}

/** The same on one line, for whoever runs the daemon in a terminal: stack traces are left to the log. */
export function complaintText(entry: Entry): string {
  const brief = Object.entries(entry).map(([name, value]) => [
    name,
    name === "message" ? value : firstLine(value),
  ]);
  return oneLine(logText(Object.fromEntries(brief)), Number.POSITIVE_INFINITY);
}

function firstLine(value: unknown): unknown {
  return typeof value === "string" ? value.split("\n", 1)[0] : value;
}
