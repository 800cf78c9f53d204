import * as z from "zod";
import { defineOperation } from "../../operation/define.ts";
import { dryRunInput, Id, limit, Offset, optionalText, pageFields } from "../../operation/fields.ts";
import { Restored, RestoreTried, Snapshot } from "./record.ts";

export const listSnapshots = defineOperation({
  id: "snapshots.list",
  summary: "List the snapshots of the store, newest first",
  http: { method: "GET", path: "/snapshots", success: 200 },
  cli: { command: "snapshot list", examples: ["memsvc snapshot list", "memsvc snapshot list --json"] },
  input: z.object({
    limit: limit(20, 1_000).describe("how many"),
    offset: Offset.describe("snapshots to skip"),
  }),
  output: z.object({ snapshots: z.array(Snapshot).describe("newest first"), ...pageFields }),
  errors: ["invalid_input"],
  run: (core, input) => core.snapshots.list(input),
});

export const createSnapshot = defineOperation({
  id: "snapshots.create",
  summary: "Create a snapshot of the whole store; the store can be in use",
  functionId: "snapshot.create",
  http: { method: "POST", path: "/snapshot/create", success: 201 },
  cli: {
    command: "snapshot create",
    examples: ["memsvc snapshot create", 'memsvc snapshot create --message "before the clean-up"'],
  },
  mcp: {
    tool: "memory_snapshot_create",
    effects: "write",
    title: "Take a snapshot",
    description:
      "Create a snapshot of the whole store, from which it can be restored. Use it before something that changes or deletes much.",
    arguments: { message: true },
  },
  input: z.object({
    message: optionalText(500).optional().describe("note to store with it"),
  }),
  output: z.object({ snapshot: Snapshot.describe("the snapshot") }),
  errors: ["invalid_input", "conflict", "disk_full"],
  run: async (core, { message = "" }, caller) => ({
    snapshot: await core.snapshots.create(message, "manual", caller),
  }),
});

export const verifySnapshot = defineOperation({
  id: "snapshots.verify",
  summary: "Check a snapshot's checksum and every page of its database",
  http: { method: "GET", path: "/snapshot/verify", success: 200 },
  cli: {
    command: "snapshot verify <snapshotId>",
    examples: ["memsvc snapshot verify snp_01…", "memsvc snapshot verify snp_01… --json"],
  },
  input: z.object({ snapshotId: Id.describe("snapshot to check") }),
  output: z.object({
    snapshot: Snapshot.describe("the snapshot"),
    verified: z.literal(true).describe("true: it is whole"),
  }),
  errors: ["invalid_input", "not_found", "conflict"],
  run: async (core, { snapshotId }) => ({
    snapshot: await core.snapshots.verify(snapshotId),
    verified: true as const,
  }),
});

export const restoreSnapshot = defineOperation({
  id: "snapshots.restore",
  summary: "Restore the store from a snapshot, after taking a snapshot of the current state",
  functionId: "snapshot.restore",
  http: { method: "POST", path: "/snapshot/restore", success: 200 },
  cli: {
    command: "snapshot restore [snapshotId]",
    examples: [
      "memsvc snapshot restore snp_01… --dry-run",
      "memsvc snapshot restore snp_01…",
      "memsvc snapshot restore --commit-hash 3f9a01c",
    ],
  },
  deletes: true,
  input: z
    .object({
      snapshotId: Id.optional().describe("snapshot to restore"),
      commitHash: z
        .string()
        .regex(/^[0-9a-fA-F]{7,64}$/u, "must be 7 to 64 hex digits")
        .transform((digits) => digits.toLowerCase())
        .optional()
        .describe("the first digits of its checksum, at least 7"),
      ...dryRunInput,
    })
    .refine(({ snapshotId, commitHash }) => snapshotId !== undefined || commitHash !== undefined, {
      message: "snapshotId or commitHash required",
    }),
  output: z.union([Restored, RestoreTried]),
  errors: ["invalid_input", "not_found", "conflict", "unavailable", "disk_full"],
  run: (core, { dryRun, ...which }, caller) =>
    dryRun === true ? core.snapshots.tryRestore(which) : core.snapshots.restore(which, caller),
});

export const snapshotOperations = [listSnapshots, createSnapshot, verifySnapshot, restoreSnapshot];
