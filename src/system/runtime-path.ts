import { existsSync } from "node:fs";

/**
 * The path of the Node executable, stable across upgrades: Homebrew's real path contains the version and is deleted by
 * an upgrade, while the link below `opt` always leads to the installed version.
 */
export function runtimePath(program: string = process.execPath): string {
  const [, prefix, formula, within] = /^(.+)\/Cellar\/([^/]+)\/[^/]+\/(.+)$/u.exec(program) ?? [];
  const lasting = `${prefix}/opt/${formula}/${within}`;
  return prefix !== undefined && existsSync(lasting) ? lasting : program;
}
