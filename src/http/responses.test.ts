import { setImmediate as turn } from "node:timers/promises";
import { expect, test, vi } from "vitest";
import { minuteMs } from "../time/durations.ts";
import { jsonResponse, listResponse, streamedJsonResponse } from "./responses.ts";

test("a response whose reader leaves ends its source and logs no failure", async () => {
  const logged: unknown[] = [];
  let hasEnded = false;
  async function* pieces() {
    try {
      yield Buffer.from("[0,");
      void reader?.cancel();
      yield Buffer.from("1]");
    } finally {
      hasEnded = true;
    }
  }
  const reader = streamedJsonResponse(pieces(), (...line) => logged.push(line)).body?.getReader();
  await reader?.read();
  for (let turns = 0; turns < 3; turns += 1) await turn();
  expect([hasEnded, logged]).toEqual([true, []]);
});

test.each([3, 3_000])(
  "a list of %i records has the bytes and headers of any other answer",
  async (length) => {
    const body = {
      success: true,
      list: Array.from({ length }, (_, at) => ({ at, text: "é\n" })),
      total: length,
    };
    const [answer, plain] = [await listResponse(body, 201), jsonResponse(body, 201)];
    expect([answer.status, [...answer.headers]]).toEqual([plain.status, [...plain.headers]]);
    expect(await answer.text()).toBe(await plain.text());
  },
);

test("a response that its reader leaves standing for a quarter of an hour is broken off, and its source ends", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  const logged: unknown[] = [];
  let hasEnded = false;
  async function* pieces() {
    try {
      for (;;) yield Buffer.from("[");
    } finally {
      hasEnded = true;
    }
  }
  const reader = streamedJsonResponse(pieces(), (...line) => logged.push(line)).body?.getReader();
  for (let reads = 0; reads < 3; reads += 1) {
    await reader?.read();
    for (let turns = 0; turns < 3; turns += 1) await turn();
    vi.advanceTimersByTime(14 * minuteMs);
  }
  expect([hasEnded, logged]).toEqual([false, []]);
  vi.advanceTimersByTime(minuteMs);
  await expect(reader?.closed).rejects.toThrow("took nothing");
  for (let turns = 0; turns < 3; turns += 1) await turn();
  expect([hasEnded, logged]).toEqual([true, [["warn", expect.any(String), expect.anything()]]]);
  vi.useRealTimers();
});
