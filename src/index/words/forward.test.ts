import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { encodeForward, fieldNames, openForward, termFrequency, termHash } from "./forward.ts";

const tokens = fc.array(fc.string({ minLength: 1, maxLength: 6 }), { maxLength: 40 });
const fields = fc.record({ title: tokens, concepts: tokens, files: tokens, body: tokens });

describe("the forward index", () => {
  test("returns every field's length and every term's frequency", () => {
    fc.assert(
      fc.property(fields, (document) => {
        const forward = openForward(encodeForward(document));
        for (const name of fieldNames) {
          expect(forward.lengths[name]).toBe(document[name].length);
          for (const token of document[name]) {
            const count = document[name].filter((other) => termHash(other) === termHash(token)).length;
            expect(termFrequency(forward, termHash(token))?.[name]).toBe(count);
          }
        }
      }),
    );
  });

  test("has no entry for a term that the document lacks", () => {
    const forward = openForward(encodeForward({ title: ["alpha"], concepts: [], files: [], body: ["beta"] }));
    expect(termFrequency(forward, termHash("gamma"))).toBeUndefined();
    expect(termFrequency(forward, termHash("alpha"))).toEqual({ title: 1, concepts: 0, files: 0, body: 0 });
  });

  test("counts a term up to 255 and field lengths beyond it", () => {
    const body = new Array<string>(70_000).fill("again");
    const forward = openForward(encodeForward({ title: [], concepts: [], files: [], body }));
    expect(forward.lengths.body).toBe(70_000);
    expect(termFrequency(forward, termHash("again"))?.body).toBe(255);
  });

  test("holds extra terms without adding to the length", () => {
    const forward = openForward(
      encodeForward({ title: [], concepts: [], files: [], body: ["word"] }, ["the"]),
    );
    expect(forward.lengths.body).toBe(1);
    expect(termFrequency(forward, termHash("the"))?.body).toBe(1);
  });

  test("can be read from an offset in a larger buffer", () => {
    const bytes = encodeForward({ title: ["alpha"], concepts: [], files: [], body: [] });
    const larger = new Uint8Array(bytes.length + 3);
    larger.set(bytes, 3);
    expect(termFrequency(openForward(larger.subarray(3)), termHash("alpha"))?.title).toBe(1);
  });

  test("rejects a blob of an impossible length", () => {
    expect(() => openForward(new Uint8Array(19))).toThrow("19 bytes");
  });
});
