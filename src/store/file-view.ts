import type { View } from "./driver.ts";
import { LocalConnection, type LocalDriverOptions } from "./local-connection.ts";
import type { SqlValue } from "./sql.ts";

/*
 * A view of a file reads on two connections, each on a thread of its own, so that who asks for two things at once gets
 * both in the time of one, and the event loop is free meanwhile.
 */

/** What is read once is not read again. */
const cacheKib = 4_000;
const mostAttempts = 20;

/** A connection with what it has still to do. */
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
        if (connection.inTransaction) connection.exec("ROLLBACK");
        connection.close();
      }
    },
  };
}

/** Connections whose transactions see the same state of the file; a single one where others commit all the time. */
async function connectionsOfOneMoment(options: LocalDriverOptions): Promise<LocalConnection[]> {
  const [first, second] = [
    new LocalConnection(options, { cacheKib }),
    new LocalConnection(options, { cacheKib }),
  ];
  for (let attempt = 0; attempt < mostAttempts; attempt += 1) {
    const before = await dataVersion(second);
    await beginReading(first);
    await beginReading(second);
    // It changes with every commit of others: since before the first one began there was none.
    if ((await dataVersion(second)) === before) return [first, second];
    first.exec("ROLLBACK");
    second.exec("ROLLBACK");
  }
  second.close();
  await beginReading(first);
  return [first];
}

async function beginReading(connection: LocalConnection): Promise<void> {
  connection.exec("BEGIN");
  // The transaction sees the store as it is at its first read.
  await connection.all("SELECT 1 FROM sqlite_master LIMIT 1");
}

async function dataVersion(connection: LocalConnection): Promise<SqlValue | undefined> {
  const [row] = await connection.values("PRAGMA data_version");
  return row?.[0];
}

function leastBusy(lanes: readonly Lane[]): Lane {
  return lanes.reduce((one, other) => (other.waiting < one.waiting ? other : one));
}

/** Runs a work on a connection when those before it have ended. */
function inLane<Result>(lane: Lane, work: (connection: LocalConnection) => Promise<Result>): Promise<Result> {
  lane.waiting += 1;
  const done = lane.last.then(() => work(lane.connection));
  const over = () => {
    lane.waiting -= 1;
  };
  lane.last = done.then(over, over);
  return done;
}
