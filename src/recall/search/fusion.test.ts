import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { dayMs } from "../../time/durations.ts";
import { type Biases, fuse, maxPerSession, type Stream, type StreamHit } from "./fusion.ts";

const now = Date.parse("2026-03-01T12:00:00Z");
/** So old that it earns no bonus. */
const longAgo = now - 10_000 * dayMs;
const plain: Biases = {
  now,
  qualityOf: () => 0,
  isOfSession: () => false,
  isUnderFolder: () => false,
  isAside: () => false,
  callEndIds: new Map(),
  runKeys: new Map(),
};

function hit(ref: string, given: Partial<StreamHit> = {}): StreamHit {
  return {
    id: 1,
    kind: "memory",
    ref,
    sessionId: null,
    createdAt: longAgo,
    score: 1,
    ...given,
  };
}

function stream(name: Stream["name"], hits: readonly StreamHit[], weight = 1): Stream {
  return { name, weight, hits };
}

describe("the score", () => {
  test("is the sum of weight / (60 + rank) over the streams, to six decimals", () => {
    const [a, b] = [hit("a"), hit("b")];
    const fused = fuse([stream("keyword", [a, b]), stream("vector", [b], 0.5)], plain);
    expect(fused.map(({ ref, fused }) => [ref, fused])).toEqual([
      ["b", Number((1 / 62 + 0.5 / 61).toFixed(6))],
      ["a", 0.016393],
    ]);
  });

  test.each([
    ["the named session", { isOfSession: () => true }, 0.003],
    ["the folder", { isUnderFolder: () => true }, 0.003],
    ["full quality", { qualityOf: () => 1 }, 0.0005],
    ["half quality", { qualityOf: () => 0.5 }, 0.00025],
  ])("is raised for %s", (_name, bias, bonus) => {
    const [first] = fuse([stream("keyword", [hit("a")])], { ...plain, ...bias });
    expect(first?.fused).toBeCloseTo(1 / 61 + bonus, 6);
  });

  test.each([
    [0, 0.0005],
    [30, 0.00025],
    [60, 0.000125],
    [-5, 0.0005],
  ])("is raised for an age of %i days by %d", (days, bonus) => {
    const [first] = fuse([stream("keyword", [hit("a", { createdAt: now - days * dayMs })])], plain);
    expect(first?.fused).toBeCloseTo(1 / 61 + bonus, 6);
  });

  test("is explained by the rank, score and contribution in each stream", () => {
    const [first] = fuse([stream("keyword", [hit("a", { score: 7 })])], plain);
    expect(first?.explanation.streams).toEqual({ keyword: { rank: 1, score: 7, contribution: 1 / 61 } });
  });
});

describe("the order", () => {
  test("of equal scores is newest first, then by descending id", () => {
    const streams = [
      stream("keyword", [hit("a")]),
      stream("vector", [hit("c")]),
      stream("graph", [hit("b", { createdAt: longAgo + 1 })]),
    ];
    expect(fuse(streams, plain).map(({ ref }) => ref)).toEqual(["b", "c", "a"]);
  });

  test("keeps records of different kinds with the same id apart", () => {
    const hits = [hit("same"), hit("same", { kind: "observation" })];
    expect(fuse([stream("keyword", hits)], plain)).toHaveLength(2);
  });
});

describe("a tool call recorded before and after it ran", () => {
  const callEndIds = new Map([["start", "end"]]);

  test("is one result: its end, at the better of the two ranks", () => {
    const hits = [hit("start"), hit("other"), hit("end")];
    const fused = fuse([stream("keyword", hits)], { ...plain, callEndIds });
    expect(fused.map(({ ref, fused }) => [ref, fused])).toEqual([
      ["end", Number((1 / 61).toFixed(6))],
      ["other", Number((1 / 62).toFixed(6))],
    ]);
    expect(fused[0]?.explanation.streams.keyword?.rank).toBe(1);
  });

  test("takes one of the three places of its session", () => {
    const hits = ["start", "end", "a", "b", "c"].map((ref) => hit(ref, { sessionId: "s" }));
    const fused = fuse([stream("keyword", hits)], { ...plain, callEndIds });
    expect(fused.map(({ ref }) => ref)).toEqual(["end", "a", "b"]);
  });

  test("is kept if only its start was found", () => {
    const fused = fuse([stream("keyword", [hit("start")])], { ...plain, callEndIds });
    expect(fused.map(({ ref }) => ref)).toEqual(["start"]);
  });
});

