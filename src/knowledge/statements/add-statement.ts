import type { SQLiteTable } from "drizzle-orm/sqlite-core";
import type { ProjectFields, Projects } from "../../capture/projects/projects.ts";
import { type DocumentInput, putDocument } from "../../index/documents/documents.ts";
import type { RowOf } from "../../store/row-reader.ts";
import type { Transaction } from "../../store/store.ts";
import type { RowCondition, TableRows } from "../../store/table-rows.ts";

/** The columns of a statement's owner. */
interface Owner extends ProjectFields {
  readonly agentId: string | null;
}

/** What each new statement says besides its content. */
export interface GivenStatement {
  readonly project?: string | undefined;
  readonly agentId?: string | undefined;
  /** Reinforces a known statement only if the sources include one that it does not have yet. */
  readonly needsNews?: boolean;
}

interface NewStatement<Row> {
  readonly given: GivenStatement;
  /** For the rows that state the same, whoever owns them. */
  readonly isSame: RowCondition;
  /** Whether the sources include one that a known row does not have. */
  readonly hasNews?: (known: Row) => boolean;
  readonly reinforced: (known: Row) => Row;
  readonly created: (owner: Owner) => Row;
  /** The index document of the row, if its family has some. */
  readonly document?: (row: Row) => DocumentInput;
}

export interface Addition<Row> {
  readonly action: "created" | "reinforced" | "unchanged";
  readonly row: Row;
}

/** Stores a statement. If its project and agent have the same one already, that is reinforced instead. */
export async function addStatement<Table extends SQLiteTable>(
  tx: Transaction,
  projects: Projects,
  rows: TableRows<Table>,
  statement: NewStatement<RowOf<Table>>,
): Promise<Addition<RowOf<Table>>> {
  const { given, isSame, hasNews = () => true, reinforced, created, document } = statement;
  const owner = { ...(await projects.fieldsOf(tx.sql, given.project)), agentId: given.agentId ?? null };
  const [known] = await rows.select(
    tx.sql,
    // The unary plus keeps SQLite from using the index on the project, which would read all of its rows.
    `WHERE ${isSame.text} AND +project_key IS ? AND +agent_id IS ? LIMIT 1`,
    [...isSame.args, owner.projectKey, owner.agentId],
  );
  if (known !== undefined && given.needsNews === true && !hasNews(known))
    return { action: "unchanged", row: known };
  const row = known === undefined ? created(owner) : reinforced(known);
  await rows.put(tx.sql, row);
  if (document !== undefined) await putDocument(tx.sql, document(row));
  return { action: known === undefined ? "created" : "reinforced", row };
}
