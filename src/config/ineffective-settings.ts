import type { Settings } from "./settings-table.ts";

/** Warnings for the log, one line each, about settings that have no effect together with others. */
export function ineffectiveSettings(settings: Settings): string[] {
  const { snapshotEnabled, dbUrl, meshIntervalMs, secret } = settings;
  const lines: string[] = [];
  if (snapshotEnabled && dbUrl !== undefined)
    lines.push("MEMSVC_SNAPSHOT_ENABLED has no effect with MEMSVC_DB_URL: the backup is memsvc export");
  if (meshIntervalMs > 0 && secret === undefined)
    lines.push("MEMSVC_MESH_INTERVAL_MS has no effect without MEMSVC_SECRET, which mesh needs");
  return lines;
}
