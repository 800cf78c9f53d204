import type { z } from "zod";
import { smartSearch } from "../../recall/search/operations.ts";
import type { Replayed } from "./replay.ts";
import type { Expectation, SampleQuestion } from "./sample/history.ts";
import type { ScratchStore } from "./scratch-store.ts";

/** A question counts as answered when the expected record is among this many first hits. */
const answeredWithin = 3;
const hitsAsked = 10;

type Hit = z.input<typeof smartSearch.output>["results"][number];

export interface DemoAnswer {
  readonly question: string;
  readonly kind: SampleQuestion["kind"];
  /** Why the expected record is the answer. */
  readonly why: string;
  readonly answered: boolean;
  /** Rank of the expected record, from 1; undefined if it is not among the hits. */
  readonly rank?: number;
  /** Number of hits. */
  readonly hits: number;
  readonly searchMs: number;
  /** The expected record if it was found, otherwise the first hit. */
  readonly shown?: Hit;
}

/** Asks every question and determines the rank of the record that answers it. */
export async function ask(
  store: ScratchStore,
  project: string,
  questions: readonly SampleQuestion[],
  replayed: Replayed,
): Promise<readonly DemoAnswer[]> {
  const answers: DemoAnswer[] = [];
  for (const { question, kind, why, expects } of questions) {
    const startedAt = performance.now();
    const found = await store.call(smartSearch, {
      query: question,
      project,
      limit: hitsAsked,
      explain: true,
    });
    const searchMs = performance.now() - startedAt;
    const wanted = recordsOf(expects, replayed);
    const place = found.results.findIndex(({ obsId }) => wanted.has(obsId));
    const shown = found.results[Math.max(place, 0)];
    answers.push({
      question,
      kind,
      why,
      answered: place >= 0 && place < answeredWithin,
      ...(place < 0 ? {} : { rank: place + 1 }),
      hits: found.totalCount,
      searchMs,
      ...(shown === undefined ? {} : { shown }),
    });
  }
  return answers;
}

function recordsOf(expects: Expectation, { observationsOf, memoryIds }: Replayed): ReadonlySet<string> {
  if (expects.kind === "event") return observationsOf.get(expects.toolUseId) ?? new Set();
  const id = memoryIds[expects.index];
  return new Set(id === undefined ? [] : [id]);
}
