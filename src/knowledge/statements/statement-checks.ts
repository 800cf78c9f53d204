import {
  type Check,
  type DiagnosticCategory,
  recordsFound,
  writtenByOthers,
} from "../../governance/diagnostics/check.ts";

interface Stored {
  readonly category: DiagnosticCategory;
  /** A table name from our own code, never from input: it becomes part of the SQL. */
  readonly table: string;
  readonly content: string;
  /** The column that must be from 0 to 1. */
  readonly confidence: string;
}

/** Checks the text and the confidence of statements; only people can repair these. */
export function statementChecks({ category, table, content, confidence }: Stored): Check[] {
  const unsure = `SELECT id FROM ${table} WHERE ${confidence} NOT BETWEEN 0 AND 1`;
  const empty = `SELECT id FROM ${table} WHERE trim(${content}) = ''`;
  return [
    {
      category,
      name: `${category}-bad-confidence`,
      hint: writtenByOthers,
      find: recordsFound(unsure, "warn", (count) => `${count} with a confidence that is not from 0 to 1`),
    },
    {
      category,
      name: `${category}-empty-content`,
      hint: writtenByOthers,
      find: recordsFound(empty, "warn", (count) => `${count} without words`),
    },
  ];
}
