import { branchOperations } from "../capture/branches/operations.ts";
import { commitOperations } from "../capture/commits/operations.ts";
import { fileOperations } from "../capture/files/operations.ts";
import { observationOperations } from "../capture/observations/operations.ts";
import { projectOperations } from "../capture/projects/operations.ts";
import { replayOperations } from "../capture/replay/operations.ts";
import { sessionOperations } from "../capture/sessions/operations.ts";
import { frontierOperations } from "../coordination/actions/frontier/operations.ts";
import { actionOperations } from "../coordination/actions/operations.ts";
import { checkpointOperations } from "../coordination/checkpoints/operations.ts";
import { facetOperations } from "../coordination/facets/operations.ts";
import { leaseOperations } from "../coordination/leases/operations.ts";
import { routineOperations } from "../coordination/routines/operations.ts";
import { sentinelOperations } from "../coordination/sentinels/operations.ts";
import { signalOperations } from "../coordination/signals/operations.ts";
import { sketchOperations } from "../coordination/sketches/operations.ts";
import { auditOperations } from "../governance/audit/operations.ts";
import { governanceOperations } from "../governance/deletion/operations.ts";
import { diagnosticsOperations } from "../governance/diagnostics/operations.ts";
import { healthOperations } from "../governance/health/operations.ts";
import { migrationOperations } from "../governance/migration/operations.ts";
import { provenanceOperations } from "../governance/provenance/operations.ts";
import { retentionOperations } from "../governance/retention/operations.ts";
import { snapshotOperations } from "../governance/snapshots/operations.ts";
import { transferOperations } from "../governance/transfer/operations.ts";
import { graphOperations } from "../graph/operations.ts";
import { consolidationOperations } from "../knowledge/consolidation/operations.ts";
import { crystalOperations } from "../knowledge/crystals/operations.ts";
import { factOperations } from "../knowledge/facts/operations.ts";
import { flowOperations } from "../knowledge/flow/operations.ts";
import { insightOperations } from "../knowledge/insights/operations.ts";
import { lessonOperations } from "../knowledge/lessons/operations.ts";
import { memoryOperations } from "../knowledge/memories/operations.ts";
import { relationOperations } from "../knowledge/memories/relations/operations.ts";
import { patternOperations } from "../knowledge/patterns/operations.ts";
import { procedureOperations } from "../knowledge/procedures/operations.ts";
import { profileOperations } from "../knowledge/profiles/operations.ts";
import { slotOperations } from "../knowledge/slots/operations.ts";
import { summaryOperations } from "../knowledge/summaries/operations.ts";
import { mcpOperations } from "../mcp/operations.ts";
import { contextOperations } from "../recall/context/operations.ts";
import { enrichOperations } from "../recall/enrich/operations.ts";
import { followupOperations } from "../recall/followup/operations.ts";
import { searchOperations } from "../recall/search/operations.ts";
import { timelineOperations } from "../recall/timeline/operations.ts";
import { visionOperations } from "../recall/vision/operations.ts";
import { bridgeOperations } from "../sharing/bridge/operations.ts";
import { meshOperations } from "../sharing/mesh/operations.ts";
import { teamOperations } from "../sharing/team/operations.ts";
import { vaultOperations } from "../sharing/vault/operations.ts";
import type { Operation } from "./define.ts";

/** Every operation of memsvc, family by family. An operation that is missing here appears on no face. */
export const catalogue: readonly Operation[] = [
  ...healthOperations,
  ...sessionOperations,
  ...observationOperations,
  ...commitOperations,
  ...branchOperations,
  ...projectOperations,
  ...replayOperations,
  ...fileOperations,
  ...memoryOperations,
  ...relationOperations,
  ...lessonOperations,
  ...slotOperations,
  ...factOperations,
  ...procedureOperations,
  ...insightOperations,
  ...migrationOperations,
  ...patternOperations,
  ...profileOperations,
  ...summaryOperations,
  ...consolidationOperations,
  ...searchOperations,
  ...contextOperations,
  ...enrichOperations,
  ...timelineOperations,
  ...followupOperations,
  ...signalOperations,
  ...facetOperations,
  ...routineOperations,
  ...sentinelOperations,
  ...checkpointOperations,
  ...graphOperations,
  ...actionOperations,
  ...frontierOperations,
  ...leaseOperations,
  ...sketchOperations,
  ...crystalOperations,
  ...flowOperations,
  ...visionOperations,
  ...teamOperations,
  ...vaultOperations,
  ...bridgeOperations,
  ...meshOperations,
  ...auditOperations,
  ...governanceOperations,
  ...retentionOperations,
  ...provenanceOperations,
  ...diagnosticsOperations,
  ...transferOperations,
  ...snapshotOperations,
  ...mcpOperations,
];
