import type { Settings } from "../../../config/load.ts";
import type { ExportPage } from "../../../governance/transfer/collection.ts";
import { pageSize } from "../../../governance/transfer/page-size.ts";
import {
  joinedRecords,
  jsonMember,
  optionalJson,
  optionalText,
  pageFrom,
  recordText,
  textMember,
  timeJson,
  timeMember,
  wordMember,
} from "../../../governance/transfer/record-text.ts";
import type { Sql, SqlValue } from "../../../store/sql.ts";
import { wholeEvent } from "../stored-event.ts";

const mostRows = 200;

/** A page of a session's observations in the form of an export, in the order of time. */
export interface ObservationPage {
  /** Absent when there are none. */
  readonly records: ExportPage | undefined;
  /** Reads the next page; absent when there is none. */
  readonly next: (() => Promise<ObservationPage>) | undefined;
}

/** The first page of a session's observations. */
export function firstObservations(
  sql: Sql,
  settings: Pick<Settings, "dbUrl">,
  sessionId: string,
): Promise<ObservationPage> {
  return observationPage(sql, firstPage, [sessionId], pageSize(settings, mostRows));
}

async function observationPage(
  sql: Sql,
  { records, lastPlace }: typeof firstPage,
  place: readonly SqlValue[],
  most: number,
): Promise<ObservationPage> {
  const [[joined = null, count = 0] = []] = await sql.values(records, [...place, most]);
  const next = async () => {
    const [last = []] = await sql.values(lastPlace, [...place, most - 1]);
    return observationPage(sql, nextPage, [...place.slice(0, 1), ...last], most);
  };
  return { records: pageFrom(joined), next: count === most ? next : undefined };
}

/** The key of the project that an observation stayed in when its session moved to another one. */
const earlierProject = `(SELECT observations.project_key FROM sessions
  WHERE sessions.id = session_id AND sessions.project_key <> observations.project_key)`;

const record = recordText([
  textMember("id"),
  textMember("sessionId", "session_id"),
  // The key serves as the name: a path means the same project in every store.
  optionalText("project", earlierProject),
  // A bare name is written as the key, too: by the time of the import the name may mean another project.
  optionalText("projectKey", `iif(instr(observations.project_key, '/') = 0, ${earlierProject}, NULL)`),
  timeMember("timestamp", "timestamp"),
  timeMember("receivedAt", "received_at"),
  textMember("hookType", "hook_type"),
  wordMember("type"),
  textMember("title"),
  optionalText("subtitle"),
  jsonMember("facts"),
  textMember("narrative"),
  jsonMember("concepts"),
  jsonMember("files"),
  jsonMember("importance"),
  jsonMember("confidence"),
  wordMember("compression"),
  optionalText("toolName", "tool_name"),
  optionalText("modality"),
  optionalText("imageRef", "image_ref"),
  optionalText("imageDescription", "image_description"),
  optionalText("agentId", "agent_id"),
  jsonMember("origin", `'{"channel":"' || channel || '","capturedAt":' || ${timeJson("received_at")} || '}'`),
  // Without it memories would be made a second time of the observation.
  optionalJson("consolidatedAt", timeJson("consolidated_at")),
  // The only thing by which the line of a transcript is recognised.
  optionalText("lineHash", "iif(channel = 'import', content_hash, NULL)"),
  optionalJson("raw", wholeEvent),
]);

/** The statements of a page: its records with their number, and the place of the last row of a full page. */
function pageStatements(condition: string) {
  const from = `FROM observations LEFT JOIN raw_events ON observation_id = id WHERE session_id = ?${condition}
    ORDER BY timestamp, seq`;
  return {
    records: `SELECT ${joinedRecords}, count(*) FROM (SELECT ${record} AS record ${from} LIMIT ?)`,
    lastPlace: `SELECT timestamp, seq ${from} LIMIT 1 OFFSET ?`,
  };
}

const firstPage = pageStatements("");
const nextPage = pageStatements(" AND (timestamp, seq) > (?, ?)");
