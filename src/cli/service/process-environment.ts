import { readFileSync } from "node:fs";

/**
 * The environment of a process, on systems that show it; otherwise empty. A service does not have the environment of
 * the user's shell, but that of its manager plus what its unit adds.
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
