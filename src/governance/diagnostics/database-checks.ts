import { chmodSync } from "node:fs";
import { access, constants, statfs } from "node:fs/promises";
import { configFile } from "../../config/home.ts";
import type { Ground } from "../../ground.ts";
import { timeText } from "../../operation/fields.ts";
import { networkDisk } from "../../paths/network-disk.ts";
import { isOpenToOthers, mayChangeMode, modeForOwner } from "../../paths/open-to-others.ts";
import { sqliteCode } from "../../store/faults.ts";
import { firstNumber, type Sql } from "../../store/sql.ts";
import type { Connection } from "../../store/store.ts";
import { errorCode } from "../../system/error-code.ts";
import { dayMs, minuteMs } from "../../time/durations.ts";
import type { Check, Finding } from "./check.ts";

const lowDiskBytes = 1_024 ** 3;
/** Also allows for differences between the clocks of machines that share a store. */
const clockToleranceMs = 5 * minuteMs;
const newestLookedAt = 1_000;

/** Checks of the database file and the folder that it is in. */
export function databaseChecks(ground: Ground): Check[] {
  const wide = () => [ground.home, configFile(ground.home)].filter((path) => isOpenToOthers(path));
  return [
    {
      category: "database",
      name: "integrity",
      hint: "restore a snapshot: memsvc snapshot list, memsvc snapshot restore <id>",
      find: brokenTables,
    },
    {
      category: "database",
      name: "read-only",
      hint: "let this user write to it, free some space on its disk, mount that for writing, or keep another store: --home",
      find: async () => {
        const message = ground.store.readOnlyBecause ?? (await readOnlyDisk(ground.home));
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
      name: "network-disk",
      hint: "keep the home on a disk of this machine (--home, MEMSVC_HOME); machines share a store on a libSQL server (MEMSVC_DB_URL)",
      find: async () => {
        const disk = networkDisk(await statfs(ground.home));
        if (disk === undefined || ground.settings.dbUrl !== undefined) return undefined;
        // SQLite's write-ahead log needs shared memory between all writers, and reliable file locks.
        const message = `${ground.home} is on a disk of the network (${disk}), where the store may be damaged, above all by daemons of two machines`;
        return { status: "warn", message };
      },
    },
    {
      category: "database",
      name: "clock",
      hint: "set the clock if it is wrong; if it was ahead before, what it dated then counts as the newest until that time",
      find: (connection) => datedAhead(connection, ground.now()),
    },
    {
      category: "database",
      name: "file-mode",
      find: async () => {
        const paths = wide();
        if (paths.length === 0) return undefined;
        const owner = paths.every((path) => mayChangeMode(path)) ? "" : ", which another user owns";
        return {
          status: "warn",
          message: `other users can read ${paths.join(" and ")}${owner}`,
          count: paths.length,
        };
      },
      heal: async () => {
        const paths = wide().filter((path) => mayChangeMode(path));
        return {
          details: paths.map((path) => `${path} is closed to others`),
          afterwards: async () => {
            for (const path of paths) chmodSync(path, modeForOwner(path));
          },
        };
      },
      ifNothingHealed: {
        reason: "only its owner can close it",
        hint: "let its owner do it (chmod go= <path>), or keep a home of this user's own: --home",
      },
    },
  ];
}

/** Detects a disk that was remounted read-only while the store was open for writing. */
async function readOnlyDisk(home: string): Promise<string | undefined> {
  try {
    await access(home, constants.W_OK);
    return undefined;
  } catch (error) {
    // Missing permissions are reported by the store itself.
    return errorCode(error) === "EROFS" ? `${home} is on a disk that is read-only now` : undefined;
  }
}

/** Finds times in the future, written while the clock was ahead; only the newest rows are looked at. */
async function datedAhead({ sql }: Connection, now: number): Promise<Finding | undefined> {
  const time = await firstNumber(
    sql,
    `SELECT max(time) FROM (
       SELECT max(received_at) AS time FROM
         (SELECT received_at FROM observations ORDER BY seq DESC LIMIT ${newestLookedAt})
       UNION ALL SELECT max(created_at) FROM memories UNION ALL SELECT max(timestamp) FROM audit_entries)`,
  );
  if (time - now < clockToleranceMs) return undefined;
  const ahead =
    time - now < 2 * dayMs
      ? `${Math.round((time - now) / minuteMs)} min`
      : `${Math.round((time - now) / dayMs)} days`;
  return {
    status: "warn",
    message: `the newest record is of ${timeText(time)}, ${ahead} ahead of this machine's clock`,
  };
}

/** Checks table by table, so that the finding names the broken ones. */
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

/** `quick_check` itself fails on a page that cannot be read. */
async function faultOfTable(sql: Sql, table: string): Promise<string> {
  try {
    const [line] = await sql.values(`PRAGMA quick_check("${table}")`);
    return String(line?.[0]);
  } catch (error) {
    if (sqliteCode(error)?.startsWith("SQLITE_CORRUPT") === true) return "a page of it cannot be read";
    throw error;
  }
}
