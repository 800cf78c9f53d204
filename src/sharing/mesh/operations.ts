import { json } from "node:stream/consumers";
import * as z from "zod";
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
  summary: "Register another memsvc to exchange rows with",
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
    url: str(2_000).describe("its address; /memsvc is added where it has no path"),
    name: Name.describe("what to call it"),
    sharedScopes: Scopes.refine((scopes) => scopes.length > 0, "must name at least one scope")
      .optional()
      .describe(`what is exchanged with it, of ${scopeNames}; everything unless given`),
    syncFilter: z
      .object({ project: ProjectName.optional().describe("project that alone is exchanged") })
      .optional()
      .describe("what confines the exchange"),
  }),
  output: z.object({ peer: MeshPeer.describe("the peer as stored") }),
  errors: ["invalid_input", "conflict", "feature_off"],
  run: async (core, input, caller) => ({ peer: await core.mesh.addPeer(input, caller) }),
});

export const listPeers = defineOperation({
  id: "mesh.peers",
  summary: "List the services that rows are exchanged with, newest first",
  http: { method: "GET", path: "/mesh/peers", success: 200 },
  cli: { command: "mesh peers", examples: ["memsvc mesh peers", "memsvc mesh peers --json"] },
  input: z.object({
    limit: limit(100, 1_000).describe("how many at most"),
    offset: Offset.describe("peers to pass over"),
  }),
  output: z.object({ peers: z.array(MeshPeer).describe("newest first"), ...pageFields }),
  errors: ["invalid_input", "feature_off"],
  run: (core, input) => core.mesh.peers(input),
});

export const removePeer = defineOperation({
  id: "mesh.removePeer",
  functionId: "mesh.peer",
  summary: "Stop exchanging rows with a peer; what came from it stays",
  description: "Registered once more, it is a new peer: everything that is shared is then compared again.",
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
  summary: "Exchange rows with one peer or with all",
  description: "A peer that fails is told of in its result; the others go on.",
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
      "Exchange records with other running services that were registered as peers. Use it when what another machine knows is wanted here, or the other way round.",
    arguments: {
      peerId: true,
      direction: true,
      scopes: true,
    },
  },
  input: z.object({
    peerId: Id.optional().describe("the peer; all of them unless given"),
    scopes: Scopes.optional().describe(
      `what to exchange, of ${scopeNames}; everything that is shared with it unless given`,
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
  summary: "Take rows from another memsvc, of each the later version",
  description:
    "Read as a stream of up to MEMSVC_MAX_IMPORT_BYTES, then stored a thousand rows in a transaction. A faulty row is left out alone.",
  http: { method: "POST", path: "/mesh/receive", success: 200 },
  input: MeshRows,
  output: Received,
  errors: ["invalid_input", "too_large", "feature_off"],
  run: (core, input) => core.mesh.receive(textOf(input)),
  runOnBody: (core, body) => core.mesh.receive(body),
});

async function* textOf(value: unknown): AsyncGenerator<Uint8Array> {
  yield new TextEncoder().encode(JSON.stringify(value));
}

export const exportRows = defineOperation({
  id: "mesh.export",
  functionId: "mesh.export",
  summary: "Give another memsvc the rows that it does not have yet",
  description:
    "Streamed from one moment's view of the store. When it fails on the way the connection ends without the closing brace. With pageBytes it is given in pages, each from a view of its own: what is written meanwhile is in them, or in the next export since the first page's exportedAt.",
  http: { method: "GET", path: "/mesh/export", success: 200 },
  bare: { field: "version" },
  input: z.object({
    since: Time.optional().describe("only rows that changed here, or came here, since then"),
    project: ProjectName.optional().describe("only rows of this project"),
    scopes: Scopes.optional().describe(
      `what to give, with commas between, of ${scopeNames}; everything unless given`,
    ),
    pageBytes: clamped(1, Number.MAX_SAFE_INTEGER)
      .optional()
      .describe("about how long an answer may be; all in one unless given"),
    after: After.optional().describe("what the answer before gave as next, to go on behind it"),
  }),
  output: MeshRows,
  errors: ["invalid_input", "feature_off"],
  // The text is being made as such rows.
  run: async (core, input) => (await json(core.mesh.export(input))) as z.input<typeof MeshRows>,
  runToText: async (core, input) => core.mesh.export(input),
});

export const meshOperations = [addPeer, listPeers, removePeer, syncMesh, receiveRows, exportRows];
