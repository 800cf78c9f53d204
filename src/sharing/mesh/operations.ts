import { json } from "node:stream/consumers";
import * as z from "zod";
import { bodyText } from "../../operation/body-text.ts";
import { defineOperation } from "../../operation/define.ts";
import {
  clamped,
  dryRunInput,
  dryRunOutput,
  Id,
  limit,
  Name,
  Offset,
  ProjectName,
  pageFields,
  str,
  TagsOrCsv,
  Time,
} from "../../operation/fields.ts";
import { orQueued, waitMs, whenQueued } from "../../operation/long-operation.ts";
import { After } from "./cursor.ts";
import { MeshPeer, MeshScope, Received, SyncResult } from "./record.ts";
import { meshScopes } from "./scope-names.ts";
import { MeshRows } from "./wire.ts";

const Scopes = TagsOrCsv.pipe(z.array(MeshScope));
const scopeNames = meshScopes.join(", ");

export const addPeer = defineOperation({
  id: "mesh.addPeer",
  functionId: "mesh.peer",
  summary: "Add another memsvc as a peer to exchange rows with",
  description:
    "Both use the same MEMSVC_SECRET. Loopback, private and reserved addresses are refused unless MEMSVC_MESH_ALLOW_PRIVATE lists them.",
  http: { method: "POST", path: "/mesh/peers", success: 201 },
  cli: {
    command: "mesh add <url> <name>",
    flags: { sharedScopes: "scope" },
    examples: [
      "memsvc mesh add https://memory.example.org office",
      "memsvc mesh add https://memory.example.org office --scope memories --scope relations",
      `memsvc mesh add https://memory.example.org office --sync-filter '{"project":"shop"}'`,
    ],
  },
  input: z.object({
    url: str(2_000).describe("its address; /memsvc is added if it has no path"),
    name: Name.describe("name for the peer"),
    sharedScopes: Scopes.refine((scopes) => scopes.length > 0, "must name at least one scope")
      .optional()
      .describe(`what to exchange with it: any of ${scopeNames} (default: everything)`),
    syncFilter: z
      .object({ project: ProjectName.optional().describe("exchange only this project") })
      .optional()
      .describe("filter for the exchange"),
  }),
  output: z.object({ peer: MeshPeer.describe("the peer as stored") }),
  errors: ["invalid_input", "conflict", "feature_off"],
  run: async (core, input, caller) => ({ peer: await core.mesh.addPeer(input, caller) }),
});

export const listPeers = defineOperation({
  id: "mesh.peers",
  summary: "List mesh peers, newest first",
  http: { method: "GET", path: "/mesh/peers", success: 200 },
  cli: { command: "mesh peers", examples: ["memsvc mesh peers", "memsvc mesh peers --json"] },
  input: z.object({
    limit: limit(100, 1_000).describe("maximum number"),
    offset: Offset.describe("peers to skip"),
  }),
  output: z.object({ peers: z.array(MeshPeer).describe("newest first"), ...pageFields }),
  errors: ["invalid_input", "feature_off"],
  run: (core, input) => core.mesh.peers(input),
});

export const removePeer = defineOperation({
  id: "mesh.removePeer",
  functionId: "mesh.peer",
  summary: "Remove a peer; what came from it stays",
  description: "If it is added again, it counts as a new peer: everything shared is compared again.",
  http: { method: "DELETE", path: "/mesh/peers", success: 200 },
  cli: {
    command: "mesh remove <peerId>",
    examples: ["memsvc mesh remove peer_01…", "memsvc mesh remove peer_01… --dry-run"],
  },
  deletes: true,
  input: z.object({ peerId: Id.describe("the peer"), ...dryRunInput }),
  output: z.object({ peer: MeshPeer.describe("the peer as it was"), ...dryRunOutput }),
  errors: ["invalid_input", "not_found", "feature_off"],
  run: async (core, input, caller) => ({ peer: await core.mesh.removePeer(input, caller) }),
});

