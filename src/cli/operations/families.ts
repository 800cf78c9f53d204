import type { Operation } from "../../operation/define.ts";
import type { OperationEntry } from "./operation-entry.ts";

/**
 * The families' declarations, each loaded only when one of its commands is run. The catalogue has the same families.
 */
export const families = {
  health: async () => (await import("../../governance/health/operations.ts")).healthOperations,
  sessions: async () => (await import("../../capture/sessions/operations.ts")).sessionOperations,
  observations: async () => (await import("../../capture/observations/operations.ts")).observationOperations,
  commits: async () => (await import("../../capture/commits/operations.ts")).commitOperations,
  branches: async () => (await import("../../capture/branches/operations.ts")).branchOperations,
  projects: async () => (await import("../../capture/projects/operations.ts")).projectOperations,
  replay: async () => (await import("../../capture/replay/operations.ts")).replayOperations,
  files: async () => (await import("../../capture/files/operations.ts")).fileOperations,
  memories: async () => (await import("../../knowledge/memories/operations.ts")).memoryOperations,
  relations: async () =>
    (await import("../../knowledge/memories/relations/operations.ts")).relationOperations,
  patterns: async () => (await import("../../knowledge/patterns/operations.ts")).patternOperations,
  facts: async () => (await import("../../knowledge/facts/operations.ts")).factOperations,
  procedures: async () => (await import("../../knowledge/procedures/operations.ts")).procedureOperations,
  insights: async () => (await import("../../knowledge/insights/operations.ts")).insightOperations,
  migration: async () => (await import("../../governance/migration/operations.ts")).migrationOperations,
  lessons: async () => (await import("../../knowledge/lessons/operations.ts")).lessonOperations,
  slots: async () => (await import("../../knowledge/slots/operations.ts")).slotOperations,
  profiles: async () => (await import("../../knowledge/profiles/operations.ts")).profileOperations,
  summaries: async () => (await import("../../knowledge/summaries/operations.ts")).summaryOperations,
  consolidations: async () =>
    (await import("../../knowledge/consolidation/operations.ts")).consolidationOperations,
  search: async () => (await import("../../recall/search/operations.ts")).searchOperations,
  context: async () => (await import("../../recall/context/operations.ts")).contextOperations,
  enrich: async () => (await import("../../recall/enrich/operations.ts")).enrichOperations,
  timeline: async () => (await import("../../recall/timeline/operations.ts")).timelineOperations,
  followups: async () => (await import("../../recall/followup/operations.ts")).followupOperations,
  actions: async () => (await import("../../coordination/actions/operations.ts")).actionOperations,
  frontier: async () =>
    (await import("../../coordination/actions/frontier/operations.ts")).frontierOperations,
  leases: async () => (await import("../../coordination/leases/operations.ts")).leaseOperations,
  sketches: async () => (await import("../../coordination/sketches/operations.ts")).sketchOperations,
  crystals: async () => (await import("../../knowledge/crystals/operations.ts")).crystalOperations,
  flow: async () => (await import("../../knowledge/flow/operations.ts")).flowOperations,
  vision: async () => (await import("../../recall/vision/operations.ts")).visionOperations,
  governance: async () => (await import("../../governance/deletion/operations.ts")).governanceOperations,
  retention: async () => (await import("../../governance/retention/operations.ts")).retentionOperations,
  provenance: async () => (await import("../../governance/provenance/operations.ts")).provenanceOperations,
  diagnostics: async () => (await import("../../governance/diagnostics/operations.ts")).diagnosticsOperations,
  signals: async () => (await import("../../coordination/signals/operations.ts")).signalOperations,
  checkpoints: async () =>
    (await import("../../coordination/checkpoints/operations.ts")).checkpointOperations,
  sentinels: async () => (await import("../../coordination/sentinels/operations.ts")).sentinelOperations,
  routines: async () => (await import("../../coordination/routines/operations.ts")).routineOperations,
  facets: async () => (await import("../../coordination/facets/operations.ts")).facetOperations,
  graph: async () => (await import("../../graph/operations.ts")).graphOperations,
  team: async () => (await import("../../sharing/team/operations.ts")).teamOperations,
  vault: async () => (await import("../../sharing/vault/operations.ts")).vaultOperations,
  bridge: async () => (await import("../../sharing/bridge/operations.ts")).bridgeOperations,
  mesh: async () => (await import("../../sharing/mesh/operations.ts")).meshOperations,
  audit: async () => (await import("../../governance/audit/operations.ts")).auditOperations,
  transfer: async () => (await import("../../governance/transfer/operations.ts")).transferOperations,
  snapshots: async () => (await import("../../governance/snapshots/operations.ts")).snapshotOperations,
  mcp: async () => (await import("../../mcp/operations.ts")).mcpOperations,
} satisfies Record<string, () => Promise<readonly Operation[]>>;

export type Family = keyof typeof families;

export async function loadOperation({ family, id }: OperationEntry): Promise<Operation> {
  const members: readonly Operation[] = await families[family]();
  const operation = members.find((member) => member.id === id);
  if (operation === undefined) throw new Error(`the family ${family} has no operation ${id}`);
  return operation;
}
