import { describe, expect, test } from "vitest";
import type { Candidate } from "../keyword/candidate.ts";
import { emptyForward, encodeForward, type ForwardIndex, openForward } from "../words/forward.ts";
import { regularizeScores } from "./score-regularization.ts";

const documents = new WeakMap<Candidate, ForwardIndex>();

function candidate(id: number, words: string): Candidate {
  const made = {
    ...{ id, kind: "memory", isMessage: false, sessionId: null, createdAt: 0, importance: 0 },
    ...{ words: 0, score: 0, parts: new Float64Array(), saturation: 1 },
  };
  const fields = { title: [], concepts: [], files: [], body: words.split(" ") };
  documents.set(made, openForward(encodeForward(fields)));
  return made;
}

async function judgedByTheirLike(
  candidates: readonly Candidate[],
  scores: readonly number[],
): Promise<number[]> {
  const open = async (asked: readonly Candidate[]) => asked.map((one) => documents.get(one) ?? emptyForward);
  return [...(await regularizeScores(candidates, Float64Array.from(scores), { open }))];
}

/** The herons are similar to each other; the cars share only the word `found`, which all documents have. */
const herons = Array.from({ length: 6 }, (_, at) => candidate(at, `found heron wetland reed h${at}`));
const cars = Array.from({ length: 20 }, (_, at) => candidate(10 + at, `found car${at} road${at} lane${at}`));

describe("score regularization", () => {
  test("raises a document similar to high scores above one that stands alone", async () => {
    const candidates = [...herons, ...cars];
    const scores = candidates.map((_, at) => (at < 5 ? 10 : 4));
    const judged = await judgedByTheirLike(candidates, scores);
    expect(judged[5]).toBeGreaterThan(judged[6] ?? 0);
    expect(judged[7]).toBeCloseTo(judged[6] ?? 0);
  });

  test("keeps the order of documents that are not compared, and changes nothing in a small set", async () => {
    const many = Array.from({ length: 200 }, (_, at) => candidate(at, `found other${at}`));
    const judged = await judgedByTheirLike(
      many,
      many.map((_, at) => 200 - at),
    );
    expect(judged).toEqual(judged.toSorted((a, b) => b - a));
    expect(await judgedByTheirLike(herons, [6, 5, 4, 3, 2, 1])).toEqual([6, 5, 4, 3, 2, 1]);
    expect(await judgedByTheirLike([], [])).toEqual([]);
  });

  test("ignores stop words and words that most documents have", async () => {
    const common = Array.from({ length: 12 }, (_, at) => candidate(at, `found common w${at}`));
    const withStops = common.map(({ id }) => candidate(id, id < 3 ? `what they were w${id}` : `w${id}`));
    const scores = common.map((_, at) => 12 - at);
    const ordered = (judged: readonly number[]) => judged.map((score) => score / (judged[0] ?? 1));
    for (const set of [common, withStops]) {
      const judged = ordered(await judgedByTheirLike(set, scores));
      for (const [at, share] of ordered(scores).entries()) expect(judged[at]).toBeCloseTo(share);
    }
  });
});
