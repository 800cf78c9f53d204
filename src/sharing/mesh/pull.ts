import type { ByteStream } from "../../operation/define.ts";
import { isMemsvcError, MemsvcError } from "../../operation/errors.ts";
import { timeText } from "../../operation/fields.ts";
import type { DryRun } from "../../store/store.ts";
import { askPeer } from "./ask-peer.ts";
import { callTimeoutMs, type Exchange, knownTo, momentsOf, notOfMesh } from "./exchange.ts";
import type { Sending } from "./incoming.ts";
import { peerBase } from "./peer-url.ts";
import { type ReadBody, receiveRows, type TakenRows } from "./receive.ts";

/** What one call brings, as far as the peer knows of pages: more than arrives in its time on a slow line is no good. */
const pageBytes = 4 * 1024 * 1024;
/** All pages of a pull may take as much as so many answers of the greatest length. */
const mostAnswers = 16;
/** A page counts as this part of such an answer at least, so that a peer which gives next to nothing at a time ends too. */
const leastPart = 1 / 256;

/** Takes what a peer has that is not known yet: all pages are read first, then stored together, or in a dry run tried. */
export async function pull(exchange: Exchange, { dryRun }: DryRun): Promise<TakenRows> {
  const { ground, services, peer, scopes } = exchange;
  const since = knownTo(peer.pulledTo, scopes);
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
  // A clock that was set back: what was changed since then carries times that count as known. So all is asked for again.
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

/** For the pages of one pull. Error: unavailable when they take too much together. */
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

/** What is wrong with rows that were asked for is the peer's fault, and not that of a request to here. */
function asAnswered(error: unknown): unknown {
  const isOfTheRows = isMemsvcError(error, "invalid_input") || isMemsvcError(error, "too_large");
  if (!isOfTheRows) return error;
  const { message, cause } = error;
  return new MemsvcError("unavailable", `the peer's answer cannot be used: ${message}`, { cause });
}
