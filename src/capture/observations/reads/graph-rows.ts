import type { AttachedRow } from "../../../graph/structural/attach.ts";
import { textsIn, type WithJson } from "../../../store/json-columns.ts";
import type { Sql } from "../../../store/sql.ts";
import { type AgentFilter, agentClause } from "../../sessions/agent-scope.ts";
import { librariesOfInput } from "../rules/libraries.ts";
import { eventField } from "../stored-event.ts";

interface StoredTraits {
  readonly seq: number;
  readonly ref: string;
  readonly agentId: string | null;
  readonly project: string;
  readonly projectKey: string;
  readonly files: string;
  readonly concepts: string;
  readonly facts: string;
  /** As JSON. */
  readonly toolInput: string | null;
}

/** Observations after a `seq` in the form that the graph takes, and the last `seq` to continue from. */
export async function graphRowsAfter(
  sql: Sql,
  seq: number,
  limit: number,
): Promise<{ rows: AttachedRow[]; last: number | undefined }> {
  const stored = await sql.all<StoredTraits>(`${traits} WHERE o.seq > ? ORDER BY o.seq LIMIT ?`, [
    seq,
    limit,
  ]);
  return { rows: stored.map(attachedRow), last: stored.at(-1)?.seq };
}

/** Observations by id, in the form that the graph takes. */
export async function graphRowsOf(sql: Sql, ids: readonly string[]): Promise<AttachedRow[]> {
  const stored = await sql.all<StoredTraits>(
    `${traits} WHERE o.id IN (SELECT value FROM json_each(?)) ORDER BY o.seq`,
    [JSON.stringify(ids)],
  );
  return stored.map(attachedRow);
}

/** The name of the session's project, unless the session has moved to another one. */
const project = "iif(s.project_key = o.project_key, s.project, o.project_key) AS project";

const traits = `SELECT o.seq, o.id AS ref, o.agent_id AS agentId, ${project}, o.project_key AS projectKey, o.files,
  o.concepts, o.facts, ${eventField("toolInput")} AS toolInput
  FROM observations AS o LEFT JOIN sessions AS s ON s.id = o.session_id
    LEFT JOIN raw_events AS r ON r.observation_id = o.id`;

function attachedRow({ seq: _seq, toolInput, files, concepts, facts, ...row }: StoredTraits): AttachedRow {
  return {
    ...row,
    kind: "observation",
    files: textsIn(files),
    concepts: textsIn(concepts),
    facts: textsIn(facts),
    libraries: toolInput === null ? [] : librariesOfInput(JSON.parse(toolInput)),
  };
}

/** The text of an observation, from which a model extracts the graph. */
export interface ObservationText {
  readonly id: string;
  readonly sessionId: string;
  readonly agentId: string | null;
  readonly project: string | null;
  readonly projectKey: string | null;
  readonly title: string;
  readonly narrative: string;
  readonly facts: readonly string[];
  readonly concepts: readonly string[];
  readonly files: readonly string[];
}

type StoredText = WithJson<ObservationText, "facts" | "concepts" | "files"> & { readonly seq: number };

const textColumns = `SELECT o.seq, o.id, o.session_id AS sessionId, o.agent_id AS agentId, ${project},
  o.project_key AS projectKey, o.title, o.narrative, o.facts, o.concepts, o.files
  FROM observations AS o LEFT JOIN sessions AS s ON s.id = o.session_id`;

function textOfRow({ seq: _seq, ...row }: StoredText): ObservationText {
  return {
    ...row,
    facts: textsIn(row.facts),
    concepts: textsIn(row.concepts),
    files: textsIn(row.files),
  };
}

/** The texts of observations by id, as far as the filter allows. */
export async function textsOf(
  sql: Sql,
  ids: readonly string[],
  filter: AgentFilter,
): Promise<ObservationText[]> {
  const { text, args } = agentClause(filter, "o.agent_id");
  const rows = await sql.all<StoredText>(
    `${textColumns} WHERE o.id IN (SELECT value FROM json_each(?))${text} ORDER BY o.seq`,
    [JSON.stringify(ids), ...args],
  );
  return rows.map(textOfRow);
}

/** Which observations are read; an undefined field does not restrict. */
export interface ReadTexts {
  readonly projectKeys?: readonly string[] | undefined;
  readonly sessionId?: string | undefined;
}

const textsPerRead = 500;

/** The texts of the next observations after a `seq`, and the last `seq` to continue from. */
export async function textsAfter(
  sql: Sql,
  seq: number,
  only: ReadTexts,
): Promise<{ texts: ObservationText[]; last: number | undefined }> {
  const rows = await sql.all<StoredText>(
    `${textColumns} WHERE o.seq > ?1 AND (?3 IS NULL OR o.project_key IN (SELECT value FROM json_each(?3)))
       AND (?4 IS NULL OR o.session_id = ?4) ORDER BY o.seq LIMIT ?2`,
    [
      seq,
      textsPerRead,
      only.projectKeys === undefined ? null : JSON.stringify(only.projectKeys),
      only.sessionId ?? null,
    ],
  );
  return { texts: rows.map(textOfRow), last: rows.at(-1)?.seq };
}
