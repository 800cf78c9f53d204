import * as z from "zod";
import { TimeText, timeText } from "../../operation/fields.ts";
import { recordOfRow } from "../../operation/record-of.ts";
import { meshScopes } from "./scope-names.ts";
import type { meshPeers } from "./tables.ts";

export const MeshScope = z.enum(meshScopes);
export const PeerStatus = z.enum(["connected", "disconnected", "syncing", "error"]);
export type PeerStatus = z.infer<typeof PeerStatus>;

export const MeshPeer = z
  .object({
    id: z.string().describe("id of the peer"),
    url: z.string().describe("its address"),
    name: z.string().describe("what it is called here"),
    status: PeerStatus.describe("how the last exchange went"),
    lastSyncAt: TimeText.optional().describe("when rows were last exchanged without a failure"),
    lastError: z.string().optional().describe("why the last exchange failed"),
    sharedScopes: z.array(MeshScope).describe("what is exchanged with it"),
    syncFilter: z
      .object({ project: z.string().describe("exchange only this project") })
      .optional()
      .describe("filter for the exchange"),
    createdAt: TimeText.describe("when it was registered"),
  })
  .meta({ id: "MeshPeer" });
export type MeshPeer = z.infer<typeof MeshPeer>;

export type PeerRow = typeof meshPeers.$inferSelect;

export function peerRecord(row: PeerRow): MeshPeer {
  return recordOfRow(MeshPeer, row, {
    lastSyncAt: timeText(row.lastSyncAt),
    syncFilter: row.project === null ? null : { project: row.project },
    createdAt: timeText(row.createdAt),
  });
}

/** The outcome of an exchange with one peer. */
export const SyncResult = z.object({
  peerId: z.string().describe("the peer"),
  peerName: z.string().describe("what it is called here"),
  pushed: z.number().int().describe("rows that the peer accepted; in a dry run, those that would be sent"),
  pulled: z.number().int().describe("rows that were accepted from the peer"),
  rejected: z.number().int().describe("rows that one side rejected because they are faulty"),
  deleted: z
    .number()
    .int()
    .optional()
    .describe("present if rows were deleted here because the peer reported their deletion"),
  errors: z.array(z.string()).describe("why it failed; empty when it did not"),
});
export type SyncResult = z.infer<typeof SyncResult>;

/** The outcome of storing incoming rows. */
export const Received = z.object({
  accepted: z.number().int().describe("rows that changed the store"),
  skipped: z.number().int().describe("rows that are known, older than what is known, or deleted here"),
  rejected: z.number().int().describe("faulty rows"),
  issues: z
    .array(
      z.object({
        path: z.string().describe("row and field, such as memories.3.type"),
        message: z.string().describe("what is wrong with it"),
      }),
    )
    .describe("what is wrong with faulty rows, the first 50"),
});
export type Received = z.infer<typeof Received>;
