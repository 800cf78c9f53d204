import type { operationTable } from "../operations/operations.generated.ts";
import type { Terminal } from "../terminal/terminal.ts";
import * as actions from "./actions.ts";
import * as branches from "./branches.ts";
import * as bridge from "./bridge.ts";
import * as commits from "./commits.ts";
import * as consolidation from "./consolidation.ts";
import * as crystals from "./crystals.ts";
import * as diagnostics from "./diagnostics.ts";
import * as facets from "./facets.ts";
import * as gates from "./gates.ts";
import * as governance from "./governance.ts";
import * as graph from "./graph.ts";
import * as knowledge from "./knowledge.ts";
import * as leases from "./leases.ts";
import * as lessons from "./lessons.ts";
import * as memories from "./memories.ts";
import * as mesh from "./mesh.ts";
import * as patterns from "./patterns.ts";
import * as profile from "./profile.ts";
import * as projects from "./projects.ts";
import { plainly, type Quotation } from "./quotation.ts";
import * as recall from "./recall.ts";
import * as relations from "./relations.ts";
import * as replay from "./replay.ts";
import * as retention from "./retention.ts";
import * as routines from "./routines.ts";
import * as search from "./search.ts";
import * as sessions from "./sessions.ts";
import * as signals from "./signals.ts";
import * as sketches from "./sketches.ts";
import * as slots from "./slots.ts";
import * as snapshots from "./snapshots.ts";
import * as team from "./team.ts";
import { printableThroughout } from "./text.ts";
import * as transfer from "./transfer.ts";
import * as vault from "./vault.ts";
import * as vision from "./vision.ts";

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
  "memories.remember": memories.renderRemembered,
  "memories.evolve": memories.renderEvolved,
  "memories.forget": memories.renderForgotten,
  "memories.list": memories.renderMemories,
  "memories.get": memories.renderMemory,
  "lessons.save": lessons.renderSavedLesson,
  "lessons.list": lessons.renderLessons,
  "lessons.search": lessons.renderFoundLessons,
  "lessons.strengthen": lessons.renderStrengthenedLesson,
  "lessons.delete": lessons.renderDeletedLesson,
  "slots.list": slots.renderSlots,
  "slots.get": slots.renderSlot,
  "slots.create": slots.renderCreatedSlot,
  "slots.append": slots.renderChangedSlot,
  "slots.replace": slots.renderChangedSlot,
  "slots.delete": slots.renderDeletedSlots,
  "slots.reflect": slots.renderSlotReflection,
  "relations.list": relations.renderRelations,
  "relations.create": relations.renderRelated,
  "patterns.find": patterns.renderPatterns,
  "patterns.rules": patterns.renderRules,
  "facts.list": knowledge.renderFacts,
  "procedures.list": knowledge.renderProcedures,
  "insights.list": knowledge.renderInsights,
  "insights.search": knowledge.renderFoundInsights,
  "consolidations.memories": consolidation.renderConsolidated,
  "consolidations.pipeline": consolidation.renderPipeline,
  "consolidations.reflect": consolidation.renderReflection,
  "migration.run": knowledge.renderMigration,
  "search.smart": search.renderSearch,
  "search.full": search.renderFullSearch,
  "sessions.start": sessions.renderSessionStart,
  "sessions.end": sessions.renderSessionEnd,
  "sessions.list": sessions.renderSessions,
  "summaries.summarize": sessions.renderSummary,
  "observations.list": sessions.renderObservations,
  "commits.link": commits.renderCommit,
  "commits.find": commits.renderCommitSessions,
  "commits.list": commits.renderCommits,
  "branches.detect": branches.renderBranch,
  "branches.worktrees": branches.renderWorktrees,
  "branches.sessions": branches.renderBranchSessions,
  "projects.list": projects.renderProjects,
  "projects.move": projects.renderMovedProject,
  "projects.separate": projects.renderSeparated,
  "replay.sessions": sessions.renderSessions,
  "replay.load": replay.renderReplay,
  "replay.import": replay.renderImport,
  "files.compress": replay.renderCompressedFile,
  "profiles.get": profile.renderProfile,
  "context.build": recall.renderContext,
  "enrich.files": recall.renderEnrichment,
  "enrich.history": recall.renderFileHistory,
  "timeline.around": recall.renderTimeline,
  "followups.report": recall.renderFollowup,
  "signals.send": signals.renderSentSignal,
  "signals.read": signals.renderSignals,
  "checkpoints.create": gates.renderCreatedCheckpoint,
  "checkpoints.resolve": gates.renderResolvedCheckpoint,
  "checkpoints.list": gates.renderCheckpoints,
  "sentinels.create": gates.renderCreatedSentinel,
  "sentinels.trigger": gates.renderOpenedSentinel,
  "sentinels.cancel": gates.renderOpenedSentinel,
  "sentinels.check": gates.renderCheckedSentinels,
  "sentinels.list": gates.renderSentinels,
  "routines.save": routines.renderSavedRoutine,
  "routines.list": routines.renderRoutines,
  "routines.run": routines.renderStartedRun,
  "routines.status": routines.renderRun,
  "facets.tag": facets.renderTagged,
  "facets.remove": facets.renderUntagged,
  "facets.query": facets.renderFacetMatches,
  "facets.list": facets.renderFacets,
  "facets.stats": facets.renderFacetStats,
  "graph.query": graph.renderGraph,
  "graph.stats": graph.renderGraphStats,
  "graph.extract": graph.renderGraphExtract,
  "graph.build": graph.renderGraphBuild,
  "graph.snapshotRebuild": graph.renderGraphSnapshot,
  "graph.reset": graph.renderGraphReset,
  "graph.import": graph.renderGraphImport,
  "graph.cascadeUpdate": graph.renderCascade,
  "actions.create": actions.renderCreatedAction,
  "actions.update": actions.renderChangedAction,
  "actions.list": actions.renderActions,
  "actions.get": actions.renderAction,
  "actions.edge": actions.renderActionEdge,
  "actions.frontier": actions.renderFrontier,
  "actions.next": actions.renderNext,
  "leases.acquire": leases.renderLease,
  "leases.release": actions.renderChangedAction,
  "leases.renew": leases.renderLease,
  "sketches.create": sketches.renderCreatedSketch,
  "sketches.add": sketches.renderSketchAction,
  "sketches.promote": sketches.renderPromotedSketch,
  "sketches.discard": sketches.renderDiscardedSketch,
  "sketches.list": sketches.renderSketches,
  "sketches.gc": sketches.renderCollectedSketches,
  "crystals.create": crystals.renderCrystal,
  "crystals.list": crystals.renderCrystals,
  "crystals.auto": crystals.renderAutoCrystals,
  "flow.compress": crystals.renderFlow,
  "vision.search": vision.renderImages,
  "vision.embed": vision.renderEmbeddedImage,
  "team.share": team.renderSharedItem,
  "team.feed": team.renderTeamFeed,
  "team.profile": team.renderTeamProfile,
  "vault.export": vault.renderVault,
  "bridge.read": bridge.renderMemoryFile,
  "bridge.sync": bridge.renderSynced,
  "mesh.addPeer": mesh.renderAddedPeer,
  "mesh.removePeer": mesh.renderRemovedPeer,
  "mesh.peers": mesh.renderPeers,
  "mesh.sync": mesh.renderSync,
  "audit.list": governance.renderAudit,
  "governance.delete": retention.renderDeleted,
  "governance.bulkDelete": retention.renderBulkDelete,
  "governance.forgetProject": retention.renderForgottenProject,
  "retention.evict": retention.renderEvict,
  "retention.autoForget": retention.renderAutoForget,
  "diagnostics.run": diagnostics.renderDiagnosis,
  "diagnostics.heal": diagnostics.renderHealing,
  "provenance.verify": retention.renderVerification,
  "health.show": governance.renderHealth,
  "config.flags": governance.renderFlags,
  "transfer.import": transfer.renderStoreImport,
  "snapshots.list": snapshots.renderSnapshots,
  "snapshots.create": snapshots.renderSnapshot,
  "snapshots.verify": snapshots.renderVerified,
  "snapshots.restore": snapshots.renderRestored,
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
