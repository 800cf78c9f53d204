import type { MeshPeer } from "../../../sharing/mesh/record.ts";
import type { Answers } from "../../answers.ts";
import { ReadError, type Reader } from "../../api.ts";
import { type Child, h } from "../../element.ts";
import { statusChip, tagChips } from "../../parts/chips.ts";
import { line } from "../../parts/line.ts";
import { listOf, pageOf } from "../../parts/list.ts";
import { timed } from "../../parts/time.ts";
import type { View } from "../../view.ts";

export const mesh: View = {
  name: "mesh",
  label: "Mesh",
  show: async (reader, route) => {
    const answer = await peersAt(reader, pageOf(route));
    return {
      title: "Mesh peers",
      body: listOf(route, answer, answer.peers.map(peerRow), {
        unit: ["peer", "peers"],
        order: "newest first",
        nothing: ["There are no mesh peers yet.", "memsvc mesh add https://memory.example.org office"],
      }),
    };
  },
};

/** Without a secret the mesh is off, and the server's error does not say how to switch it on. */
async function peersAt(reader: Reader, page: ReturnType<typeof pageOf>): Promise<Answers["/mesh/peers"]> {
  try {
    return await reader.get("/mesh/peers", page);
  } catch (error) {
    if (!(error instanceof ReadError) || !error.message.includes("MEMSVC_SECRET")) throw error;
    throw new ReadError(
      "feature_off",
      error.message,
      "give both machines the same MEMSVC_SECRET, then restart their daemons",
    );
  }
}

function peerRow({
  id,
  name,
  url,
  status,
  lastSyncAt,
  lastError,
  sharedScopes,
  syncFilter,
}: MeshPeer): Child {
  return [
    h("h3", {}, name),
    line(
      statusChip(status),
      h("code", {}, url),
      lastSyncAt === undefined ? "no exchange yet" : timed("last exchange", lastSyncAt),
      syncFilter !== undefined && `only project ${syncFilter.project}`,
      h("code", { class: "id" }, id),
    ),
    lastError !== undefined && h("p", { class: "fault" }, lastError),
    tagChips(sharedScopes, "What is exchanged"),
  ];
}
