import { MemsvcError } from "../../operation/errors.ts";
import { firstColumn, type Sql } from "../../store/sql.ts";

/** The ids among these that belong to actions. */
export async function knownActions(sql: Sql, ids: readonly string[]): Promise<Set<string>> {
  const query = "SELECT id FROM actions WHERE id IN (SELECT value FROM json_each(?))";
  return new Set(await firstColumn(sql, query, [JSON.stringify(ids)]));
}

/** The error for ids of actions, or of checkpoints and sentinels, that do not exist. */
export function unknownActions(actionIds: readonly string[], gateIds: readonly string[] = []): MemsvcError {
  const unknown = [
    named("action", "actions", actionIds),
    named("checkpoint or sentinel", "checkpoints or sentinels", gateIds),
  ].filter(Boolean);
  const hints = [
    ...(actionIds.length === 0 ? [] : ["memsvc action list"]),
    ...(gateIds.length === 0 ? [] : ["memsvc checkpoint list", "memsvc sentinel list"]),
  ];
  return new MemsvcError("not_found", unknown.join(", and "), {
    hint: `see what there is: ${hints.join(", ")}`,
    extra: { notFound: [...actionIds, ...gateIds] },
  });
}

function named(one: string, many: string, ids: readonly string[]): string {
  if (ids.length === 0) return "";
  return ids.length === 1
    ? `${one} ${ids[0]} is not known`
    : `${many} ${ids.slice(0, 3).join(", ")} are not known`;
}
