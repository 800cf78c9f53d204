import type { Ground } from "../../ground.ts";
import type { Transaction } from "../../store/store.ts";
import { dayMs } from "../../time/durations.ts";
import { noteAllArrived } from "./arrivals.ts";

/**
 * If our clock was ahead for longer, peers do not get everything again and again until it has come as far: what they
 * then miss was written while it was behind by more than that.
 */
const mostAheadMs = dayMs;

/**
 * Makes the next exchanges give each peer everything. For a clock that was set back: what is written before it is right
 * may be dated before the last exchange, and would never be given. `from`: a time that the clock did not reach before.
 */
export async function exchangeAllAgain(
  { sql }: Transaction,
  { now }: Pick<Ground, "now">,
  from: number,
): Promise<void> {
  await sql.run("UPDATE mesh_peers SET pushed_to = '{}' WHERE pushed_to <> '{}'");
  await noteAllArrived(sql, Math.min(from, now() + mostAheadMs));
}
