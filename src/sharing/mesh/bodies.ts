import type { ExportPage } from "../../governance/transfer/collection.ts";
import { inBlocks } from "../../governance/transfer/json-blocks.ts";
import type { ByteStream } from "../../operation/define.ts";
import type { Part, Rows } from "./export-rows.ts";

/*
 * Rows as JSON texts. Whoever asks for them gets one; what is pushed goes in several, because the peer has to store
 * each while the time of its call runs.
 */

const enoughBytes = 2 * 1024 * 1024;

/** Arrays whose rows stand by themselves. Others name rows of their own or another array, and go as one with those. */
const mayBeDivided: ReadonlySet<string> = new Set(["memories", "semantic", "procedural"]);

/** All rows as one text in blocks. */
export function wholeBody({ head, parts }: Rows): ByteStream {
  return inBlocks(textOf(head, parts));
}

/** All rows as texts, at least one; each has to be read before the next is asked for. */
export async function* bodiesOf({ head, parts }: Rows): AsyncGenerator<ByteStream> {
  const rest = { isEmpty: false };
  try {
    while (!rest.isEmpty) yield inBlocks(textOf(head, enoughOf(parts, rest)));
  } finally {
    await parts.return(undefined);
  }
}

/** Parts that are enough for one text; tells when there are no more. */
async function* enoughOf(parts: AsyncGenerator<Part>, rest: { isEmpty: boolean }): AsyncGenerator<Part> {
  for (let bytes = 0; ; ) {
    const { done, value } = await parts.next();
    if (done === true) {
      rest.isEmpty = true;
      return;
    }
    yield value;
    bytes += value.page?.length ?? 0;
    if (bytes >= enoughBytes && mayBeDivided.has(value.array)) return;
  }
}

async function* textOf(head: string, parts: AsyncIterable<Part>): AsyncGenerator<ExportPage> {
  yield head;
  let open: string | undefined;
  let isFirst = true;
  for await (const { array, page } of parts) {
    if (array !== open) {
      yield `${open === undefined ? "" : "]"},"${array}":[`;
      open = array;
      isFirst = true;
    }
    if (page === undefined) continue;
    if (!isFirst) yield ",";
    yield page;
    isFirst = false;
  }
  yield open === undefined ? "}" : "]}";
}
