import type { Projects } from "../../capture/projects/projects.ts";
import type { View } from "../../capture/sessions/view.ts";
import type { Ground } from "../../ground.ts";
import { hitsOfRecords, type SearchHit } from "../../index/hits.ts";
import type { TimeSpan } from "../../index/scope.ts";
import type { SearchQuestion } from "../../index/search-streams.ts";
import type { AskedKind } from "./asked-kinds.ts";
import { onlyOfKind } from "./only-of-kind.ts";
import { openWork } from "./open-work.ts";
import { askStreams, type DocumentStream, type StreamSources, type StreamsAnswer } from "./streams.ts";

/* Searches for what is only asked for by its kind: the decisions of a time, or what is left to do. */

/** Few events decide something, fail or commit. */
const mostHitsOfTime = 500;

export interface AskedStreams extends StreamsAnswer {
  /** What they were asked last. */
  readonly query: string;
  /** By the ids of observations, what is left to do of what they name; only if that was asked for, and found. */
  readonly leftToDo?: ReadonlyMap<string, string>;
}

interface Services extends StreamSources {
  readonly projects: Projects;
}

/** The events of one kind in a time; undefined if there are none. */
export async function streamsOfKind(
  ground: Ground,
  services: StreamSources,
  question: SearchQuestion,
  { since, until }: TimeSpan,
  kind: Exclude<AskedKind, "open">,
): Promise<AskedStreams | undefined> {
  const then = { ...question.scope, leansTo: { since, until, isAll: true } };
  const asked = { query: "", scope: then, limit: mostHitsOfTime };
  const answer = await askStreams(services, asked, ground);
  const streams = await onlyOfKind(ground.store.read.sql, answer.streams, kind);
  if (streams.every(({ hits }) => hits.length === 0)) return undefined;
  if (kind === "decisions") return { ...answer, streams, query: "" };
  // A failure may have been told only in words.
  const told = await askStreams(services, question, ground);
  const { query } = question;
  const leftOut = [...new Set([...answer.leftOut, ...told.leftOut])];
  return { streams: followedBy(streams, told.streams, { since, until }), leftOut, query };
}

/**
 * What is left to do, of what was named in a time if there is one; after it what the words find, without what was done
 * since. Undefined if nothing was named then.
 */
export async function streamsOfOpenWork(
  ground: Ground,
  services: Services,
  question: SearchQuestion,
  view: View,
  time: TimeSpan | undefined,
): Promise<AskedStreams | undefined> {
  const { sql } = ground.store.read;
  const { open, done } = await openWork(sql, view, (key) => services.projects.readKeys(sql, key));
  const known = await hitsOfRecords(sql, "observation", [...open.keys()], question.scope);
  // They are all that was asked for, whatever their words.
  const named = known
    .filter((hit) => time === undefined || isIn(time, hit))
    .map((hit) => ({ ...hit, coverage: 1 }));
  if (time !== undefined && named.length === 0) return undefined;
  const { streams, leftOut } = await askStreams(services, question, ground);
  const first = new Set(named.map(({ id }) => id));
  const isOther = (hit: SearchHit) =>
    !(first.has(hit.id) || done.has(hit.ref)) && (time === undefined || isIn(time, hit));
  return {
    streams: streams.map((stream) => ({ ...stream, hits: [...named, ...stream.hits.filter(isOther)] })),
    leftOut,
    query: question.query,
    ...(named.length === 0 ? {} : { leftToDo: open }),
  };
}

/** The hits of each stream, and after them those that only the other one of the same name has, of the same time. */
function followedBy(
  streams: readonly DocumentStream[],
  others: readonly DocumentStream[],
  time: TimeSpan,
): DocumentStream[] {
  const first = new Set(streams.flatMap(({ hits }) => hits.map(({ id }) => id)));
  return others.map((other) => {
    const own = streams.find(({ name }) => name === other.name)?.hits ?? [];
    const more = other.hits.filter((hit) => !first.has(hit.id) && isIn(time, hit));
    return { ...other, hits: [...own, ...more] };
  });
}

function isIn({ since, until }: TimeSpan, { createdAt }: SearchHit): boolean {
  return createdAt >= since && createdAt <= until;
}
