import { graphSettled } from "../../graph/structural/settled.ts";
import type { Ground } from "../../ground.ts";
import type { ByteStream } from "../../operation/define.ts";
import { withWritten } from "../../store/faults.ts";
import type { DryRun } from "../../store/store.ts";
import { deletions } from "./deletions.ts";
import { exchangedTables } from "./exchanged-tables.ts";
import { Faults, readRows, type Sending, type TombstoneRow, tombstonesOf } from "./incoming.ts";
import { Intake, type IntakeServices, type ReadRow, type Write } from "./intake.ts";
import type { Received } from "./record.ts";
import { type MeshScope, meshScopes } from "./scope-names.ts";
import { Spool } from "./spool.ts";

const rowsPerTransaction = 1_000;

interface From {
  /** The peer that the rows were pulled from; undefined when they were sent to us. */
  readonly peer?: { readonly id: string; readonly name: string };
  /** The scopes that the peer was asked for; all scopes when the rows were sent to us. */
  readonly scopes?: readonly MeshScope[];
}

/** The outcome, and how many rows here were deleted because they had been deleted elsewhere. */
export interface TakenRows extends Received {
  readonly deleted: number;
}

/** Reads a body of rows. Errors: invalid_input for a body that is no such object; too_large. */
export type ReadBody = (body: ByteStream) => Promise<Sending>;

/**
 * Takes rows from another store. First `gather` reads all of them, then they are stored, a thousand to a
 * transaction. Of two versions of a row the one that was changed later wins. A dry run does all of it in one
 * transaction that is rolled back. Errors: those of `gather`.
 */
export async function receiveRows(
  ground: Ground,
  services: IntakeServices,
  gather: (read: ReadBody) => Promise<Sending>,
  { peer, scopes = meshScopes, dryRun }: From & DryRun,
): Promise<TakenRows> {
  const spool = new Spool(ground.home);
  const faults = new Faults();
  try {
    const reading = { maxBytes: ground.settings.maxImportBytes, now: ground.now(), scopes };
    const sending = await gather((body) => readRows(body, spool, faults, reading));
    const sender = { id: peer?.id, name: peer?.name ?? sending.from };
    await graphSettled(ground);
    const intakeOf = (write: Write) => new Intake(ground, services, faults, sender, write);
    const takeIn = async (intake: Intake) => {
      for (const one of exchangedTables) {
        // The collection's schema made these rows before they went into the spool.
        for await (const batch of spool.batches(one.array, rowsPerTransaction))
          await intake.take(one, batch as ReadRow[]);
      }
      for (const kind of deletions.keys()) {
        for await (const batch of spool.batches(tombstonesOf(kind), rowsPerTransaction))
          await intake.bury(kind, batch as TombstoneRow[]);
      }
      await intake.settle(peer === undefined ? sending : undefined);
      return intake;
    };
    const { accepted, skipped, deleted } =
      dryRun === true
        ? await ground.store.writeAlone((tx) => takeIn(intakeOf((work) => work(tx))), { dryRun })
        : await keeping(
            ground,
            intakeOf((work) => ground.store.writeAlone(work)),
            takeIn,
          );
    ground.wakeJobs();
    return { accepted, skipped, deleted, rejected: faults.count, issues: faults.issues };
  } finally {
    await spool.close();
  }
}

/** Stores rows in several transactions: those before a failure stay committed, and the error says so. */
async function keeping(
  { store }: Ground,
  intake: Intake,
  work: (intake: Intake) => Promise<Intake>,
): Promise<Intake> {
  try {
    return await work(intake);
  } catch (raised) {
    const { accepted } = intake;
    if (accepted === 0) throw raised;
    const were = `${accepted} of the rows were`;
    throw withWritten(store.faultOf(raised), `${were} stored, the rest was not`);
  }
}
