import { and, asc, eq, gte, inArray, lte, sql as text } from "drizzle-orm";
import type { Connection } from "../../../store/store.ts";
import type { MemoryType } from "../record.ts";
import { shownStrengthExpression } from "../strength/strength-sql.ts";
import { memories } from "../tables.ts";

/** Criteria for memories of any version; all that are given must hold. Times in milliseconds since 1970. */
interface MemoryCriteria {
  readonly types?: readonly MemoryType[] | undefined;
  readonly createdFrom?: number | undefined;
  readonly createdTo?: number | undefined;
  readonly strengthBelow?: number | undefined;
  readonly projectKeys?: readonly string[] | undefined;
  readonly agentId?: string | undefined;
}

/** Ids of the memories that meet the criteria, oldest first. */
export async function selectMemories(
  { orm }: Pick<Connection, "orm">,
  criteria: MemoryCriteria,
  now: number,
): Promise<string[]> {
  const { types, createdFrom, createdTo, strengthBelow, projectKeys, agentId } = criteria;
  const rows = await orm
    .select({ id: memories.id })
    .from(memories)
    .where(
      and(
        types === undefined ? undefined : inArray(memories.type, [...types]),
        createdFrom === undefined ? undefined : gte(memories.createdAt, createdFrom),
        createdTo === undefined ? undefined : lte(memories.createdAt, createdTo),
        strengthBelow === undefined ? undefined : text`${shownStrengthExpression(now)} < ${strengthBelow}`,
        projectKeys === undefined ? undefined : inArray(memories.projectKey, [...projectKeys]),
        agentId === undefined ? undefined : eq(memories.agentId, agentId),
      ),
    )
    .orderBy(asc(memories.createdAt), asc(memories.id));
  return rows.map(({ id }) => id);
}
