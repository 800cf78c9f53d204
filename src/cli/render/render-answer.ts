import type { operationTable } from "../operations/operations.generated.ts";
import type { Terminal } from "../terminal/terminal.ts";
import {
  renderAction,
  renderActionEdge,
  renderActions,
  renderChangedAction,
  renderCreatedAction,
  renderFrontier,
  renderNext,
} from "./actions.ts";
import { renderBranch, renderBranchSessions, renderWorktrees } from "./branches.ts";
import { renderMemoryFile, renderSynced } from "./bridge.ts";
import { renderCommit, renderCommitSessions, renderCommits } from "./commits.ts";
import { renderConsolidated, renderPipeline, renderReflection } from "./consolidation.ts";
import { renderAutoCrystals, renderCrystal, renderCrystals, renderFlow } from "./crystals.ts";
import { renderDiagnosis, renderHealing } from "./diagnostics.ts";
import {
  renderFacetMatches,
  renderFacetStats,
  renderFacets,
  renderTagged,
  renderUntagged,
} from "./facets.ts";
import {
  renderCheckedSentinels,
  renderCheckpoints,
  renderCreatedCheckpoint,
  renderCreatedSentinel,
  renderOpenedSentinel,
  renderResolvedCheckpoint,
  renderSentinels,
} from "./gates.ts";
import { renderAudit, renderFlags, renderHealth } from "./governance.ts";
import {
  renderCascade,
  renderGraph,
  renderGraphBuild,
  renderGraphExtract,
  renderGraphImport,
  renderGraphReset,
  renderGraphSnapshot,
  renderGraphStats,
} from "./graph.ts";
import {
  renderFacts,
  renderFoundInsights,
  renderInsights,
  renderMigration,
  renderProcedures,
} from "./knowledge.ts";
import { renderLease } from "./leases.ts";
import {
  renderDeletedLesson,
  renderFoundLessons,
  renderLessons,
  renderSavedLesson,
  renderStrengthenedLesson,
} from "./lessons.ts";
import {
  renderEvolved,
  renderForgotten,
  renderMemories,
  renderMemory,
  renderRemembered,
} from "./memories.ts";
import { renderAddedPeer, renderPeers, renderRemovedPeer, renderSync } from "./mesh.ts";
import { renderPatterns, renderRules } from "./patterns.ts";
import { renderProfile } from "./profile.ts";
import { renderMovedProject, renderProjects, renderSeparated } from "./projects.ts";
import { plainly, type Quotation } from "./quotation.ts";
import {
  renderContext,
  renderEnrichment,
  renderFileHistory,
  renderFollowup,
  renderTimeline,
} from "./recall.ts";
import { renderRelated, renderRelations } from "./relations.ts";
import { renderCompressedFile, renderImport, renderReplay } from "./replay.ts";
import {
  renderAutoForget,
  renderBulkDelete,
  renderDeleted,
  renderEvict,
  renderForgottenProject,
  renderVerification,
} from "./retention.ts";
import { renderRoutines, renderRun, renderSavedRoutine, renderStartedRun } from "./routines.ts";
import { renderFullSearch, renderSearch } from "./search.ts";
import {
  renderObservations,
  renderSessionEnd,
  renderSessionStart,
  renderSessions,
  renderSummary,
} from "./sessions.ts";
import { renderSentSignal, renderSignals } from "./signals.ts";
import {
  renderCollectedSketches,
  renderCreatedSketch,
  renderDiscardedSketch,
  renderPromotedSketch,
  renderSketchAction,
  renderSketches,
} from "./sketches.ts";
import {
  renderChangedSlot,
  renderCreatedSlot,
  renderDeletedSlots,
  renderSlot,
  renderSlotReflection,
  renderSlots,
} from "./slots.ts";
import { renderRestored, renderSnapshot, renderSnapshots, renderVerified } from "./snapshots.ts";
import { renderSharedItem, renderTeamFeed, renderTeamProfile } from "./team.ts";
import { printableThroughout } from "./text.ts";
import { renderStoreImport } from "./transfer.ts";
import { renderVault } from "./vault.ts";
import { renderEmbeddedImage, renderImages } from "./vision.ts";

export type Answer = Readonly<Record<string, unknown>>;
type Renderer = (answer: never, terminal: Terminal, quotation: Quotation) => string;

type Entries = typeof operationTable;

/** Every operation that is a command, and those whose answers a command of its own shows. */
type RenderedId =
  | { [Id in keyof Entries]: Entries[Id] extends { readonly command: object } ? Id : never }[keyof Entries]
  | "search.full"
  | "transfer.import";

