import type { AcknowledgedObservation, Ledger } from "./ledger.ts";

/** How many of the newest records of each kind are looked up one by one; all are looked for in lists. */
const lookedForSingly = 25;
const expandedAtOnce = 20;
const answerTimeoutMs = 60_000;
const mostSearches = 5;

/** Looks for acknowledged records as a client would: in lists, by id, by keyword search. Returns what is missing. */
export async function missingOverHttp(url: string, ledger: Ledger): Promise<string[]> {
  return [
    ...(await missingFromSessions(url, ledger)),
    ...(await missingFromMemories(url, ledger)),
    ...(await missingById(url, ledger)),
    ...(await missingFromSearch(url, ledger)),
  ];
}

interface Row {
  readonly id: string;
  readonly isLatest?: boolean;
  readonly raw?: unknown;
}

async function missingFromSessions(url: string, { observations }: Ledger): Promise<string[]> {
  const missing: string[] = [];
  for (const sessionId of new Set(observations.map((one) => one.sessionId))) {
    const expected = observations.filter((one) => one.sessionId === sessionId);
    const answer = await get(`${url}/observations?sessionId=${sessionId}&raw=true&limit=10000`);
    const rows = answer.observations as Row[];
    const found = new Map(rows.map((row) => [row.id, row]));
    const { observationCount } = answer.session as { observationCount: number };
    if (observationCount !== answer.total || answer.total !== found.size) {
      missing.push(
        `session ${sessionId} counts ${observationCount}, lists ${answer.total} and shows ${found.size}`,
      );
    }
    missing.push(...expected.flatMap((one) => missingRow(one, found.get(one.id))));
  }
  return missing;
}

function missingRow({ id, word }: AcknowledgedObservation, row: Row | undefined): string[] {
  if (row === undefined) return [`observation ${id} is not in the list of its session`];
  return JSON.stringify(row.raw ?? null).includes(word) ? [] : [`observation ${id} has lost its raw event`];
}

async function missingFromMemories(url: string, { memories }: Ledger): Promise<string[]> {
  const listed: Row[] = [];
  for (;;) {
    const answer = await get(`${url}/memories?latest=true&limit=5000&offset=${listed.length}`);
    const rows = answer.memories as Row[];
    listed.push(...rows);
    if (rows.length < 5_000) break;
  }
  const found = new Set(listed.map(({ id }) => id));
  return memories.filter(({ id }) => !found.has(id)).map(({ id }) => `memory ${id} is not in the list`);
}

async function missingById(url: string, { observations, memories }: Ledger): Promise<string[]> {
  const missing: string[] = [];
  const newest = [...observations.slice(-lookedForSingly), ...memories.slice(-lookedForSingly)];
  for (let at = 0; at < newest.length; at += expandedAtOnce) {
    const expandIds = newest.slice(at, at + expandedAtOnce).map(({ id }) => id);
    const { results, notFound = [] } = await search(url, { expandIds, source: "viewer" });
    missing.push(...(notFound as string[]).map((id) => `${id} is not found by its id`));
    if ((results as unknown[]).length + (notFound as unknown[]).length !== expandIds.length) {
      missing.push(`of ${expandIds.length} ids ${(results as unknown[]).length} were expanded`);
    }
  }
  return missing;
}

async function missingFromSearch(url: string, { observations, memories }: Ledger): Promise<string[]> {
  const missing: string[] = [];
  for (const { id, word } of [...observations.slice(-lookedForSingly), ...memories.slice(-lookedForSingly)]) {
    const { ids, streams, leftOut } = await searchWords(url, word);
    if (!ids.includes(id))
      missing.push(`${id} is not found by its word ${word} (${streams}; left out: ${leftOut})`);
  }
  return missing;
}

/**
 * Searches until the words were searched, but only so often: on a machine that is busy with other things they may be
 * left out, and a search that says so has lost nothing.
 */
async function searchWords(url: string, query: string) {
  for (let searches = 1; ; searches += 1) {
    const answer = await search(url, { query, limit: 5, source: "viewer" });
    const { streams, leftOut = [] } = answer as { streams: string[]; leftOut?: string[] };
    const ids = (answer.results as { obsId: string }[]).map(({ obsId }) => obsId);
    if (!leftOut.includes("keyword") || searches === mostSearches) return { ids, streams, leftOut };
  }
}

async function get(url: string): Promise<Record<string, unknown>> {
  return answerOf(await fetch(url, { signal: AbortSignal.timeout(answerTimeoutMs) }), url);
}

async function search(url: string, body: unknown): Promise<Record<string, unknown>> {
  const headers = { "content-type": "application/json" };
  const signal = AbortSignal.timeout(answerTimeoutMs);
  const path = `${url}/smart-search`;
  return answerOf(await fetch(path, { method: "POST", headers, body: JSON.stringify(body), signal }), path);
}

async function answerOf(response: Response, url: string): Promise<Record<string, unknown>> {
  const answer = (await response.json()) as Record<string, unknown>;
  if (!response.ok) throw new Error(`${url}: ${response.status} ${JSON.stringify(answer)}`);
  return answer;
}
