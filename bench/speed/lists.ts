import { startDaemon } from "./daemon.ts";
import type { Figure } from "./figures.ts";
import { type Latencies, type LoadRequest, load } from "./load.ts";
import type { StoreShelf } from "./stores.ts";

const storeSize = 100_000;
const targetMs = 20;
const requestsPerRound = 300;
const roundMs = 3_000;
const mixedClients = 10;

/** Measures lists in a store of full size: each kind of request alone, then all kinds together from ten clients. */
export async function measureLists(shelf: StoreShelf, rounds: number): Promise<Figure[]> {
  const daemon = await startDaemon(await shelf.home(storeSize));
  const firstMs: [string, number][] = [];
  const alone = new Map<string, Latencies[]>();
  const mixed: Latencies[] = [];
  try {
    const send = (bodies: readonly LoadRequest[], clients: number) =>
      load({ url: daemon.url, bodies, clients, durationMs: roundMs, pauseMs: 0 });
    const kinds = Object.entries(await requestsByKind(daemon.url));
    for (const [kind, requests] of kinds) firstMs.push([kind, (await send(requests.slice(0, 1), 1)).p99Ms]);
    for (let round = 0; round < rounds; round += 1) {
      for (const [kind, requests] of kinds) {
        const latencies = alone.get(kind) ?? [];
        latencies.push(await send(repeated(requests), 1));
        alone.set(kind, latencies);
      }
      const all = kinds.map(([, requests]) => repeated(requests));
      const dealt = Array.from({ length: requestsPerRound }, (_, at) => all.flatMap((one) => one[at] ?? []));
      mixed.push(await send(dealt.flat(), mixedClients));
    }
  } finally {
    await daemon.stop();
  }
  const section = "lists, 100,000 documents";
  const unit = "ms";
  return [
    ...firstMs.map(
      ([kind, ms]): Figure => ({ section, name: `${kind}, first`, unit, target: targetMs, rounds: [ms] }),
    ),
    ...[...alone].flatMap(([kind, latencies]): Figure[] => [
      { section, name: `${kind} p50`, unit, rounds: latencies.map(({ p50Ms }) => p50Ms) },
      { section, name: `${kind} p99`, unit, target: targetMs, rounds: latencies.map(({ p99Ms }) => p99Ms) },
    ]),
    { section, name: "all from ten clients p50", unit, rounds: mixed.map(({ p50Ms }) => p50Ms) },
    {
      section,
      name: "all from ten clients p99",
      unit,
      target: targetMs,
      rounds: mixed.map(({ p99Ms }) => p99Ms),
    },
    { section, name: "all from ten clients", unit: "per s", rounds: mixed.map(({ perSecond }) => perSecond) },
  ];
}

function repeated(requests: readonly LoadRequest[]): LoadRequest[] {
  return Array.from({ length: requestsPerRound }, (_, at) => requests[at % requests.length] ?? { path: "" });
}

/** The requests of viewers and agents, with ids and names that are in the store. */
async function requestsByKind(url: string): Promise<Record<string, LoadRequest[]>> {
  const { sessions } = await read<{ sessions: { id: string; project: string; startedAt: string }[] }>(
    `${url}/sessions?limit=1000`,
  );
  const { memories } = await read<{ memories: { id: string; createdAt: string }[] }>(
    `${url}/memories?limit=200`,
  );
  const projects = [...new Set(sessions.map(({ project }) => project))];
  const gets = (paths: readonly string[]) => paths.map((path) => ({ path }));
  const posts = (path: string, bodies: readonly object[]) =>
    bodies.map((body) => ({ path, body: JSON.stringify(body) }));
  const offsets = Array.from({ length: 20 }, (_, at) => at * 50);
  const some = sessions.filter((_, at) => at % 50 === 0);
  const ofProjects = (path: (project: string) => string) =>
    gets(projects.map((one) => path(encodeURIComponent(one))));
  return {
    "sessions, a page": gets(offsets.map((offset) => `/sessions?limit=50&offset=${offset}`)),
    "sessions of a project": ofProjects((one) => `/sessions?project=${one}&limit=50`),
    "sessions by status": gets(
      ["active", "completed", "abandoned"].map((one) => `/sessions?status=${one}&limit=50`),
    ),
    "observations of a session": gets(some.map(({ id }) => `/observations?sessionId=${id}`)),
    "observations of a type": gets(
      some.map(({ id }) => `/observations?sessionId=${id}&type=error&order=desc`),
    ),
    "observations with their events": gets(some.map(({ id }) => `/observations?sessionId=${id}&raw=true`)),
    "memories, a page": gets(offsets.map((offset) => `/memories?limit=50&offset=${offset}`)),
    "memories of a project": ofProjects((one) => `/memories?project=${one}&latest=true&limit=50`),
    "memories, their number": gets(["/memories?count=true"]),
    "a memory": gets(memories.map(({ id }) => `/memories/${id}`)),
    profile: ofProjects((one) => `/profile?project=${one}`),
    "timeline at a time": posts(
      "/timeline",
      some.map(({ startedAt, project }) => ({ anchor: startedAt, project })),
    ),
    "timeline of a session": posts(
      "/timeline",
      some.map(({ startedAt, id }) => ({ anchor: startedAt, sessionId: id })),
    ),
    patterns: posts(
      "/patterns",
      projects.map((project) => ({ project })),
    ),
    "audit, a page": gets(offsets.map((offset) => `/audit?limit=50&offset=${offset}`)),
    "audit of an operation": gets(
      ["remember", "session_end", "export"].map((one) => `/audit?operation=${one}`),
    ),
    "audit of a record": gets(memories.map(({ id }) => `/audit?targetId=${id}`)),
    "audit since": gets(memories.map(({ createdAt }) => `/audit?since=${createdAt}`)),
    relations: gets([
      "/relations?limit=50",
      ...memories.slice(0, 20).map(({ id }) => `/relations?memoryId=${id}`),
    ]),
    lessons: ofProjects((one) => `/lessons?project=${one}`),
    insights: ofProjects((one) => `/insights?project=${one}`),
    facts: gets(["/semantic"]),
    procedures: gets(["/procedural"]),
    commits: gets(["/commits", ...some.map(({ id }) => `/commits?sessionId=${id}`)]),
    "graph's numbers": gets(["/graph/stats"]),
    health: gets(["/health"]),
  };
}

async function read<Answer>(url: string): Promise<Answer> {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`${url} was answered with ${response.status}`);
  // The cast is safe: the operation declares the shape of its answer.
  return (await response.json()) as Answer;
}
