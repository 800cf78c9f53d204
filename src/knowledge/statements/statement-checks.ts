import { type Check, type DiagnosticCategory, recordsFound } from "../../governance/diagnostics/check.ts";

interface Stored {
  readonly category: DiagnosticCategory;
  /** A table that memsvc itself names. */
  readonly table: string;
  readonly content: string;
  /** The column that must be from 0 to 1. */
  readonly confidence: string;
}

/** What can be wrong with the words and the confidence of something that was concluded: people have to look at it. */
export function statementChecks({ category, table, content, confidence }: Stored): Check[] {
  const unsure = `SELECT id FROM ${table} WHERE ${confidence} NOT BETWEEN 0 AND 1`;
  const empty = `SELECT id FROM ${table} WHERE trim(${content}) = ''`;
  return [
    {
      category,
      name: `${category}-bad-confidence`,
      find: recordsFound(unsure, "warn", (count) => `${count} with a confidence that is not from 0 to 1`),
    },
    {
      category,
      name: `${category}-empty-content`,
      find: recordsFound(empty, "warn", (count) => `${count} without words`),
    },
  ];
}
