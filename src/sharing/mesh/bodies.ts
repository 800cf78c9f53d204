import type { ExportPage } from "../../governance/transfer/collection.ts";
import { inBlocks } from "../../governance/transfer/json-blocks.ts";
import type { ByteStream } from "../../operation/define.ts";
import { cursorText } from "./cursor.ts";
import { enoughBytes, type Part, type Rows } from "./export-rows.ts";

/*
 * Rows as JSON texts. Whoever asks for them gets one, or as much as was wanted and how to go on; what is pushed goes in
 * several, because the peer has to store each while the time of its call runs.
 */

/** All rows as one text in blocks. */
export function wholeBody({ head, parts }: Rows): ByteStream {
  return inBlocks(textOf(head, parts));
}

/** All rows, which are meant to be divided, as texts, at least one; each has to be read before the next is asked for. */
export async function* bodiesOf({ head, parts }: Rows): AsyncGenerator<ByteStream> {
  const rest: Rest = { isEmpty: false, last: undefined };
  try {
    while (!rest.isEmpty)
      yield inBlocks(
        textOf(
          head,
          enoughOf(parts, rest, enoughBytes, ({ mayBeLast }) => mayBeLast),
        ),
      );
  } finally {
    await parts.return(undefined);
  }
}

/** Rows as one text of about so many bytes; while there are more, its `next` tells where to go on. */
export async function* beginningOf({ head, parts }: Rows, bytes: number): ByteStream {
  const rest: Rest = { isEmpty: false, last: undefined };
  const next = async () => {
    if (rest.isEmpty || rest.last === undefined) return "";
    return `,"next":${JSON.stringify(cursorText(await rest.last.end()))}`;
  };
  try {
    yield* inBlocks(textOf(head, enoughOf(parts, rest, bytes), next));
  } finally {
    await parts.return(undefined);
  }
}

interface Rest {
  /** Whether nothing is left. */
  isEmpty: boolean;
  /** What was taken last. */
  last: Part["rows"];
}

/** Parts that are enough for one text. */
async function* enoughOf(
  parts: AsyncGenerator<Part>,
  rest: Rest,
  enough: number,
  mayEnd: (rows: NonNullable<Part["rows"]>) => boolean = () => true,
): AsyncGenerator<Part> {
  for (let bytes = 0; ; ) {
    const { done, value } = await parts.next();
    if (done === true) {
      rest.isEmpty = true;
      return;
    }
    yield value;
    if (value.rows === undefined) continue;
    bytes += value.rows.page.length;
    rest.last = value.rows;
    if (bytes >= enough && mayEnd(value.rows)) return;
  }
}

async function* textOf(
  head: string,
  parts: AsyncIterable<Part>,
  tail: () => Promise<string> = async () => "",
): AsyncGenerator<ExportPage> {
  yield head;
  let open: string | undefined;
  let isFirst = true;
  for await (const { array, rows } of parts) {
    if (array !== open) {
      yield `${open === undefined ? "" : "]"},"${array}":[`;
      open = array;
      isFirst = true;
    }
    if (rows === undefined) continue;
    if (!isFirst) yield ",";
    yield rows.page;
    isFirst = false;
  }
  yield `${open === undefined ? "" : "]"}${await tail()}}`;
}
