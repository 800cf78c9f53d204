import type { ExportPage } from "../../governance/transfer/collection.ts";
import { inBlocks } from "../../governance/transfer/json-blocks.ts";
import type { ByteStream } from "../../operation/define.ts";
import { cursorText } from "./cursor.ts";
import { enoughBytes } from "./edges-with-ends.ts";
import type { Rows } from "./export-rows.ts";
import type { Part } from "./part.ts";

/*
 * Rows as JSON texts. A peer that asks for rows gets one text: all rows, or a page with the position where to
 * go on. Rows that are pushed are divided over several texts, because the peer has to store each within the
 * timeout of its call.
 */

/** All rows as one text. */
export function wholeBody({ head, parts }: Rows): ByteStream {
  return inBlocks(textOf(head, parts));
}

/**
 * All rows, divided into several texts (at least one). Each text has to be read to its end before the next is
 * asked for.
 */
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

/** Rows as one text of about `bytes` bytes; if rows are left, its `next` member says where to go on. */
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
  /** Whether no parts are left. */
  isEmpty: boolean;
  /** The rows that were taken last. */
  last: Part["rows"];
}

/** Takes parts until they amount to `enough` bytes and the rows may end there. */
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
