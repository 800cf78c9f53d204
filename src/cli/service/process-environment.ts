import { readFileSync } from "node:fs";

/**
 * What a process was started with, where the system shows it; else nothing. A service has another environment than
 * the shell that asks for it: that of its manager, and what was added to its unit.
 */
export function processEnvironment(pid: number): NodeJS.ProcessEnv {
  let text: string;
  try {
    text = readFileSync(`/proc/${pid}/environ`, "utf8");
  } catch {
    // Not Linux.
    return {};
  }
  const entries = text.split("\0").map((line) => {
    const [name = "", ...value] = line.split("=");
    return [name, value.join("=")];
  });
  return Object.fromEntries(entries.filter(([name]) => name !== ""));
}
