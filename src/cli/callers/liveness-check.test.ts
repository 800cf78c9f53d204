import { expect, test } from "vitest";
import type { WireRequest } from "../../client/http-call.ts";
import { isTimeoutError } from "../../client/request-errors.ts";
import { withLivenessCheck } from "./liveness-check.ts";

const url = "http://127.0.0.1:1/memsvc";
const asked = { method: "POST", url: `${url}/export`, headers: {}, body: "{}" } as const;
const done = { status: 200, body: "{}" };
const never = new Promise<never>(() => undefined);

test("waits for a long operation as long as the daemon is alive", async () => {
  let probes = 0;
  let end: (answer: typeof done) => void = () => undefined;
  const probe = {
    send: async (request: WireRequest) => {
      expect(request).toMatchObject({ method: "GET", url: `${url}/livez` });
      probes += 1;
      if (probes === 3) end(done);
      return done;
    },
    close: () => undefined,
  };
  const slow = () =>
    new Promise<typeof done>((resolve) => {
      end = resolve;
    });
  expect(await withLivenessCheck(slow, url, { waitMs: 10, probe })(asked)).toBe(done);
  expect(probes).toBe(3);
});

test("does not wait for a daemon that fails the liveness check", async () => {
  const probe = { send: () => Promise.reject(new Error("no answer within 5 ms")), close: () => undefined };
  const fault = await withLivenessCheck(() => never, url, { waitMs: 5, probe })(asked).catch(
    (error) => error,
  );
  expect(isTimeoutError(fault)).toBe(true);
});

test("takes an answer that arrives during the liveness check", async () => {
  let end: (answer: typeof done) => void = () => undefined;
  const slow = () =>
    new Promise<typeof done>((resolve) => {
      end = resolve;
    });
  const probe = {
    send: () => {
      setImmediate(() => end(done));
      return never;
    },
    close: () => undefined,
  };
  expect(await withLivenessCheck(slow, url, { waitMs: 5, probe })(asked)).toBe(done);
});

test("ends with the reason why a daemon is silent, if that can be found out", async () => {
  const suspended = new Error("the daemon is suspended");
  const probe = { send: () => never, close: () => undefined };
  const check = { waitMs: 5, probe, suspension: () => suspended };
  await expect(withLivenessCheck(() => never, url, check)(asked)).rejects.toBe(suspended);
});
