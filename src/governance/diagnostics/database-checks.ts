import { chmodSync } from "node:fs";
import { statfs } from "node:fs/promises";
import { configFile } from "../../config/home.ts";
import type { Ground } from "../../ground.ts";
import { isOpenToOthers, modeForOwner } from "../../paths/open-to-others.ts";
import { sqliteCode } from "../../store/faults.ts";
import type { Sql } from "../../store/sql.ts";
import type { Connection } from "../../store/store.ts";
import type { Check, Finding } from "./check.ts";

const lowDiskBytes = 1_024 ** 3;

/** What can be wrong with the database file and the folder that it lies in. */
export function databaseChecks(ground: Ground): Check[] {
  const wide = () => [ground.home, configFile(ground.home)].filter((path) => isOpenToOthers(path));
  return [
    {
      category: "database",
      name: "integrity",
      hint: "go back to a snapshot: memsvc snapshot list, memsvc snapshot restore <id>",
      find: brokenTables,
    },
    {
      category: "database",
      name: "read-only",
      hint: "let this user write to it, free some space on its disk, or keep another store: --home",
      find: async () => {
        const message = ground.store.readOnlyBecause;
        return message === undefined ? undefined : { status: "fail", message };
      },
    },
    {
      category: "database",
      name: "low-disk",
      hint: "free some disk space",
      find: async () => {
        const { bavail, bsize } = await statfs(ground.home);
        const free = bavail * bsize;
        if (free >= lowDiskBytes) return undefined;
        return { status: "warn", message: `${Math.round(free / 1_024 ** 2)} MiB are left on its disk` };
      },
    },
    {
      category: "database",
      name: "file-mode",
      find: async () => {
        const paths = wide();
        if (paths.length === 0) return undefined;
        return { status: "warn", message: `others may read ${paths.join(" and ")}`, count: paths.length };
      },
      heal: async () => {
        const paths = wide();
        return {
          fixed: paths.length,
          details: paths.map((path) => `${path} is closed to others`),
          afterwards: async () => {
            for (const path of paths) chmodSync(path, modeForOwner(path));
          },
        };
      },
    },
  ];
}

/** Table by table, so that it tells which of them are broken. */
async function brokenTables({ sql }: Connection): Promise<Finding | undefined> {
  const tables = await sql.values(
    "SELECT name FROM sqlite_master WHERE type = 'table' AND sql NOT LIKE 'CREATE VIRTUAL%' AND name NOT LIKE 'sqlite_%' ORDER BY name",
  );
  const broken: string[] = [];
  for (const [name] of tables) {
    const finding = await faultOfTable(sql, String(name));
    if (finding !== "ok") broken.push(`${String(name)}: ${finding}`);
  }
  if (broken.length === 0) return undefined;
  return { status: "fail", message: broken.join("; "), count: broken.length };
}

/** A page that cannot be read at all ends the check itself. */
async function faultOfTable(sql: Sql, table: string): Promise<string> {
  try {
    const [line] = await sql.values(`PRAGMA quick_check("${table}")`);
    return String(line?.[0]);
  } catch (error) {
    if (sqliteCode(error)?.startsWith("SQLITE_CORRUPT") === true) return "a page of it cannot be read";
    throw error;
  }
}
