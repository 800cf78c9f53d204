import * as z from "zod";
import { FileId, FileText, FileTime, RedactedText } from "../../governance/transfer/file-fields.ts";
import { tableCollection } from "../../governance/transfer/table-collection.ts";
import { hasRow } from "../../store/sql.ts";
import { TableRows } from "../../store/table-rows.ts";
import { peerUrl, plainUrl, sameAddresses } from "./peer-url.ts";
import { MeshScope, PeerStatus, peerRecord } from "./record.ts";
import { meshScopes } from "./scope-names.ts";
import { meshPeers } from "./tables.ts";

const PeerUrl = FileText.transform((given, context) => {
  try {
    return plainUrl(peerUrl(given));
  } catch {
    context.addIssue({ code: "custom", message: "must be a plain http or https address" });
    return z.NEVER;
  }
});

/** Peers, without how far rows were exchanged with them: that is true of this store alone. */
export const meshPeerCollection = tableCollection({
  name: "meshPeers",
  rows: new TableRows(meshPeers, { key: ["id"] }),
  schema: z.object({
    id: FileId,
    url: PeerUrl,
    name: RedactedText.pipe(FileText.min(1).max(400)),
    // An exchange that was running when the file was written is not running here.
    status: PeerStatus.exclude(["syncing"]).catch("disconnected").default("disconnected"),
    lastSyncAt: FileTime.optional(),
    lastError: RedactedText.optional(),
    sharedScopes: z.array(MeshScope).default(() => [...meshScopes]),
    syncFilter: z.object({ project: FileText.optional() }).optional(),
    createdAt: FileTime,
  }),
  record: (row) => peerRecord(row),
  row: async ({ syncFilter, lastSyncAt, lastError, ...given }, { tx }) => {
    const hasTwin = await hasRow(
      tx.sql,
      "SELECT 1 FROM mesh_peers WHERE url IN (SELECT value FROM json_each(?)) AND id <> ?",
      [JSON.stringify(sameAddresses(given.url)), given.id],
    );
    if (hasTwin) return "a peer that is there under another id was left out";
    return {
      ...given,
      project: syncFilter?.project ?? null,
      lastSyncAt: lastSyncAt ?? null,
      lastError: lastError ?? null,
      pulledTo: {},
      pushedTo: {},
      updatedAt: lastSyncAt ?? given.createdAt,
    };
  },
  changedAt: ({ updatedAt }) => updatedAt,
});
