import { branchSessions, detectBranch, listWorktrees } from "../capture/branches/operations.ts";
import { findByCommit, linkCommit, listCommits } from "../capture/commits/operations.ts";
import { compressFile } from "../capture/files/operations.ts";
import { listObservations, observe } from "../capture/observations/operations.ts";
import { listProjects, moveProject, separateProject } from "../capture/projects/operations.ts";
import { importTranscripts, loadReplay, replaySessions } from "../capture/replay/operations.ts";
import { endSession, listSessions, startSession } from "../capture/sessions/operations.ts";
import { nextAction, readFrontier } from "../coordination/actions/frontier/operations.ts";
import {
  addActionEdge,
  createAction,
  getAction,
  listActions,
  updateAction,
} from "../coordination/actions/operations.ts";
import {
  createCheckpoint,
  listCheckpoints,
  resolveCheckpoint,
} from "../coordination/checkpoints/operations.ts";
import {
  facetStats,
  listFacets,
  queryFacets,
  removeFacet,
  tagFacet,
} from "../coordination/facets/operations.ts";
import { acquireLease, releaseLease, renewLease } from "../coordination/leases/operations.ts";
import {
  listRoutines,
  runRoutine,
  saveRoutine,
  showRoutineRun,
} from "../coordination/routines/operations.ts";
import {
  cancelSentinel,
  checkSentinels,
  createSentinel,
  listSentinels,
  triggerSentinel,
} from "../coordination/sentinels/operations.ts";
import { readSignals, sendSignal } from "../coordination/signals/operations.ts";
import {
  addToSketch,
  collectSketches,
  createSketch,
  discardSketch,
  listSketches,
  promoteSketch,
} from "../coordination/sketches/operations.ts";
import { listAudit } from "../governance/audit/operations.ts";
import { bulkDelete, deleteMemories } from "../governance/deletion/operations.ts";
import { diagnose, heal } from "../governance/diagnostics/operations.ts";
import { flags, health, livez } from "../governance/health/operations.ts";
import { migrate } from "../governance/migration/operations.ts";
import { verify } from "../governance/provenance/operations.ts";
import { autoForget, evict } from "../governance/retention/operations.ts";
import {
  createSnapshot,
  listSnapshots,
  restoreSnapshot,
  verifySnapshot,
} from "../governance/snapshots/operations.ts";
import { exportStore, importStore } from "../governance/transfer/operations.ts";
import { importGraph, importGraphify } from "../graph/imported/operations.ts";
import { buildGraph, extractGraph } from "../graph/model/operations.ts";
import { cascadeUpdate, graphStats, queryGraph, rebuildSnapshot, resetGraph } from "../graph/operations.ts";
import { consolidate, consolidatePipeline, reflect } from "../knowledge/consolidation/operations.ts";
import { autoCrystallize, createCrystal, listCrystals } from "../knowledge/crystals/operations.ts";
import { listFacts } from "../knowledge/facts/operations.ts";
import { compressFlow } from "../knowledge/flow/operations.ts";
import { listInsights, searchInsights } from "../knowledge/insights/operations.ts";
import {
  deleteLesson,
  listLessons,
  saveLesson,
  searchLessons,
  strengthenLesson,
} from "../knowledge/lessons/operations.ts";
import { evolve, forget, getMemory, listMemories, remember } from "../knowledge/memories/operations.ts";
import { listRelations, relate } from "../knowledge/memories/relations/operations.ts";
import { findPatterns, generateRules } from "../knowledge/patterns/operations.ts";
import { listProcedures } from "../knowledge/procedures/operations.ts";
import { getProfile } from "../knowledge/profiles/operations.ts";
import {
  appendToSlot,
  createSlot,
  deleteSlot,
  getSlot,
  listSlots,
  reflectIntoSlots,
  replaceSlot,
} from "../knowledge/slots/operations.ts";
import { summarizeSession } from "../knowledge/summaries/operations.ts";
import {
  callTool,
  exchangeMessage,
  getPrompt,
  listPrompts,
  listResources,
  listTools,
  readResource,
} from "../mcp/operations.ts";
import { buildContext } from "../recall/context/operations.ts";
import { enrich, fileContext } from "../recall/enrich/operations.ts";
import { followup } from "../recall/followup/operations.ts";
import { fullSearch, smartSearch } from "../recall/search/operations.ts";
import { timeline } from "../recall/timeline/operations.ts";
import { embedImage, searchImages } from "../recall/vision/operations.ts";
import { readMemoryFile, syncMemoryFile } from "../sharing/bridge/operations.ts";
import {
  addPeer,
  exportRows,
  listPeers,
  receiveRows,
  removePeer,
  syncMesh,
} from "../sharing/mesh/operations.ts";
import { shareItem, teamFeed, teamProfile } from "../sharing/team/operations.ts";
import { exportObsidian, exportVault } from "../sharing/vault/operations.ts";

