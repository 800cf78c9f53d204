import { eq } from "drizzle-orm";
import { MemsvcError } from "../../operation/errors.ts";
import type { Connection } from "../../store/store.ts";
import { actionsByIds } from "../actions/find-actions.ts";
import type { ActionRow } from "../actions/record.ts";
import type { RunRow } from "./run-record.ts";
import { routineRuns } from "./tables.ts";

/** A run with its actions, in the order of the steps. Error: not_found. */
export async function runWithActions(
  connection: Pick<Connection, "orm">,
  runId: string,
): Promise<{ run: RunRow; actions: ActionRow[] }> {
  const [run] = await connection.orm.select().from(routineRuns).where(eq(routineRuns.id, runId));
  if (run === undefined) {
    throw new MemsvcError("not_found", `run ${runId} is not known`, {
      hint: "start one to get its id: memsvc routine run <routineId>",
      extra: { notFound: [runId] },
    });
  }
  const actions = await actionsByIds(
    connection,
    run.steps.map(({ actionId }) => actionId),
  );
  return { run, actions };
}
