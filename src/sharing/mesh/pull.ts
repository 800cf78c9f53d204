import type { ByteStream } from "../../operation/define.ts";
import { isMemsvcError, MemsvcError } from "../../operation/errors.ts";
import { timeText } from "../../operation/fields.ts";
import type { DryRun } from "../../store/store.ts";
import { askPeer } from "./ask-peer.ts";
import { callTimeoutMs, type Exchange, exchangedUntil, momentsOf, notOfMesh } from "./exchange.ts";
import type { Sending } from "./incoming.ts";
import { peerBase } from "./peer-url.ts";
import { type ReadBody, receiveRows, type TakenRows } from "./receive.ts";

/**
 * How many bytes a peer is asked for at a time: a longer answer might not arrive within the timeout on a slow
 * line. Peers that do not know of pages send everything.
 */
const pageBytes = 4 * 1024 * 1024;
/** All pages of a pull together may be as long as this many answers of the greatest allowed length. */
const mostAnswers = 16;
/**
 * A page counts as at least this fraction of such an answer, so that a pull ends even if a peer sends tiny
 * pages for ever.
 */
const leastPart = 1 / 256;

/**
 * Takes new rows from a peer: all pages are read first, then stored together (or, in a dry run, only tried).
 */
export async function pull(exchange: Exchange, { dryRun }: DryRun): Promise<TakenRows> {
  const { ground, services, peer, scopes } = exchange;
  const since = exchangedUntil(peer.pulledTo, scopes);
  let exportedAt: number | undefined;
  const received = await receiveRows(
    ground,
    services,
    async (readBody) => {
      const within = allowance(ground.settings.maxImportBytes);
      const read: ReadBody = (answer) => readBody(within(answer));
      const first = await page(exchange, read, { since });
      exportedAt = first.exportedAt;
      const passed = new Set<string>();
      for (let { next } = first; next !== undefined; ) {
        if (passed.has(next)) throw notOfMesh();
        passed.add(next);
        ({ next } = await page(exchange, read, { since, after: next }));
      }
      return first;
    },
    { peer: { id: peer.id, name: peer.name }, scopes, dryRun },
  );
  if (dryRun === true) return received;
  // An `exportedAt` before `since` shows that the peer's clock was set back: rows changed since then may have
  // times that count as known. So the next pull asks for everything.
  const pulledTo = since === undefined || exportedAt === undefined || exportedAt >= since ? exportedAt : 0;
  if (pulledTo !== undefined) await services.peers.note(peer.id, { pulledTo: momentsOf(scopes, pulledTo) });
  return received;
}

async function page(
  { ground, services, peer, scopes, secret }: Exchange,
  read: ReadBody,
  { since, after }: { readonly since: number | undefined; readonly after?: string },
): Promise<Sending> {
  const query = new URLSearchParams({ scopes: scopes.join(","), pageBytes: String(pageBytes) });
  if (since !== undefined) query.set("since", timeText(since));
  if (peer.project !== null) query.set("project", peer.project);
  if (after !== undefined) query.set("after", after);
  const call = {
    url: `${peerBase(peer.url)}/mesh/export?${query}`,
    method: "GET",
    secret,
    mostBytes: ground.settings.maxImportBytes,
    timeoutMs: callTimeoutMs,
  } as const;
  const sending = await askPeer(services.addresses, call, (answer) =>
    read(answer).catch((error: unknown) => {
      throw asAnswered(error);
    }),
  );
  if (!sending.isOfMesh) throw notOfMesh();
  return sending;
}

/** Limits the pages of one pull. Error: unavailable when they are too long together. */
function allowance(answerBytes: number): (page: ByteStream) => ByteStream {
  const mostBytes = mostAnswers * answerBytes;
  let spent = 0;
  return async function* within(page) {
    let bytes = 0;
    for await (const chunk of page) {
      bytes += chunk.byteLength;
      if (spent + bytes > mostBytes) throw tooMuch(mostBytes);
      yield chunk;
    }
    spent += Math.max(bytes, leastPart * answerBytes);
  };
}

function tooMuch(mostBytes: number): MemsvcError {
  return new MemsvcError("unavailable", `the peer's answers take more than ${mostBytes} bytes together`, {
    hint: "exchange fewer scopes at once, or raise MEMSVC_MAX_IMPORT_BYTES",
  });
}

/** A fault in rows that we asked for is the peer's fault, not that of a request to this service. */
function asAnswered(error: unknown): unknown {
  const isOfTheRows = isMemsvcError(error, "invalid_input") || isMemsvcError(error, "too_large");
  if (!isOfTheRows) return error;
  const { message, cause } = error;
  return new MemsvcError("unavailable", `the peer's answer cannot be used: ${message}`, { cause });
}
