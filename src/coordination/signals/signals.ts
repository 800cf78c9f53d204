import { and, desc, eq, gt, isNull, ne, or, type SQL, sql as text } from "drizzle-orm";
import type { AskedBy, Audit } from "../../governance/audit/audit.ts";
import type { Ground } from "../../ground.ts";
import type { Paged, Paging } from "../../store/page.ts";
import type { Connection } from "../../store/store.ts";
import { countWithin } from "../../text/within-room.ts";
import type { Clockwork } from "../clockwork.ts";
import { markAsRead } from "./receipts.ts";
import { type Signal, type SignalType, signalRecord } from "./record.ts";
import { type NewSignal, storeSignal } from "./sending.ts";
import { signalReceipts, signals } from "./tables.ts";

interface ReadInput extends Paging {
  readonly agentId: string;
  readonly unreadOnly?: boolean | undefined;
  readonly threadId?: string | undefined;
  readonly type?: SignalType | undefined;
  readonly peek?: boolean | undefined;
}

interface Inbox extends Paged {
  readonly signals: Signal[];
  readonly unread: number;
  /** Set when signals were left out for lack of room. */
  readonly truncated?: true;
}

/** Characters that an answer takes besides its signals. */
const roomForCounts = 200;

interface Services {
  readonly audit: Audit;
  readonly clockwork: Clockwork;
}

/** Messages between agents. Each reader has a read receipt of its own. */
export class Signals {
  readonly #ground: Ground;
  readonly #services: Services;

  constructor(ground: Ground, services: Services) {
    this.#ground = ground;
    this.#services = services;
  }

  /** Error: not_found when the signal that it replies to does not exist. */
  async send(input: NewSignal, by: AskedBy): Promise<Signal> {
    return this.#ground.store.write(async (tx) => {
      const row = await storeSignal(tx, this.#ground, input);
      await this.#services.audit.recordUnscoped(tx, by, {
        operation: "signal_send",
        functionId: "signal.send",
        targetIds: [row.id],
        details: { from: row.sender, to: row.recipient ?? undefined, type: row.type },
      });
      return signalRecord(row);
    });
  }

  /**
   * The signals that the agent sees, with `readAt` as it was before this call; unless the agent only peeks,
   * they count as read afterwards. `maxChars` limits the length of the answer as JSON: signals beyond it are
   * neither returned nor marked as read. Alerts of gates that have expired by now are among them.
   */
  async read(input: ReadInput, maxChars = Number.POSITIVE_INFINITY): Promise<Inbox> {
    await this.#services.clockwork.beforeRead();
    const { store, now } = this.#ground;
    const inbox = withinRoom(await this.#inbox(store.read, input), maxChars);
    if (
      input.peek === true ||
      store.isReadOnly ||
      inbox.signals.every((signal) => !isUnread(signal, input.agentId))
    )
      return inbox;
    return store.write(async (tx) => {
      // Looked up again in the transaction, so that of two simultaneous reads only one gets a signal as
      // unread.
      const current = withinRoom(await this.#inbox(tx, input), maxChars);
      const unread = current.signals.filter((signal) => isUnread(signal, input.agentId));
      await markAsRead(
        tx.sql,
        unread.map(({ id }) => ({ signalId: id, reader: input.agentId, readAt: now() })),
      );
      return current;
    });
  }

  async #inbox({ orm }: Connection, input: ReadInput): Promise<Inbox> {
    const { agentId, threadId, type, unreadOnly, limit, offset } = input;
    const seen = and(
      or(eq(signals.recipient, agentId), isNull(signals.recipient), eq(signals.sender, agentId)),
      this.#isLive(),
    );
    const unread = and(seen, ne(signals.sender, agentId), isNotReadBy(agentId));
    const where = and(
      unreadOnly === true ? unread : seen,
      threadId === undefined ? undefined : eq(signals.threadId, threadId),
      type === undefined ? undefined : eq(signals.type, type),
    );
    const rows = await orm
      .select({ row: signals, readAt: signalReceipts.readAt })
      .from(signals)
      .leftJoin(
        signalReceipts,
        and(eq(signalReceipts.signalId, signals.id), eq(signalReceipts.reader, agentId)),
      )
      .where(where)
      .orderBy(desc(signals.createdAt), desc(signals.id))
      .limit(limit)
      .offset(offset);
    return {
      signals: rows.map(({ row, readAt }) => signalRecord(row, readAt)),
      total: await orm.$count(signals, where),
      offset,
      limit,
      unread: await orm.$count(signals, unread),
    };
  }

  #isLive(): SQL | undefined {
    return or(isNull(signals.expiresAt), gt(signals.expiresAt, this.#ground.now()));
  }
}

function withinRoom(inbox: Inbox, maxChars: number): Inbox {
  if (maxChars === Number.POSITIVE_INFINITY) return inbox;
  const kept = inbox.signals.slice(0, countWithin(maxChars - roomForCounts, inbox.signals));
  return kept.length === inbox.signals.length ? inbox : { ...inbox, signals: kept, truncated: true };
}

function isUnread({ from, readAt }: Signal, agentId: string): boolean {
  return from !== agentId && readAt === undefined;
}

function isNotReadBy(agentId: string): SQL {
  return text`NOT EXISTS (SELECT 1 FROM ${signalReceipts}
    WHERE ${signalReceipts.signalId} = ${signals.id} AND ${signalReceipts.reader} = ${agentId})`;
}
