import { json } from "node:stream/consumers";
import * as z from "zod";
import { bodyText } from "../../operation/body-text.ts";
import { defineOperation } from "../../operation/define.ts";
import { dryRunInput, int, Offset, TimeText } from "../../operation/fields.ts";
import { Imported } from "./answers.ts";
import { importStrategies } from "./strategies.ts";

const Rows = z.array(z.record(z.string(), z.unknown()));

/** An export file; the fields of its rows are described with the records of their families. */
const ExportData = z
  .looseObject({
    version: z.string().optional().describe("version of the service that made it"),
    exportedAt: TimeText.optional().describe("when it was made"),
    sessions: Rows.optional().describe("sessions, without their summaries"),
    observations: z
      .record(z.string(), Rows)
      .optional()
      .describe("observations with their raw events, by session"),
    memories: Rows.optional().describe("memories, all versions, with the state of their strength curve"),
    summaries: Rows.optional().describe("session summaries"),
    profiles: Rows.optional().describe("project profiles"),
    graphNodes: Rows.optional().describe(
      "nodes of the graph; one with more than 20,000 sources is divided into several records, marked as divided",
    ),
    graphEdges: Rows.optional().describe("edges of the graph, divided likewise"),
    pagination: z.record(z.string(), z.unknown()).optional().describe("which sessions are in it"),
  })
  .meta({ id: "ExportData" });

export const exportStore = defineOperation({
  id: "transfer.export",
  summary: "Write the whole store, or a page of its sessions, as JSON",
  description:
    "Streamed from a consistent view of the store. If it fails midway, the connection ends without the closing brace.",
  functionId: "store.export",
  http: { method: "GET", path: "/export", success: 200 },
  mcp: {
    tool: "memory_export",
    effects: "read",
    title: "Export",
    description:
      "Get the whole store, or a page of its sessions, as JSON; for a large store, only counts and how to get the file. Use it only when the user asks for an export.",
    arguments: { maxSessions: true, offset: true },
    ifTooLarge: async (core) => ({
      counts: await core.transfer.counts(),
      route: "GET /memsvc/export",
      hint: "get the file with `memsvc export <file>` or from the route; sessions alone come in pages with maxSessions and an offset above 0",
    }),
  },
  bare: { field: "version" },
  input: z.object({
    maxSessions: int(1, Number.MAX_SAFE_INTEGER)
      .optional()
      .describe(
        "sessions on the page, at most 1,000; without it and without an offset, everything is exported",
      ),
    offset: Offset.describe("sessions to skip, oldest first"),
    includeImages: z.boolean().optional().describe("include the images themselves"),
  }),
  output: ExportData,
  errors: ["invalid_input"],
  run: async (core, input, caller) => {
    await core.recallsNoted();
    // The export writes its text in the form of ExportData.
    return (await json(core.transfer.export(input, caller))) as z.input<typeof ExportData>;
  },
  runToText: async (core, input, caller) => {
    await core.recallsNoted();
    return core.transfer.export(input, caller);
  },
});

export const importStore = defineOperation({
  id: "transfer.import",
  summary: "Import an export into the store, all or nothing",
  description:
    "Read as a stream of up to MEMSVC_MAX_IMPORT_BYTES. Every row is checked, and all rows are written in one transaction: if one is invalid, nothing is imported.",
  functionId: "store.import",
  http: { method: "POST", path: "/import", success: 200 },
  deletes: true,
  input: z.object({
    exportData: ExportData.describe("an export, whole or a page"),
    strategy: z
      .enum(importStrategies)
      .default("merge")
      .describe(
        "for rows that exist already: keep the newer (merge) or the existing one (skip); replace first deletes all rows of the collections in the file",
      ),
    ...dryRunInput,
  }),
  output: Imported,
  errors: ["invalid_input", "conflict", "too_large"],
  run: (core, input, caller) => core.transfer.import(bodyText(input), caller),
  runOnBody: (core, body, caller, { dryRun }) => core.transfer.import(body, caller, { dryRun }),
});

export const transferOperations = [exportStore, importStore];
