import type { z } from "zod";
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
import { bulkDelete, deleteMemories, forgetProject } from "../governance/deletion/operations.ts";
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
import { headerText, headerTextRule } from "../net/header-text.ts";
import { withoutEndSlashes } from "../net/without-end-slashes.ts";
import type { Answer, Operation } from "../operation/define.ts";
import { MemsvcError } from "../operation/errors.ts";
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
import { callOverHttp, type Transport } from "./http-call.ts";

export { type ErrorCode, type Issue, MemsvcError } from "../operation/errors.ts";

/**
 * Every operation by family and name; each becomes a method of the client. In a module of its own, the table would make
 * the bundler put the types of both entries into one file, where they have other names.
 */
const operations = {
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
  governance: { delete: deleteMemories, bulkDelete, forgetProject },
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

type Method<Op> =
  Op extends Operation<infer Input, infer Output>
    ? (input: z.input<Input>, options?: CallOptions) => Promise<Answer<Output>>
    : never;

export interface CallOptions {
  /**
   * Ends the wait for the answer, for example `AbortSignal.timeout(2_000)`: the method then throws the signal's reason.
   * The daemon may carry out the requested change all the same.
   */
  readonly signal?: AbortSignal;
}

/** The typed client: one method per operation, with its input and its answer. */
export type MemsvcClient = {
  readonly [Family in keyof typeof operations]: {
    readonly [Name in keyof (typeof operations)[Family]]: Method<(typeof operations)[Family][Name]>;
  };
};

export interface ConnectOptions {
  /** Address of the daemon with its prefix; by default `http://127.0.0.1:3111/memsvc`. */
  readonly url?: string;
  /** The daemon's MEMSVC_SECRET, if it has one. */
  readonly secret?: string;
  /** How requests are sent; by default with `fetch`. */
  readonly transport?: Transport;
}

/**
 * Makes a client of a daemon. Nothing is sent before the first method call. Methods throw MemsvcError with the daemon's
 * code and the contract's fields; daemon_unreachable if none answers. Error: invalid_input if the address or the secret
 * is unusable.
 */
export function connect(options: ConnectOptions = {}): MemsvcClient {
  const { url = "http://127.0.0.1:3111/memsvc", secret } = options;
  if (!URL.canParse(url) || !/^https?:$/u.test(new URL(url).protocol))
    throw unusable("url", "url must be an address such as http://127.0.0.1:3111/memsvc");
  if (options.transport === undefined && new URL(url).username + new URL(url).password !== "")
    throw unusable("url", "url must carry no user or password: fetch() refuses them");
  // White space around a header's value is not transmitted.
  const carried = secret?.trim() ?? "";
  if (carried !== "" && !headerText.test(carried))
    throw unusable("secret", `secret must be ${headerTextRule}`);
  const call = callOverHttp({
    url: withoutEndSlashes(url),
    secret,
    transport: options.transport ?? fetchTransport,
  });
  const families = Object.entries(operations).map(([family, members]) => {
    const methods = Object.entries<Operation>(members).map(([name, operation]) => [
      name,
      (input: unknown, { signal }: CallOptions = {}) => call(operation, input, { face: "library" }, signal),
    ]);
    return [family, Object.fromEntries(methods)];
  });
  // Built from the table from which the type is derived.
  return Object.fromEntries(families) as MemsvcClient;
}

function unusable(path: keyof ConnectOptions, message: string): MemsvcError {
  return new MemsvcError("invalid_input", message, { issues: [{ path, message }] });
}

const fetchTransport: Transport = async ({ method, url, headers, body, signal }) => {
  const response = await fetch(url, {
    method,
    headers: { ...headers },
    ...(body === undefined ? {} : { body }),
    ...(signal === undefined ? {} : { signal }),
  });
  return {
    status: response.status,
    body: await response.text(),
    headers: Object.fromEntries(response.headers),
  };
};
