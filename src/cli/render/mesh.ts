import type { OutputOf } from "../../operation/define.ts";
import type { addPeer, listPeers, removePeer, syncMesh } from "../../sharing/mesh/operations.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { dryRunVerb } from "./dry-run.ts";
import { shownTime } from "./time.ts";

export function renderAddedPeer(
  { peer }: OutputOf<typeof addPeer>,
  { paint, isForPeople }: Terminal,
): string {
  return isForPeople ? `${paint.green("added")} ${peer.name} as ${peer.id}` : peer.id;
}

export function renderRemovedPeer(answer: OutputOf<typeof removePeer>): string {
  const { name, url } = answer.peer;
  return `${dryRunVerb(answer, "removed", "remove")} ${name}, ${url}; what came from it stays`;
}

export function renderPeers({ peers }: OutputOf<typeof listPeers>, { paint, isForPeople }: Terminal): string {
  if (peers.length === 0) return "no peers yet";
  return peers
    .flatMap(({ id, name, url, status, lastSyncAt, lastError }) => {
      const when = lastSyncAt === undefined ? "never" : shownTime(lastSyncAt, isForPeople);
      const state = status === "error" ? paint.red(status) : status;
      const reason = lastError === undefined ? [] : [paint.dim(`  ${lastError}`)];
      return [`${id}  ${paint.bold(name)}  ${url}  ${state}, last exchange: ${when}`, ...reason];
    })
    .join("\n");
}

export function renderSync(answer: OutputOf<typeof syncMesh>, { paint }: Terminal): string {
  if ("queued" in answer)
    return `the exchange goes on as job ${answer.jobId}; to see how it went: memsvc mesh peers`;
  if (answer.results.length === 0) return "there are no peers";
  const told = (count: number | undefined, done: string, would: string) =>
    count === undefined || count === 0 ? "" : `, ${count} ${dryRunVerb(answer, done, would)}`;
  return answer.results
    .flatMap(({ peerName, pushed, pulled, rejected, deleted, errors }) => [
      `${paint.bold(peerName)}: ${pulled} ${dryRunVerb(answer, "taken", "be taken")}, ${pushed} ${dryRunVerb(answer, "given", "be given")}${told(deleted, "deleted here", "be deleted here")}${told(rejected, "refused", "be refused")}`,
      ...errors.map((error) => paint.red(`  ${error}`)),
    ])
    .join("\n");
}