/** Renderers of answers for people. */
const renderers: Readonly<Record<RenderedId, Renderer>> = {
  "memories.remember": renderRemembered,
  "memories.evolve": renderEvolved,
  "memories.forget": renderForgotten,
  "memories.list": renderMemories,
  "memories.get": renderMemory,
  "lessons.save": renderSavedLesson,
  "lessons.list": renderLessons,
  "lessons.search": renderFoundLessons,
  "lessons.strengthen": renderStrengthenedLesson,
  "lessons.delete": renderDeletedLesson,
  "slots.list": renderSlots,
  "slots.get": renderSlot,
  "slots.create": renderCreatedSlot,
  "slots.append": renderChangedSlot,
  "slots.replace": renderChangedSlot,
  "slots.delete": renderDeletedSlots,
  "slots.reflect": renderSlotReflection,
  "relations.list": renderRelations,
  "relations.create": renderRelated,
  "patterns.find": renderPatterns,
  "patterns.rules": renderRules,
  "facts.list": renderFacts,
  "procedures.list": renderProcedures,
  "insights.list": renderInsights,
  "insights.search": renderFoundInsights,
  "consolidations.memories": renderConsolidated,
  "consolidations.pipeline": renderPipeline,
  "consolidations.reflect": renderReflection,
  "migration.run": renderMigration,
  "search.smart": renderSearch,
  "search.full": renderFullSearch,
  "sessions.start": renderSessionStart,
  "sessions.end": renderSessionEnd,
  "sessions.list": renderSessions,
  "summaries.summarize": renderSummary,
  "observations.list": renderObservations,
  "commits.link": renderCommit,
  "commits.find": renderCommitSessions,
  "commits.list": renderCommits,
  "branches.detect": renderBranch,
  "branches.worktrees": renderWorktrees,
  "branches.sessions": renderBranchSessions,
  "projects.list": renderProjects,
  "projects.move": renderMovedProject,
  "projects.separate": renderSeparated,
  "replay.sessions": renderSessions,
  "replay.load": renderReplay,
  "replay.import": renderImport,
  "files.compress": renderCompressedFile,
  "profiles.get": renderProfile,
  "context.build": renderContext,
  "enrich.files": renderEnrichment,
  "enrich.history": renderFileHistory,
  "timeline.around": renderTimeline,
  "followups.report": renderFollowup,
  "signals.send": renderSentSignal,
  "signals.read": renderSignals,
  "checkpoints.create": renderCreatedCheckpoint,
  "checkpoints.resolve": renderResolvedCheckpoint,
  "checkpoints.list": renderCheckpoints,
  "sentinels.create": renderCreatedSentinel,
  "sentinels.trigger": renderOpenedSentinel,
  "sentinels.cancel": renderOpenedSentinel,
  "sentinels.check": renderCheckedSentinels,
  "sentinels.list": renderSentinels,
  "routines.save": renderSavedRoutine,
  "routines.list": renderRoutines,
  "routines.run": renderStartedRun,
  "routines.status": renderRun,
  "facets.tag": renderTagged,
  "facets.remove": renderUntagged,
  "facets.query": renderFacetMatches,
  "facets.list": renderFacets,
  "facets.stats": renderFacetStats,
  "graph.query": renderGraph,
  "graph.stats": renderGraphStats,
  "graph.extract": renderGraphExtract,
  "graph.build": renderGraphBuild,
  "graph.snapshotRebuild": renderGraphSnapshot,
  "graph.reset": renderGraphReset,
  "graph.import": renderGraphImport,
  "graph.cascadeUpdate": renderCascade,
  "actions.create": renderCreatedAction,
  "actions.update": renderChangedAction,
  "actions.list": renderActions,
  "actions.get": renderAction,
  "actions.edge": renderActionEdge,
  "actions.frontier": renderFrontier,
  "actions.next": renderNext,
  "leases.acquire": renderLease,
  "leases.release": renderChangedAction,
  "leases.renew": renderLease,
  "sketches.create": renderCreatedSketch,
  "sketches.add": renderSketchAction,
  "sketches.promote": renderPromotedSketch,
  "sketches.discard": renderDiscardedSketch,
  "sketches.list": renderSketches,
  "sketches.gc": renderCollectedSketches,
  "crystals.create": renderCrystal,
  "crystals.list": renderCrystals,
  "crystals.auto": renderAutoCrystals,
  "flow.compress": renderFlow,
  "vision.search": renderImages,
  "vision.embed": renderEmbeddedImage,
  "team.share": renderSharedItem,
  "team.feed": renderTeamFeed,
  "team.profile": renderTeamProfile,
  "vault.export": renderVault,
  "bridge.read": renderMemoryFile,
  "bridge.sync": renderSynced,
  "mesh.addPeer": renderAddedPeer,
  "mesh.removePeer": renderRemovedPeer,
  "mesh.peers": renderPeers,
  "mesh.sync": renderSync,
  "audit.list": renderAudit,
  "governance.delete": renderDeleted,
  "governance.bulkDelete": renderBulkDelete,
  "governance.forgetProject": renderForgottenProject,
  "retention.evict": renderEvict,
  "retention.autoForget": renderAutoForget,
  "diagnostics.run": renderDiagnosis,
  "diagnostics.heal": renderHealing,
  "provenance.verify": renderVerification,
  "health.show": renderHealth,
  "config.flags": renderFlags,
  "transfer.import": renderStoreImport,
  "snapshots.list": renderSnapshots,
  "snapshots.create": renderSnapshot,
  "snapshots.verify": renderVerified,
  "snapshots.restore": renderRestored,
};

/**
 * An answer as text for people. Control characters in stored text are removed, so that it cannot affect the terminal.
 */
export function renderAnswer(
  operationId: string,
  answer: Answer,
  terminal: Terminal,
  quotation: Quotation = plainly,
): string {
  // The id is that of a command, and the answer comes from its operation, so it has the shape that the renderer takes.
  const renderer = renderers[operationId as RenderedId];
  return renderer(printableThroughout(answer) as never, terminal, quotation);
}