/** Every operation by family and name; each becomes a method of the client. */
export const clientOperations = {
  health: { livez, show: health },
  config: { flags },
  sessions: { start: startSession, end: endSession, list: listSessions },
  observations: { observe, list: listObservations },
  commits: { link: linkCommit, find: findByCommit, list: listCommits },
  projects: { list: listProjects, move: moveProject, separate: separateProject },
  branches: { detect: detectBranch, worktrees: listWorktrees, sessions: branchSessions },
  replay: { sessions: replaySessions, load: loadReplay, import: importTranscripts },
  files: { compress: compressFile },
  memories: { remember, evolve, forget, list: listMemories, get: getMemory },
  relations: { list: listRelations, create: relate },
  patterns: { find: findPatterns, rules: generateRules },
  facts: { list: listFacts },
  procedures: { list: listProcedures },
  insights: { list: listInsights, search: searchInsights },
  migration: { run: migrate },
  lessons: {
    save: saveLesson,
    list: listLessons,
    search: searchLessons,
    strengthen: strengthenLesson,
    delete: deleteLesson,
  },
  slots: {
    list: listSlots,
    get: getSlot,
    create: createSlot,
    append: appendToSlot,
    replace: replaceSlot,
    delete: deleteSlot,
    reflect: reflectIntoSlots,
  },
  profiles: { get: getProfile },
  summaries: { summarize: summarizeSession },
  consolidations: { memories: consolidate, pipeline: consolidatePipeline, reflect },
  search: { smart: smartSearch, full: fullSearch },
  context: { build: buildContext },
  enrich: { files: enrich, history: fileContext },
  timeline: { around: timeline },
  followups: { report: followup },
  signals: { send: sendSignal, read: readSignals },
  checkpoints: { create: createCheckpoint, resolve: resolveCheckpoint, list: listCheckpoints },
  sentinels: {
    create: createSentinel,
    trigger: triggerSentinel,
    check: checkSentinels,
    cancel: cancelSentinel,
    list: listSentinels,
  },
  routines: { save: saveRoutine, list: listRoutines, run: runRoutine, status: showRoutineRun },
  facets: { tag: tagFacet, remove: removeFacet, query: queryFacets, list: listFacets, stats: facetStats },
  graph: {
    query: queryGraph,
    stats: graphStats,
    extract: extractGraph,
    build: buildGraph,
    snapshotRebuild: rebuildSnapshot,
    reset: resetGraph,
    import: importGraph,
    importGraphify,
    cascadeUpdate,
  },
  actions: {
    create: createAction,
    update: updateAction,
    list: listActions,
    get: getAction,
    edge: addActionEdge,
    frontier: readFrontier,
    next: nextAction,
  },
  leases: { acquire: acquireLease, release: releaseLease, renew: renewLease },
  sketches: {
    create: createSketch,
    add: addToSketch,
    promote: promoteSketch,
    discard: discardSketch,
    list: listSketches,
    gc: collectSketches,
  },
  crystals: { create: createCrystal, list: listCrystals, auto: autoCrystallize },
  flow: { compress: compressFlow },
  vision: { search: searchImages, embed: embedImage },
  team: { share: shareItem, feed: teamFeed, profile: teamProfile },
  vault: { export: exportVault, exportObsidian },
  bridge: { read: readMemoryFile, sync: syncMemoryFile },
  mesh: { addPeer, peers: listPeers, removePeer, sync: syncMesh, receive: receiveRows, export: exportRows },
  audit: { list: listAudit },
  governance: { delete: deleteMemories, bulkDelete },
  retention: { evict, autoForget },
  provenance: { verify },
  diagnostics: { run: diagnose, heal },
  snapshots: {
    list: listSnapshots,
    create: createSnapshot,
    verify: verifySnapshot,
    restore: restoreSnapshot,
  },
  transfer: { export: exportStore, import: importStore },
  mcp: {
    tools: listTools,
    call: callTool,
    resources: listResources,
    readResource,
    prompts: listPrompts,
    prompt: getPrompt,
    message: exchangeMessage,
  },
};
