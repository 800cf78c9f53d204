import { commitCollection } from "../../capture/commits/transfer.ts";
import { imageCollection } from "../../capture/images/transfer.ts";
import { observationCollection } from "../../capture/observations/transfer.ts";
import { projectAliasCollection } from "../../capture/projects/transfer.ts";
import { sessionCollection } from "../../capture/sessions/transfer.ts";
import { actionEdgeCollection } from "../../coordination/actions/edge-transfer.ts";
import { actionCollection } from "../../coordination/actions/transfer.ts";
import { checkpointCollection } from "../../coordination/checkpoints/transfer.ts";
import { facetCollection } from "../../coordination/facets/transfer.ts";
import { leaseCollection } from "../../coordination/leases/transfer.ts";
import { routineCollection, routineRunCollection } from "../../coordination/routines/transfer.ts";
import { sentinelCollection } from "../../coordination/sentinels/transfer.ts";
import { signalCollection } from "../../coordination/signals/transfer.ts";
import { sketchCollection } from "../../coordination/sketches/transfer.ts";
import { graphEdgeCollection } from "../../graph/transfer/edges.ts";
import { graphNodeCollection } from "../../graph/transfer/nodes.ts";
import { crystalCollection } from "../../knowledge/crystals/transfer.ts";
import { factCollection } from "../../knowledge/facts/transfer.ts";
import { insightCollection } from "../../knowledge/insights/transfer.ts";
import { lessonCollection } from "../../knowledge/lessons/transfer.ts";
import { relationCollection } from "../../knowledge/memories/relations/transfer.ts";
import { accessLogCollection } from "../../knowledge/memories/strength/access-log-transfer.ts";
import { memoryCollection } from "../../knowledge/memories/transfer.ts";
import { procedureCollection } from "../../knowledge/procedures/transfer.ts";
import { profileCollection } from "../../knowledge/profiles/transfer.ts";
import { slotCollection } from "../../knowledge/slots/transfer.ts";
import { summaryCollection } from "../../knowledge/summaries/transfer.ts";
import { meshPeerCollection } from "../../sharing/mesh/transfer.ts";
import { teamItemCollection } from "../../sharing/team/transfer.ts";
import { auditCollection } from "../audit/transfer.ts";
import { tombstoneCollection } from "../retention/transfer.ts";
import type { Collection, ImportedCollection } from "./collection.ts";

/** All collections, in the order in which an import stores them: those that others refer to come first. */
export const collections: readonly ImportedCollection[] = [
  projectAliasCollection,
  sessionCollection,
  observationCollection,
  imageCollection,
  summaryCollection,
  commitCollection,
  memoryCollection,
  relationCollection,
  graphNodeCollection,
  graphEdgeCollection,
  accessLogCollection,
  lessonCollection,
  insightCollection,
  factCollection,
  procedureCollection,
  slotCollection,
  profileCollection,
  sketchCollection,
  actionCollection,
  checkpointCollection,
  sentinelCollection,
  actionEdgeCollection,
  leaseCollection,
  routineCollection,
  routineRunCollection,
  signalCollection,
  facetCollection,
  teamItemCollection,
  crystalCollection,
  meshPeerCollection,
  auditCollection,
  tombstoneCollection,
];

/** The arrays of an export besides sessions, observations and summaries, in the order of the file. */
export const exportedArrays: readonly Collection[] = [
  memoryCollection,
  profileCollection,
  graphNodeCollection,
  graphEdgeCollection,
  factCollection,
  procedureCollection,
  lessonCollection,
  insightCollection,
  commitCollection,
  relationCollection,
  accessLogCollection,
  crystalCollection,
  slotCollection,
  actionCollection,
  actionEdgeCollection,
  leaseCollection,
  routineCollection,
  routineRunCollection,
  signalCollection,
  checkpointCollection,
  sentinelCollection,
  sketchCollection,
  facetCollection,
  teamItemCollection,
  meshPeerCollection,
  auditCollection,
  projectAliasCollection,
  imageCollection,
  tombstoneCollection,
];
