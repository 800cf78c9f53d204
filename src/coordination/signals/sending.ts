import type { Ground } from "../../ground.ts";
import { MemsvcError } from "../../operation/errors.ts";
import { timeAfter } from "../../operation/fields.ts";
import { firstRow, type Sql } from "../../store/sql.ts";
import type { Transaction } from "../../store/store.ts";
import { redactObject, redactText } from "../../text/redaction/redact.ts";
import type { SignalRow, SignalType } from "./record.ts";
import { signals } from "./tables.ts";

/** A signal to be sent, by a request or by memsvc itself. */
export interface NewSignal {
  readonly from: string;
  readonly content: string;
  /** The recipient; everybody if undefined. */
  readonly to?: string | undefined;
  readonly type: SignalType;
  readonly threadId?: string | undefined;
  readonly replyTo?: string | undefined;
  readonly metadata?: Readonly<Record<string, unknown>> | undefined;
  readonly expiresInMs?: number | undefined;
}

type SignalGround = Pick<Ground, "now" | "newId">;

/** The sender of memsvc's own signals. */
const ownName = "memsvc";

/**
 * Stores a signal inside the caller's transaction. Error: not_found when the signal that it replies to does
 * not exist.
 */
export async function storeSignal(
  tx: Transaction,
  ground: SignalGround,
  given: NewSignal,
): Promise<SignalRow> {
  const now = ground.now();
  const row: SignalRow = {
    id: ground.newId("signal"),
    sender: given.from,
    // `*` means no agent in particular, as for an agentId elsewhere.
    recipient: given.to === "*" ? null : (given.to ?? null),
    threadId: await threadOf(tx.sql, ground, given),
    replyTo: given.replyTo ?? null,
    type: given.type,
    content: redactText(given.content),
    metadata: given.metadata === undefined ? null : redactObject(given.metadata),
    createdAt: now,
    expiresAt: given.expiresInMs === undefined ? null : timeAfter(now, given.expiresInMs),
    isRead: false,
  };
  await tx.orm.insert(signals).values(row);
  return row;
}

/** Sends everybody an alert inside the caller's transaction, which writes the audit entry. */
export async function sendAlert(
  tx: Transaction,
  ground: SignalGround,
  content: string,
  metadata: Readonly<Record<string, unknown>>,
): Promise<void> {
  await storeSignal(tx, ground, { from: ownName, content, type: "alert", metadata });
}

/** Lets alerts expire whose metadata names a record under that key: what they say is no longer so. */
export async function withdrawAlerts(
  tx: Transaction,
  { now }: Pick<Ground, "now">,
  key: string,
  id: string,
): Promise<void> {
  await tx.sql.run(
    `UPDATE signals SET expires_at = ?1 WHERE sender = ?2 AND type = 'alert' AND expires_at IS NULL
       AND metadata ->> ?3 = ?4`,
    [now(), ownName, `$.${key}`, id],
  );
}

async function threadOf(
  sql: Sql,
  { now, newId }: SignalGround,
  { replyTo, threadId }: NewSignal,
): Promise<string> {
  if (replyTo === undefined) return threadId ?? newId("thread");
  const parent = await firstRow<{ threadId: string }>(
    sql,
    "SELECT thread_id AS threadId FROM signals WHERE id = ? AND (expires_at IS NULL OR expires_at > ?)",
    [replyTo, now()],
  );
  if (parent !== undefined) return parent.threadId;
  throw new MemsvcError("not_found", `signal ${replyTo} is not known, so there is nothing to reply to`, {
    hint: "see what there is: memsvc signal read <agentId> --peek",
  });
}
