import { areUnconsolidated, markConsolidated } from "../../capture/observations/reads/unconsolidated.ts";
import type { Ground } from "../../ground.ts";
import type { Transaction } from "../../store/store.ts";
import { cutText } from "../../text/cut.ts";
import type { Unit } from "../consolidation/unit.ts";
import { liveSql } from "../memories/live-sql.ts";
import type { MemoryServices } from "../memories/memories.ts";
import type { MemoryRow } from "../memories/record.ts";
import {
  freshRow,
  type PreparedMemory,
  prepareMemory,
  similarTo,
  storeVersion,
} from "../memories/remember.ts";
import { memoryRows } from "../memories/rows.ts";
import { correctedBy } from "./corrected-finding.ts";
import { findingDetail, isFinding, isFindingSql } from "./finding-mark.ts";
import { type ToldFinding, toldFindings } from "./told-findings.ts";

/*
 * Memories of what agents found out, by rules: each is the agent's own words. They are marked, so that a rule changes
 * only what a rule made: memories of people, agents and models stay as they are.
 */

const longestContent = 1_000;
/** Of one project, among which one is searched that a new one denies. */
const mostLookedAt = 500;

/** Stores what was found, and returns the ids of each finding's memory and of the one that it superseded. */
type KeepFindings = (tx: Transaction) => Promise<string[][]>;

/** The part that runs before the transaction. */
export async function planFindings(
  ground: Ground,
  services: MemoryServices,
  unit: Unit,
): Promise<KeepFindings> {
  const prepared: Prepared[] = [];
  for (const told of await toldFindings(ground.store.read.sql, unit))
    prepared.push({
      told,
      memory: await prepareMemory(ground, services, {
        type: "bug",
        title: told.title,
        content: cutText(told.text, longestContent),
        concepts: told.concepts,
        files: told.files,
        sourceObservationIds: [told.observationId],
        project: unit.project,
        agentId: unit.agentId,
      }),
    });
  return async (tx) => {
    const kept: string[][] = [];
    const used = new Set<string>();
    for (const one of prepared) {
      const { observationId } = one.told;
      // Of one answer there may be several findings; another run may have kept them all meanwhile.
      if (!used.has(observationId) && !(await areUnconsolidated(tx.sql, [observationId]))) continue;
      used.add(observationId);
      const ids = await keep(tx, ground, services, one);
      if (ids.length > 0) kept.push(ids);
    }
    await markConsolidated(tx, [...used], ground.now());
    return kept;
  };
}

interface Prepared {
  readonly told: ToldFinding;
  readonly memory: PreparedMemory;
}

async function keep(
  tx: Transaction,
  ground: Ground,
  services: MemoryServices,
  { told, memory }: Prepared,
): Promise<string[]> {
  const fresh = await freshRow(tx, ground, services, memory, {
    channel: "consolidation",
    detail: findingDetail,
  });
  const similar = await similarTo(tx, ground, fresh, memory);
  if (similar?.isVersion === true && isKnown(similar.row, told)) return [];
  const older = similar?.isVersion === true ? similar.row : await correctedFinding(tx, ground, fresh, told);
  const row = await storeVersion(tx, ground, memory, { fresh, older });
  return older === undefined ? [row.id] : [row.id, older.id];
}

/** Whether a memory that says nearly the same stays as it is: somebody else made it, or the session told it before. */
function isKnown({ origin, sessionIds }: MemoryRow, { sessionId }: ToldFinding): boolean {
  return !isFinding(origin) || sessionIds.includes(sessionId);
}

async function correctedFinding(
  tx: Transaction,
  ground: Ground,
  fresh: MemoryRow,
  { before, text }: ToldFinding,
): Promise<MemoryRow | undefined> {
  const said = before === undefined ? [text] : [before, text];
  const rows = await memoryRows.select(
    tx.sql,
    `WHERE ${liveSql("?")} AND project_key IS ? AND +agent_id IS ?
       AND ${isFindingSql} ORDER BY created_at DESC, id DESC LIMIT ${mostLookedAt}`,
    [ground.now(), fresh.projectKey, fresh.agentId],
  );
  return correctedBy(fresh, said, rows);
}
