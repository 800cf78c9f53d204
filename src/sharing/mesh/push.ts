import { hostname } from "node:os";
import type { ByteStream } from "../../operation/define.ts";
import { askPeer } from "./ask-peer.ts";
import { bodiesOf } from "./bodies.ts";
import { callTimeoutMs, type Exchange, knownTo, momentsOf, notOfMesh } from "./exchange.ts";
import { rowsFor } from "./export-rows.ts";
import { peerBase } from "./peer-url.ts";
import { Received } from "./record.ts";

const longestReceipt = 1024 * 1024;

/** Gives a peer what it does not have yet; `count` is told of each call that it took. */
export async function push(
  { ground, services, peer, scopes, secret }: Exchange,
  count: (received: Received) => void,
): Promise<void> {
  const startedAt = ground.now();
  const pushedTo = knownTo(peer.pushedTo, scopes);
  const rows = rowsFor(ground, services.projects, {
    scopes,
    // A time to come shows that the clock was set back.
    since: pushedTo !== undefined && pushedTo <= startedAt ? pushedTo : undefined,
    project: peer.project ?? undefined,
    peerId: peer.id,
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

async function jsonOf(answer: ByteStream): Promise<unknown> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of answer) chunks.push(chunk);
  try {
    return JSON.parse(Buffer.concat(chunks).toString());
  } catch (error) {
    throw notOfMesh(error);
  }
}
