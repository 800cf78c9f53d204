import { existsSync } from "node:fs";

/**
 * The runtime's own program, by a path that outlives its next version: what Homebrew has installed lies in a folder of that
 * version, which goes with the upgrade, and a link below `opt` leads to whichever is there.
 */
export function runtimePath(program: string = process.execPath): string {
  const [, prefix, formula, within] = /^(.+)\/Cellar\/([^/]+)\/[^/]+\/(.+)$/u.exec(program) ?? [];
  const lasting = `${prefix}/opt/${formula}/${within}`;
  return prefix !== undefined && existsSync(lasting) ? lasting : program;
}
