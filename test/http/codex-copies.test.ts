import { describe, expect, test } from "vitest";
import { listObservations } from "../../src/capture/observations/operations.ts";
import { forEachTest } from "../support/for-each-test.ts";
import { type Line, openForTranscripts, transcriptSteps } from "../support/transcripts.ts";

/*
 * Forks and sub-agents of Codex, whose transcripts begin with a copy of the one that they come from: every line of it
 * has the time of the copy.
 */

/** An id that sorts by time, as Codex makes them: `minute` is when, `kind` tells ids of the same minute apart. */
const id = (minute: number, kind: number) =>
  `019bb${String(minute).padStart(3, "0")}-0000-7000-8000-00000000000${kind}`;
const [parent, fork, secondFork, agent] = [id(1, 1), id(20, 2), id(40, 3), id(20, 4)];

const at = (minute: number, second = 0) => new Date(Date.UTC(2026, 1, 1, 9, minute, second)).toISOString();
const line = (timestamp: string, type: string, payload: Line): Line => ({ timestamp, type, payload });
const head = (timestamp: string, thread: string, more: Line = {}): Line =>
  line(timestamp, "session_meta", { id: thread, session_id: thread, cwd: "/home/dev/shop", ...more });

interface Turn {
  readonly minute: number;
  readonly asked: string;
  readonly answered: string;
}
const plan: Turn = { minute: 2, asked: "Plan the cart", answered: "The cart keeps its prices in cents." };
const tax: Turn = { minute: 21, asked: "Add the tax", answered: "The tax is added at the checkout." };
const search: Turn = { minute: 41, asked: "Search the cart", answered: "The cart is searched by name." };

/** The lines of a turn, all at one time if one is given; versions before 0.100 named no turns. */
function turnLines({ minute, asked, answered }: Turn, { time, named }: { time?: string; named: boolean }) {
  const when = (second: number) => time ?? at(minute, second);
  const turn = named ? { turn_id: id(minute, 9) } : {};
  return [
    ...(named ? [line(when(0), "event_msg", { type: "task_started", ...turn })] : []),
    line(when(0), "turn_context", { ...turn, cwd: "/home/dev/shop" }),
    line(when(1), "event_msg", { type: "user_message", message: asked }),
    line(when(3), "response_item", {
      ...{ type: "message", role: "assistant" },
      content: [{ type: "output_text", text: answered }],
    }),
  ];
}

const copiedAt = at(20);
const named = { named: true };
const fileOf = (thread: string) => `2026/02/01/rollout-2026-02-01T09-00-00-${thread}.jsonl`;
const parentLines = (how = named) => [head(at(1), parent), ...turnLines(plan, how)];
const forkLines = (how = named) => [
  head(copiedAt, fork, { forked_from_id: parent }),
  head(copiedAt, parent),
  ...turnLines(plan, { ...how, time: copiedAt }),
  ...turnLines(tax, how),
];

const place = forEachTest(openForTranscripts);
const { at: pathOf, load, write } = transcriptSteps(place);

async function told(sessionId: string) {
  const { observations } = await place.http.ok(listObservations, { sessionId });
  return observations.map(({ hookType, narrative }) => [hookType, narrative]);
}
const turn = ({ asked, answered }: Turn) => [
  ["prompt_submit", asked],
  ["stop", answered],
];

describe.each([
  ["names turns", named],
  ["names no turns", { named: false }],
])("a fork of a Codex that %s", (_how, how) => {
  test("adds only what was said in it, imported with the transcript that it comes from", async () => {
    write(fileOf(parent), parentLines(how));
    write(fileOf(fork), forkLines(how));
    await load({ path: pathOf(".") });
    expect(await told(parent)).toEqual(turn(plan));
    expect(await told(fork)).toEqual(turn(tax));
  });

  test("adds only what was said in it, imported later", async () => {
    await load({ path: write(fileOf(parent), parentLines(how)) });
    expect(await load({ path: write(fileOf(fork), forkLines(how)) })).toMatchObject({ observations: 2 });
    expect(await told(fork)).toEqual(turn(tax));
  });
});

test("a fork whose origin is not known keeps what it copied", async () => {
  await load({ path: write(fileOf(fork), forkLines()) });
  expect(await told(fork)).toEqual([...turn(plan), ...turn(tax)]);
});

test("a fork of a fork adds only what was said in it", async () => {
  const again = at(40);
  write(fileOf(parent), parentLines());
  write(fileOf(fork), forkLines());
  write(fileOf(secondFork), [
    head(again, secondFork, { forked_from_id: fork }),
    head(again, fork, { forked_from_id: parent }),
    head(again, parent),
    ...turnLines(plan, { ...named, time: again }),
    ...turnLines(tax, { ...named, time: again }),
    ...turnLines(search, named),
  ]);
  await load({ path: pathOf(".") });
  expect(await told(secondFork)).toEqual(turn(search));
});

test("a fork's own turn that follows the copy at once is kept", async () => {
  write(fileOf(parent), parentLines());
  write(fileOf(fork), [...forkLines().slice(0, 6), ...turnLines(tax, { ...named, time: copiedAt })]);
  await load({ path: pathOf(".") });
  expect(await told(fork)).toEqual(turn(tax));
});

test.each([
  ["its session", { session_id: parent }],
  [
    "only its parent",
    { session_id: undefined, source: { subagent: { thread_spawn: { parent_thread_id: parent } } } },
  ],
])("a sub-agent that names %s tells nothing of what it copied", async (_names, more) => {
  write(fileOf(parent), parentLines());
  write(fileOf(agent), [
    head(copiedAt, agent, more),
    head(copiedAt, parent),
    ...turnLines(plan, { ...named, time: copiedAt }),
    ...turnLines(tax, named),
  ]);
  await load({ path: pathOf(".") });
  expect(await told(parent)).toEqual([
    ...turn(plan),
    ["subagent_start", tax.asked],
    ["subagent_stop", tax.answered],
  ]);
});
