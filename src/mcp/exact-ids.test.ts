import { expect, test } from "vitest";
import { processorTimer } from "../../test/support/processor-time.ts";
import { withExactIds, withReadableIds } from "./exact-ids.ts";

/** What parsing makes of a message, and the answer to its id. */
function readAndAnswered(json: string): { readonly read: Record<string, unknown>; readonly answer: string } {
  const read = JSON.parse(withReadableIds(json)) as Record<string, unknown>;
  return { read, answer: withExactIds(JSON.stringify({ id: read.id, result: {} })) };
}

test("of the long numbers in a message only its own id is kept exact, wherever it stands", () => {
  const params = '{"list":[{"id":1764386400123456781}],"id":1764386400123456782,"n":1764386400123456783}';
  for (const json of [
    `{"method":"tools/call","params":${params},"id":1764386400123456789}`,
    `{"id":1764386400123456789,"method":"tools/call","params":${params}}`,
  ]) {
    const { read, answer } = readAndAnswered(json);
    expect(read.params).toEqual(JSON.parse(params));
    expect(answer).toBe('{"id":1764386400123456789,"result":{}}');
  }
});

test("each message of a batch keeps its id, and a cancellation the id that it names", () => {
  const batch = '[{"id":1764386400123456781,"params":{}},{"params":{"requestId":1764386400123456781}}]';
  const [asked, cancelled] = JSON.parse(withReadableIds(batch));
  expect(typeof asked.id).toBe("string");
  expect(cancelled.params.requestId).toBe(asked.id);
  expect(withExactIds(JSON.stringify([{ id: asked.id }]))).toBe('[{"id":1764386400123456781}]');
});

test.each(["", "\\"])(
  "a message that breaks off in a long text is read in time linear in its length: %j",
  (end) => {
    const broken = `{"id":1764386400123456789,"text":"${'\\"'.repeat(100_000)}${end}`;
    const spent = processorTimer();
    expect(withReadableIds(broken)).toContain("exact id 1764386400123456789");
    expect(spent()).toBeLessThan(2_000);
  },
);

test("a message with millions of escaped characters is read", () => {
  const text = '\\"'.repeat(4_000_000);
  const { read, answer } = readAndAnswered(`{"id":1764386400123456789,"text":"${text}","n":[1]}`);
  expect(read).toMatchObject({ text: '"'.repeat(4_000_000), n: [1] });
  expect(answer).toBe('{"id":1764386400123456789,"result":{}}');
});
