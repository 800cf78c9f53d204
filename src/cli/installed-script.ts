import { join } from "node:path";
import { realPathIfExists } from "../paths/real-path-if-exists.ts";
import { packageFolder } from "../store/migrations.ts";

/**
 * The script of this installation, by a path that is stable across upgrades: pnpm keeps each version in a folder of its
 * own, and a link in `node_modules` always leads to the installed one.
 */
export function installedScript(started: string | undefined = process.argv[1]): string {
  const script = join(packageFolder(), "dist", "main.cjs");
  return (
    [script, started ?? ""]
      .map((path) => path.replace(/([\\/])\.pnpm\1[^\\/]+\1(?=node_modules\1)/u, "$1"))
      .find((path) => path !== script && isLinkTo(script, path)) ?? script
  );
}

function isLinkTo(script: string, path: string): boolean {
  if (!/[\\/]node_modules[\\/]memsvc[\\/]dist[\\/]main\.cjs$/u.test(path)) return false;
  const real = realPathIfExists(path);
  return real !== undefined && real === realPathIfExists(script);
}
