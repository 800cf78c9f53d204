import { hostname } from "node:os";
import { json } from "node:stream/consumers";
import type { ByteStream } from "../../operation/define.ts";
import { askPeer } from "./ask-peer.ts";
import { bodiesOf } from "./bodies.ts";
import { callTimeoutMs, type Exchange, exchangedUntil, momentsOf, notOfMesh } from "./exchange.ts";
import { type Extent, rowsFor } from "./export-rows.ts";
import { rowsIn } from "./part.ts";
import { peerBase } from "./peer-url.ts";
import { Received } from "./record.ts";

const longestReceipt = 1024 * 1024;

/** Sends a peer the rows that it does not have yet; `count` is called with the receipt of each call. */
export async function push(
  { ground, services, peer, scopes, secret }: Exchange,
  count: (received: Received) => void,
): Promise<void> {
  const startedAt = ground.now();
  const rows = rowsFor(ground, services.projects, {
    ...newTo({ peer, scopes }, startedAt),
    isDivided: true,
    from: `${ground.settings.serviceName}@${hostname()}`,
  });
  const call = {
    url: `${peerBase(peer.url)}/mesh/receive`,
    method: "POST",
    secret,
    mostBytes: longestReceipt,
    timeoutMs: callTimeoutMs,
  } as const;
  for await (const body of bodiesOf(rows)) {
    const receipt = await askPeer(services.addresses, { ...call, body }, async (answer) =>
      Received.safeParse(await jsonOf(answer)),
    );
    if (!receipt.success) throw notOfMesh();
    count(receipt.data);
  }
  await services.peers.note(peer.id, { pushedTo: momentsOf(scopes, startedAt) });
}

/** How many rows a push would send; the peer may know some of them. */
export async function countNewTo({ ground, services, ...to }: Exchange): Promise<number> {
  let count = 0;
  for await (const { rows } of rowsFor(ground, services.projects, newTo(to, ground.now())).parts)
    count += rows === undefined ? 0 : rowsIn(rows.page).length;
  return count;
}

/** The rows that the peer is not known to have. */
function newTo({ peer, scopes }: Pick<Exchange, "peer" | "scopes">, now: number): Extent {
  const pushedTo = exchangedUntil(peer.pushedTo, scopes);
  return {
    scopes,
    // A time in the future shows that our clock was set back: then everything is sent.
    since: pushedTo !== undefined && pushedTo <= now ? pushedTo : undefined,
    project: peer.project ?? undefined,
    peerId: peer.id,
  };
}

function jsonOf(answer: ByteStream): Promise<unknown> {
  return json(answer).catch((error: unknown) => {
    throw error instanceof SyntaxError ? notOfMesh(error) : error;
  });
}
