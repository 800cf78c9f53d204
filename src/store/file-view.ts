import type { View } from "./driver.ts";
import { LocalConnection, type LocalDriverOptions } from "./local-connection.ts";
import type { SqlValue } from "./sql.ts";

/*
 * A view of a file reads on two connections, each on its own thread: two queries at once take the time of one, and the
 * event loop stays free.
 */

/** A small cache suffices, because a view reads each page about once. */
const cacheKib = 4_000;
const mostAttempts = 20;

/** A connection and its queue of work. */
interface Lane {
  readonly connection: LocalConnection;
  waiting: number;
  last: Promise<unknown>;
}

/** Opens a view of a file as it is now. */
export async function openFileView(options: LocalDriverOptions): Promise<View> {
  const lanes = (await connectionsOfOneMoment(options)).map(
    (connection): Lane => ({ connection, waiting: 0, last: Promise.resolve() }),
  );
  const values = (text: string, args?: readonly SqlValue[]) =>
    inLane(leastBusy(lanes), (connection) => connection.valuesInBackground(text, args));
  return {
    values,
    all: (text, args) => inLane(leastBusy(lanes), (connection) => connection.all(text, args)),
    run: (text, args) => inLane(leastBusy(lanes), (connection) => connection.run(text, args)),
    close: async () => {
      for (const { connection, last } of lanes) {
        await last;
        end(connection);
      }
    },
  };
}

async function connectionsOfOneMoment(options: LocalDriverOptions): Promise<LocalConnection[]> {
  const first = new LocalConnection(options, { cacheKib });
  let second: LocalConnection | undefined;
  try {
    second = new LocalConnection(options, { cacheKib });
    return await beginTogether(first, second);
  } catch (error) {
    // One may be reading already, and the write-ahead log would grow for as long as it does.
    end(first);
    if (second !== undefined) end(second);
    throw error;
  }
}

/** The connections whose transactions see the same state of the file; only one if other writers commit all the time. */
async function beginTogether(first: LocalConnection, second: LocalConnection): Promise<LocalConnection[]> {
  for (let attempt = 0; attempt < mostAttempts; attempt += 1) {
    const before = await dataVersion(second);
    await beginReading(first);
    await beginReading(second);
    // data_version changes with every commit of others. Unchanged means no commit since before the first transaction
    // began.
    if ((await dataVersion(second)) === before) return [first, second];
    first.exec("ROLLBACK");
    second.exec("ROLLBACK");
  }
  second.close();
  await beginReading(first);
  return [first];
}

function end(connection: LocalConnection): void {
  if (connection.inTransaction) connection.exec("ROLLBACK");
  connection.close();
}

async function beginReading(connection: LocalConnection): Promise<void> {
  connection.exec("BEGIN");
  // A deferred transaction sees the state at its first read, so read at once.
  await connection.all("SELECT 1 FROM sqlite_master LIMIT 1");
}

async function dataVersion(connection: LocalConnection): Promise<SqlValue | undefined> {
  const [row] = await connection.values("PRAGMA data_version");
  return row?.[0];
}

function leastBusy(lanes: readonly Lane[]): Lane {
  return lanes.reduce((one, other) => (other.waiting < one.waiting ? other : one));
}

/** Runs work on a connection after what was queued on it before. */
function inLane<Result>(lane: Lane, work: (connection: LocalConnection) => Promise<Result>): Promise<Result> {
  lane.waiting += 1;
  const done = lane.last.then(() => work(lane.connection));
  const over = () => {
    lane.waiting -= 1;
  };
  lane.last = done.then(over, over);
  return done;
}
