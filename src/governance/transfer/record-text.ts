import type { SqlValue } from "../../store/sql.ts";

/*
 * SQL expressions that make the database write records as JSON: reading the columns, building objects and
 * serialising them takes three to five times as long. A page comes as bytes, which need not be decoded and
 * encoded again.
 */

/** A member of a record; `json` is an SQL expression for its JSON value. */
export interface RecordMember {
  readonly name: string;
  readonly json: string;
  /** The member is left out when the expression is null; it must not be null otherwise. */
  readonly optional?: true;
}

/** An SQL expression for a record as JSON text. The first member must not be optional. */
export function recordText(members: readonly RecordMember[]): string {
  const texts = members.map(({ name, json, optional = false }, at) => {
    const head = `'${at === 0 ? "{" : ","}"${name}":'`;
    return optional ? `${head} || ${json}` : `${head}, ${json}`;
  });
  return `concat(${texts.join(", ")}, '}')`;
}

/**
 * SQL for the bytes of all records of a query, whose column is `record`, joined by commas; null when there
 * are none.
 */
export const joinedRecords = "CAST(group_concat(record, ',') AS BLOB)";

/** The result of `joinedRecords`; some drivers return bytes as an ArrayBuffer. */
export function pageFrom(given: SqlValue | ArrayBuffer): Uint8Array | undefined {
  if (given instanceof Uint8Array) return given;
  return given instanceof ArrayBuffer ? new Uint8Array(given) : undefined;
}

export function textMember(name: string, column = name): RecordMember {
  return { name, json: `json_quote(${column})` };
}

export function optionalText(name: string, column = name): RecordMember {
  return { name, json: `nullif(json_quote(${column}), 'null')`, optional: true };
}

/** A text that never needs escaping, such as one of a few fixed words. */
export function wordMember(name: string, column = name): RecordMember {
  return { name, json: `'"' || ${column} || '"'` };
}

export function jsonMember(name: string, json = name): RecordMember {
  return { name, json };
}

export function optionalJson(name: string, json: string): RecordMember {
  return { name, json, optional: true };
}

export function timeMember(name: string, column: string): RecordMember {
  return { name, json: timeJson(column) };
}

/** Two members with times that are often equal: formatting a time takes longer than copying its text. */
export function timeMembers(
  name: string,
  column: string,
  { name: nextName, column: nextColumn }: { readonly name: string; readonly column: string },
): RecordMember {
  const next = `,"${nextName}":`;
  const json = `CASE ${nextColumn} WHEN ${column} THEN replace('@${next}@', '@', ${timeJson(column)})
    ELSE concat(${timeJson(column)}, '${next}', ${timeJson(nextColumn)}) END`;
  return { name, json };
}

/** A time as ISO 8601; one beyond four-digit years stays in milliseconds, which an import accepts, too. */
export function timeJson(column: string): string {
  return `coalesce('"' || strftime('%Y-%m-%dT%H:%M:%fZ', ${column} / 1000.0, 'unixepoch') || '"', ${column})`;
}
