import { existsSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { MemsvcError } from "../../operation/errors.ts";
import { fileSize } from "../../paths/file-size.ts";
import { inodeOf } from "../../paths/inode.ts";
import { readRange } from "../../paths/read-range.ts";
import type { CommandContext } from "../command.ts";
import { printable } from "../render/text.ts";
import { logText } from "./log-text.ts";

const lookMs = 300;
const pieceBytes = 64 * 1024;

interface LogView {
  /** How many existing lines to print. */
  readonly lines: number;
  readonly follows: boolean;
}

/** Prints the last lines of a log of JSON lines, and with `follows` what is appended, until it is interrupted. */
export async function showLog(context: CommandContext, path: string, view: LogView): Promise<number> {
  if (!Number.isInteger(view.lines) || view.lines < 0)
    throw new MemsvcError("invalid_input", "--lines must be a whole number from 0");
  if (!existsSync(path) && !view.follows) {
    context.terminal.say(`there is no log yet: ${path}`);
    return 0;
  }
  let shown = fileSize(path);
  for (const line of lastOfLog(path, view.lines, shown)) printLine(context, line);
  let rest = "";
  let file = inodeOf(path);
  const show = (bytes: string) => {
    const lines = (rest + bytes).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) printLine(context, line);
  };
  // stdout stops being writable when its reader has closed it.
  while (view.follows && process.stdout.writable) {
    await sleep(lookMs);
    const now = inodeOf(path);
    if (now !== file) {
      // The log was rotated; its last lines are in the file that was moved away.
      const moved = `${path}.1`;
      if (file !== undefined && inodeOf(moved) === file) show(textOf(moved, shown, fileSize(moved)));
      file = now;
      shown = 0;
      rest = "";
    }
    const size = fileSize(path);
    // Somebody emptied it.
    if (size < shown) shown = 0;
    if (size > shown) show(textOf(path, shown, size));
    shown = size;
  }
  return 0;
}

/** The last lines of a log of which so much is shown, also those in files that were moved away when they were full. */
function lastOfLog(path: string, count: number, shown: number): string[] {
  let lines = lastLines(path, count, shown);
  for (let age = 1; lines.length < count; age += 1) {
    const moved = `${path}.${age}`;
    const size = fileSize(moved);
    if (size === 0) break;
    lines = [...lastLines(moved, count - lines.length, size), ...lines];
  }
  return lines;
}

/** The last lines of a file of the given size, read from its end. */
function lastLines(path: string, count: number, size: number): string[] {
  let text = "";
  for (let end = size; end > 0 && text.split("\n").length <= count + 1; end -= pieceBytes)
    text = textOf(path, Math.max(0, end - pieceBytes), end) + text;
  const lines = text.split("\n").filter((line) => line !== "");
  return count === 0 ? [] : lines.slice(-count);
}

/** A character for each byte, so that no character of several bytes is split. */
function textOf(path: string, from: number, to: number): string {
  return readRange(path, from, to).toString("latin1");
}

function printLine({ terminal, globals }: CommandContext, bytes: string): void {
  const line = Buffer.from(bytes, "latin1").toString("utf8");
  terminal.print(globals.json ? line : readable(line, terminal.paint));
}

function readable(line: string, paint: CommandContext["terminal"]["paint"]): string {
  try {
    const { time, level, ...entry } = JSON.parse(line) as Record<string, unknown>;
    const said = `${printable(String(level)).padEnd(5)} ${logText(entry)}`;
    const colour = level === "error" ? paint.red : level === "warn" ? paint.yellow : (text: string) => text;
    return `${paint.dim(String(time))} ${colour(said)}`;
  } catch {
    // An incomplete line, from a crash of the machine.
    return printable(line);
  }
}