export const syncMesh = defineOperation({
  id: "mesh.sync",
  functionId: "mesh.sync",
  summary: "Exchange rows with one peer or all peers",
  description: "A failing peer is reported in its result; the others continue.",
  http: { method: "POST", path: "/mesh/sync", success: 200, otherwise: whenQueued },
  cli: {
    command: "mesh sync [peerId]",
    flags: { scopes: "scope" },
    examples: [
      "memsvc mesh sync",
      "memsvc mesh sync peer_01… --direction pull",
      "memsvc mesh sync --scope memories --scope relations",
      "memsvc mesh sync --dry-run",
    ],
  },
  deletes: true,
  mcp: {
    tool: "memory_mesh_sync",
    effects: "write",
    openWorld: true,
    title: "Sync with peers",
    description:
      "Exchange records with other running services that were added as peers. Use it when you need here what another machine knows, or the other way round.",
    arguments: {
      peerId: true,
      direction: true,
      scopes: true,
    },
  },
  input: z.object({
    peerId: Id.optional().describe("the peer (default: all)"),
    scopes: Scopes.optional().describe(
      `what to exchange: any of ${scopeNames} (default: everything that is shared with it)`,
    ),
    direction: z.enum(["push", "pull", "both"]).default("both").describe("give, take, or both"),
    ...dryRunInput,
  }),
  output: orQueued(z.object({ results: z.array(SyncResult).describe("one for each peer"), ...dryRunOutput })),
  errors: ["invalid_input", "not_found", "feature_off"],
  run: (core, { scopes, ...input }, caller) =>
    core.mesh.sync(
      { ...input, ...(scopes === undefined || scopes.length === 0 ? {} : { scopes }) },
      waitMs(core, caller),
      caller,
    ),
});

export const receiveRows = defineOperation({
  id: "mesh.receive",
  functionId: "mesh.receive",
  summary: "Accept rows from another memsvc; the later version of each row wins",
  description:
    "Read as a stream of up to MEMSVC_MAX_IMPORT_BYTES, then stored in transactions of a thousand rows. Only faulty rows are left out.",
  http: { method: "POST", path: "/mesh/receive", success: 200 },
  input: MeshRows,
  output: Received,
  errors: ["invalid_input", "too_large", "feature_off"],
  run: (core, input) => core.mesh.receive(bodyText(input)),
  runOnBody: (core, body) => core.mesh.receive(body),
});

export const exportRows = defineOperation({
  id: "mesh.export",
  functionId: "mesh.export",
  summary: "Return the rows that another memsvc does not have yet",
  description:
    "Streamed from a consistent view of the store. If it fails midway, the connection ends without the closing brace. With pageBytes the rows come in pages, each from its own view: what is written meanwhile is in a later page, or in the next export since the first page's exportedAt.",
  http: { method: "GET", path: "/mesh/export", success: 200 },
  bare: { field: "version" },
  input: z.object({
    since: Time.optional().describe("only rows that changed or arrived here since then"),
    project: ProjectName.optional().describe("only rows of this project"),
    scopes: Scopes.optional().describe(
      `what to return, separated by commas: any of ${scopeNames} (default: everything)`,
    ),
    pageBytes: clamped(1, Number.MAX_SAFE_INTEGER)
      .optional()
      .describe("approximate size of a page (default: everything in one response)"),
    after: After.optional().describe("`next` of the previous page, to continue after it"),
  }),
  output: MeshRows,
  errors: ["invalid_input", "feature_off"],
  // The export writes its text in the form of MeshRows.
  run: async (core, input) => (await json(core.mesh.export(input))) as z.input<typeof MeshRows>,
  runToText: async (core, input) => core.mesh.export(input),
});

export const meshOperations = [addPeer, listPeers, removePeer, syncMesh, receiveRows, exportRows];
