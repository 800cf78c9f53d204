import * as z from "zod";
import { TimeText, timeText } from "../../operation/fields.ts";
import { recordOf } from "../../operation/record-of.ts";
import type { auditEntries } from "./tables.ts";

/** Every operation that writes an audit entry. */
export const auditOperations = [
  "session_start",
  "session_end",
  "session_abandon",
  "commit_link",
  "compress",
  "summarize",
  "compress_file",
  "remember",
  "evolve",
  "forget",
  "delete",
  "evict",
  "auto_forget",
  "relation_create",
  "consolidate",
  "reflect",
  "cascade_update",
  "lesson_save",
  "lesson_strengthen",
  "lesson_delete",
  "slot_create",
  "slot_append",
  "slot_replace",
  "slot_delete",
  "slot_reflect",
  "crystallize",
  "graph_extract",
  "graph_build",
  "graph_snapshot",
  "graph_reset",
  "graph_import",
  "action_create",
  "action_update",
  "action_edge",
  "lease_acquire",
  "lease_release",
  "lease_renew",
  "routine_save",
  "routine_run",
  "signal_send",
  "checkpoint_create",
  "checkpoint_resolve",
  "sentinel_create",
  "sentinel_trigger",
  "sentinel_cancel",
  "sketch_create",
  "sketch_promote",
  "sketch_discard",
  "facet_tag",
  "facet_remove",
  "project_move",
  "project_separate",
  "share",
  "mesh_peer",
  "mesh_sync",
  "mesh_receive",
  "export",
  "import",
  "vault_export",
  "bridge_sync",
  "migrate",
  "snapshot_create",
  "snapshot_restore",
  "heal",
  "vision_embed",
  "sweep",
] as const;

export type AuditOperation = (typeof auditOperations)[number];

/** The operations after which text is gone for good. Not those on lessons and insights, which are only hidden. */
export const deletingOperations: ReadonlySet<AuditOperation> = new Set<AuditOperation>([
  "forget",
  "delete",
  "evict",
  "auto_forget",
  "slot_replace",
  "slot_delete",
  "graph_reset",
  "sketch_discard",
  "facet_remove",
  "sweep",
]);

export const AuditEntry = z
  .object({
    id: z.string().describe("id of the entry"),
    timestamp: TimeText.describe("when it happened"),
    operation: z.string().describe("what was done, such as remember or forget"),
    functionId: z.string().describe("which function did it"),
    targetIds: z.array(z.string()).describe("records that were touched, at most 1,000"),
    details: z.record(z.string(), z.unknown()).describe("ids, counts and reasons"),
    qualityScore: z.number().optional().describe("0 to 100, of operations that score"),
    agentId: z.string().optional().describe("agent that the request acted for"),
    userId: z.string().optional().describe("MEMSVC_USER_ID, if set"),
  })
  .meta({ id: "AuditEntry" });
export type AuditEntry = z.infer<typeof AuditEntry>;

export function entryRecord(row: typeof auditEntries.$inferSelect): AuditEntry {
  return recordOf<AuditEntry>({ ...row, timestamp: timeText(row.timestamp) });
}
