import type { Ground } from "../ground.ts";
import { textsIn } from "../store/json-columns.ts";

const mostShown = 20;

/** A job that is being done, and how far it has come. */
interface RunningJob {
  readonly id: string;
  readonly kind: string;
  /** When it was asked for, in milliseconds. */
  readonly since: number;
  /** The finished steps of a job that has several. */
  readonly done: readonly string[];
}

/** What is being done now, oldest first, at most twenty. */
export async function runningJobs({ store }: Ground): Promise<RunningJob[]> {
  const rows = await store.read.sql.all<Omit<RunningJob, "done"> & { done: string }>(
    `SELECT id, kind, created_at AS since, (SELECT json_group_array(key) FROM json_each(payload, '$.done')) AS done
     FROM jobs WHERE status = 'running' ORDER BY created_at LIMIT ${mostShown}`,
  );
  return rows.map((row) => ({ ...row, done: textsIn(row.done) }));
}
