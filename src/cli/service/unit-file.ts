import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { packageFolder } from "../../store/migrations.ts";
import { runtimePath } from "../../system/runtime-path.ts";
import { findServiceManager, type ServiceManager } from "./service-manager.ts";
import { unitMark } from "./unit-templates.ts";

/** Whole paths: what a system starts at login has no search path of a shell. */
export function serviceCommand(home: string): string[] {
  return [runtimePath(), join(packageFolder(), "dist", "main.cjs"), "serve", ...homeWords(home)];
}

function homeWords(home: string): string[] {
  return ["--home", home];
}

/** The file that is there, whoever wrote it. */
export function readUnit({ path }: ServiceManager): string | undefined {
  return existsSync(path) ? readFileSync(path, "utf8") : undefined;
}

export function isOurUnit(unit: string): boolean {
  return unit.includes(unitMark);
}

/** Whether a file has the daemon of this home run. */
export function isUnitOf(manager: ServiceManager, unit: string | undefined, home: string): boolean {
  return unit !== undefined && isOurUnit(unit) && manager.hasWords(unit, homeWords(home));
}

/** What runs the daemon of a home as a service; undefined where none is installed, or that of another home. */
export function serviceOf(home: string): ServiceManager | undefined {
  const manager = findServiceManager(process.platform);
  return manager !== undefined && isUnitOf(manager, readUnit(manager), home) ? manager : undefined;
}