describe("a command that ran several times", () => {
  test("is one result, its best run, and takes one of the three places of its session", () => {
    const refs = ["a run", "the same", "again", "a", "b", "c"];
    const hits = refs.map((ref) => hit(ref, { kind: "observation", sessionId: "s" }));
    const runKeys = new Map(refs.slice(0, 3).map((ref) => [ref, "npm test"]));
    const fused = fuse([stream("keyword", hits)], { ...plain, runKeys });
    expect(fused.map(({ ref, moreRuns }) => [ref, moreRuns])).toEqual([
      ["a run", 2],
      ["a", undefined],
      ["b", undefined],
    ]);
  });
});

describe("a match", () => {
  test.each([
    [0.8, "strong"],
    [0.42, "strong"],
    [0.41, "weak"],
    [0.1, "weak"],
  ])("that covers %s of the query is %s", (coverage, match) => {
    const [first] = fuse([stream("keyword", [hit("a", { coverage })])], plain);
    expect(first?.match).toBe(match);
    expect(first?.explanation.coverage).toBe(coverage);
  });

  test("is strong from the score on that its stream names, in whichever stream", () => {
    const similar = {
      ...stream("vector", [hit("a", { score: 0.7 }), hit("b", { score: 0.6 })]),
      strongFrom: 0.7,
    };
    const streams = [stream("keyword", [hit("a", { coverage: 0.1 })]), similar];
    expect(fuse(streams, plain).map(({ ref, match }) => [ref, match])).toEqual([
      ["a", "strong"],
      ["b", "weak"],
    ]);
  });
});

const refs = fc.uniqueArray(
  fc.integer({ min: 0, max: 40 }).map((number) => `r${number}`),
  { maxLength: 30 },
);
const record = (ref: string) =>
  hit(ref, { sessionId: Number(ref.slice(1)) % 6 === 0 ? null : `s${Number(ref.slice(1)) % 6}` });

describe("for all streams", () => {
  test("the order of equally weighted streams does not matter", () => {
    const three = fc.tuple(refs, refs, refs);
    const order = fc.shuffledSubarray([0, 1, 2], { minLength: 3 });
    fc.assert(
      fc.property(three, order, (lists, places) => {
        const names = ["keyword", "vector", "graph"] as const;
        const streams = names.map((name, at) => stream(name, (lists[at] ?? []).map(record)));
        const shuffled = places.flatMap((place) => streams[place] ?? []);
        const outcome = (given: readonly Stream[]) =>
          fuse(given, plain).map(({ ref, fused }) => [ref, fused]);
        expect(outcome(shuffled)).toEqual(outcome(streams));
      }),
    );
  });

  test("only the rank in a stream matters, not which stream it is", () => {
    fc.assert(
      fc.property(refs, refs, (one, other) => {
        const [a, b] = [one.map(record), other.map(record)];
        const outcome = (left: StreamHit[], right: StreamHit[]) =>
          fuse([stream("keyword", left), stream("vector", right)], plain).map(({ ref, fused }) => [
            ref,
            fused,
          ]);
        expect(outcome(a, b)).toEqual(outcome(b, a));
      }),
    );
  });

  test("at most three results of a session are taken, and all those without a session", () => {
    fc.assert(
      fc.property(refs, refs, (one, other) => {
        const fused = fuse([stream("keyword", one.map(record)), stream("vector", other.map(record))], plain);
        const all = [...new Set([...one, ...other])].map(record);
        for (const sessionId of new Set(all.map((item) => item.sessionId))) {
          const there = all.filter((item) => item.sessionId === sessionId).length;
          const taken = fused.filter((item) => item.sessionId === sessionId).length;
          expect(taken).toBe(sessionId === null ? there : Math.min(there, maxPerSession));
        }
      }),
    );
  });

  test("scores never rise down the list, and no result occurs twice", () => {
    fc.assert(
      fc.property(refs, refs, (one, other) => {
        const fused = fuse(
          [stream("keyword", one.map(record)), stream("vector", other.map(record), 0.7)],
          plain,
        );
        const scores = fused.map((item) => item.fused);
        expect(scores).toEqual([...scores].sort((a, b) => b - a));
        expect(new Set(fused.map(({ ref }) => ref)).size).toBe(fused.length);
      }),
    );
  });
});
