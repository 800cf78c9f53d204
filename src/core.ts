import { mkdirSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { type Branches, branchesOver } from "./capture/branches/branches.ts";
import { Commits } from "./capture/commits/commits.ts";
import { type Files, filesOver } from "./capture/files/files.ts";
import { sweepImages } from "./capture/images/eviction.ts";
import { compressionHandler } from "./capture/observations/compression-job.ts";
import { graphRowsAfter as observationsForGraph } from "./capture/observations/graph-rows.ts";
import { Observations } from "./capture/observations/observations.ts";
import { Projects } from "./capture/projects/projects.ts";
import { type Replay, replayOver } from "./capture/replay/replay.ts";
import { AgentScopes, type ScopeRequest } from "./capture/sessions/agent-scope.ts";
import { Sessions } from "./capture/sessions/sessions.ts";
import { stopHandler } from "./capture/sessions/stop-pipeline.ts";
import { stopSteps } from "./capture/sessions/stop-steps.ts";
import type { Capabilities } from "./config/flags.ts";
import type { Settings } from "./config/load.ts";
import { Actions } from "./coordination/actions/actions.ts";
import { Clockwork } from "./coordination/clockwork.ts";
import { expirySteps } from "./coordination/expiry-steps.ts";
import { Leases } from "./coordination/leases/leases.ts";
import { Sketches } from "./coordination/sketches/sketches.ts";
import { Embeddings } from "./embedding/embeddings.ts";
import { ImageEmbeddings } from "./embedding/images/image-embeddings.ts";
import { Audit } from "./governance/audit/audit.ts";
import { Governance } from "./governance/deletion/governance.ts";
import { Diagnostics } from "./governance/diagnostics/diagnostics.ts";
import { Health } from "./governance/health/health.ts";
import { Migrations } from "./governance/migration/migrations.ts";
import { Provenance } from "./governance/provenance/provenance.ts";
import { Retention } from "./governance/retention/retention.ts";
import { Snapshots } from "./governance/snapshots/snapshots.ts";
import { Transfer } from "./governance/transfer/transfer.ts";
import { Graph } from "./graph/graph.ts";
import { searchGraph } from "./graph/stream/search-graph.ts";
import { backfillHandler } from "./graph/structural/backfill.ts";
import type { Ground, Log } from "./ground.ts";
import { inlineKeywordIndex, type KeywordIndex } from "./index/keyword-index.ts";
import { reindexHandler } from "./index/reindex.ts";
import { inlineVectorIndex, type VectorIndex } from "./index/vector-index.ts";
import { LongRuns } from "./jobs/long-runs.ts";
import type { JobHandler } from "./jobs/worker.ts";
import { Consolidations } from "./knowledge/consolidation/consolidations.ts";
import { Crystals } from "./knowledge/crystals/crystals.ts";
import { Facts } from "./knowledge/facts/facts.ts";
import { dropFaded } from "./knowledge/fading.ts";
import { Flow } from "./knowledge/flow/flow.ts";
import { Insights } from "./knowledge/insights/insights.ts";
import { Lessons } from "./knowledge/lessons/lessons.ts";
import { searchLessons } from "./knowledge/lessons/search.ts";
import { type Cascaded, type CascadeInput, cascadeUpdate } from "./knowledge/memories/cascade-update.ts";
import { evictFaded } from "./knowledge/memories/eviction.ts";
import { type Evolved, type EvolveInput, evolve } from "./knowledge/memories/evolve.ts";
import { type ForgetInput, type Forgotten, forget } from "./knowledge/memories/forget.ts";
import { graphRowsAfter as memoriesForGraph } from "./knowledge/memories/graph-rows.ts";
import { Memories } from "./knowledge/memories/memories.ts";
import { Relations } from "./knowledge/memories/relations/relations.ts";
import { type Remembered, type RememberInput, remember } from "./knowledge/memories/remember.ts";
import { Patterns } from "./knowledge/patterns/patterns.ts";
import { generateRules, type Rules } from "./knowledge/patterns/rules.ts";
import { Procedures } from "./knowledge/procedures/procedures.ts";
import { Profiles } from "./knowledge/profiles/profiles.ts";
import { type Reflected, type ReflectInput, reflectOnSession } from "./knowledge/slots/reflect.ts";
import { Slots } from "./knowledge/slots/slots.ts";
import { Summaries } from "./knowledge/summaries/summaries.ts";
import { openLanguageModel } from "./llm/open-language-model.ts";
import { makeWhenAsked } from "./made-when-asked.ts";
import type { Call, Caller } from "./operation/define.ts";
import { callInProcess } from "./operation/in-process.ts";
import { Metrics } from "./operation/metrics.ts";
import { ContextBlocks } from "./recall/context/context.ts";
import { FileKnowledge } from "./recall/enrich/enrichment.ts";
import { Followups } from "./recall/followup/followups.ts";
import { type FullSearchAnswer, type FullSearchInput, fullSearch } from "./recall/search/full-search.ts";
import { Search } from "./recall/search/search.ts";
import { type SmartSearchAnswer, type SmartSearchInput, smartSearch } from "./recall/search/smart-search.ts";
import type { GraphWalk } from "./recall/search/streams.ts";
import { Timeline } from "./recall/timeline/timeline.ts";
import { Vision } from "./recall/vision/vision.ts";
import { Bridge } from "./sharing/bridge/bridge.ts";
import { Mesh } from "./sharing/mesh/mesh.ts";
import { Team } from "./sharing/team/team.ts";
import { Vault } from "./sharing/vault/vault.ts";
import { storeFault } from "./store/faults.ts";
import { type FileWork, inlineFileWork } from "./store/file-work.ts";
import { idSource } from "./store/ids.ts";
import { Store } from "./store/store.ts";

export interface CoreOptions {
  /** Folder that holds everything: database, config file, snapshots. */
  readonly home: string;
  readonly settings: Settings;
  readonly now?: () => number;
  readonly log?: Log;
  /** Where searches in a file run; on the caller's thread unless given. */
  readonly searchIndexes?: (databasePath: string) => SearchIndexes;
  /** Where long work on whole database files runs; on the caller's thread unless given. */
  readonly fileWork?: FileWork;
  /** The user's own folder, for `~` in project names. */
  readonly userHome?: string;
  /** Whether the last run may not have come to its end: then the store is looked through before it is written to. */
  readonly afterCrash?: boolean;
}

/** The streams of a search. */
export interface SearchIndexes {
  readonly keywords: KeywordIndex;
  readonly vectors: VectorIndex;
  readonly graph: GraphWalk;
}

export const databaseName = "memsvc.db";

/** They register their long work when they are made. */
const ownersOfLongWork = [
  "consolidations",
  "files",
  "graph",
  "mesh",
  "migrations",
  "summaries",
  "vault",
  "crystals",
  "files",
  "flow",
  "graph",
  "migrations",
  "summaries",
] as const;

/** Everything that memsvc can do, over one open store. The faces reach it through `call` alone. */
export class Core {
  readonly ground: Ground;
  declare readonly agents: AgentScopes;
  declare readonly projects: Projects;
  declare readonly audit: Audit;
  declare readonly sessions: Sessions;
  declare readonly observations: Observations;
  declare readonly commits: Commits;
  declare readonly branches: Branches;
  declare readonly memories: Memories;
  declare readonly relations: Relations;
  declare readonly patterns: Patterns;
  declare readonly facts: Facts;
  declare readonly procedures: Procedures;
  declare readonly insights: Insights;
  declare readonly lessons: Lessons;
  declare readonly slots: Slots;
  declare readonly profiles: Profiles;
  declare readonly summaries: Summaries;
  declare readonly replay: Replay;
  declare readonly files: Files;
  declare readonly clockwork: Clockwork;
  declare readonly actions: Actions;
  declare readonly leases: Leases;
  declare readonly sketches: Sketches;
  declare readonly crystals: Crystals;
  declare readonly flow: Flow;
  declare readonly graph: Graph;
  declare readonly consolidations: Consolidations;
  declare readonly search: Search;
  declare readonly context: ContextBlocks;
  declare readonly enrichment: FileKnowledge;
  declare readonly timeline: Timeline;
  declare readonly followups: Followups;
  declare readonly snapshots: Snapshots;
  declare readonly transfer: Transfer;
  declare readonly vision: Vision;
  declare readonly team: Team;
  declare readonly vault: Vault;
  declare readonly bridge: Bridge;
  declare readonly mesh: Mesh;
  declare readonly migrations: Migrations;
  declare readonly health: Health;
  declare readonly governance: Governance;
  declare readonly retention: Retention;
  declare readonly provenance: Provenance;
  declare readonly diagnostics: Diagnostics;
  readonly keywords: KeywordIndex;
  readonly vectors: VectorIndex;
  declare readonly longRuns: LongRuns;
  readonly metrics: Metrics;
  declare readonly embeddings: Embeddings;
  /** The model of images. */
  declare readonly images: ImageEmbeddings;
  /** Where the viewer listens; the daemon sets it. */
  viewer: { viewerPort: number | null; viewerSkipped: boolean } = { viewerPort: null, viewerSkipped: true };
  readonly call: Call;
  /** A service that somebody has asked for. */
  readonly #ifMade: <Name extends keyof Core>(name: Name) => Core[Name] | undefined;

  private constructor(
    ground: Ground,
    metrics: Metrics,
    { keywords, vectors, graph }: SearchIndexes,
    fileWork: FileWork,
    userHome: string,
  ) {
    this.ground = ground;
    this.metrics = metrics;
    this.keywords = keywords;
    this.vectors = vectors;
    this.#ifMade = makeWhenAsked<Core>(this, {
      longRuns: () => new LongRuns(ground),
      embeddings: () => new Embeddings(ground, metrics),
      images: () => new ImageEmbeddings(ground.home, metrics),
      agents: () => new AgentScopes(ground.settings),
      projects: () => new Projects(userHome),
      audit: () => new Audit(ground),
      sessions: () => new Sessions(ground, this),
      observations: () => new Observations(ground, this),
      commits: () => new Commits(ground, this),
      branches: () => branchesOver(this.sessions),
      memories: () => new Memories(ground, this),
      relations: () => new Relations(ground, this),
      patterns: () => new Patterns(ground, this),
      facts: () => new Facts(ground, this),
      procedures: () => new Procedures(ground, this),
      insights: () => new Insights(ground, this),
      lessons: () => new Lessons(ground, this),
      slots: () => new Slots(ground, this),
      profiles: () => new Profiles(ground, this),
      summaries: () => new Summaries(ground, this),
      files: () => filesOver(ground, this),
      replay: () => replayOver(ground, this, userHome),
      clockwork: () => new Clockwork(ground, this, expirySteps),
      actions: () => new Actions(ground, this),
      leases: () => new Leases(ground, this),
      sketches: () => new Sketches(ground, this),
      crystals: () => new Crystals(ground, this),
      flow: () => new Flow(ground, this),
      graph: () => new Graph(ground, this, graph),
      consolidations: () => new Consolidations(ground, this),
      search: () => new Search(ground, this),
      context: () => new ContextBlocks(ground, this),
      enrichment: () => new FileKnowledge(ground, this),
      timeline: () => new Timeline(ground, this),
      followups: () => new Followups(ground),
      vision: () => new Vision(ground, this),
      team: () => new Team(ground, this),
      vault: () => new Vault(ground, this),
      bridge: () => new Bridge(ground, this, userHome),
      mesh: () => new Mesh(ground, this),
      health: () => new Health(ground, this),
      snapshots: () => new Snapshots(ground, this, fileWork),
      transfer: () => new Transfer(ground, this),
      migrations: () => new Migrations(ground, this, fileWork),
      governance: () => new Governance(ground, this),
      retention: () => new Retention(ground, this),
      provenance: () => new Provenance(ground, this),
      diagnostics: () =>
        new Diagnostics(ground, this, async () =>
          (await import("./governance/diagnostics/checks.ts")).allChecks(ground, this),
        ),
    });
    this.call = callInProcess(this);
    ground.store.onReplaced(async () => {
      this.#ifMade("projects")?.forgetKnown();
      await Promise.all([keywords.reopen(), vectors.reopen()]);
    });
  }

  /** Opens the store of a home and everything over it. Errors: store_damaged, store_newer, disk_full. */
  static async open(options: CoreOptions): Promise<Core> {
    const now = options.now ?? Date.now;
    const path = join(options.home, databaseName);
    const { dbUrl, dbAuthToken, durability } = options.settings;
    const server = dbUrl === undefined ? undefined : { url: dbUrl, authToken: dbAuthToken };
    makeHome(options.home);
    const { afterCrash = false } = options;
    const store = await Store.open({ path, server, durability, afterCrash });
    const { settings, log = () => undefined } = options;
    const metrics = new Metrics();
    const ground: Ground = {
      store,
      settings,
      home: options.home,
      now,
      newId: idSource(now),
      log,
      llm: openLanguageModel({ store, settings, now, log }, metrics),
      wakeJobs: () => undefined,
    };
    const indexes = openIndexes(store, options);
    const fileWork = options.fileWork ?? inlineFileWork;
    return new Core(ground, metrics, indexes, fileWork, options.userHome ?? homedir());
  }

  remember(input: RememberInput, caller: Caller): Promise<Remembered> {
    return remember(this.ground, this, input, caller.face === "cli" ? "user" : "agent");
  }

  evolve(input: EvolveInput): Promise<Evolved> {
    return evolve(this.ground, this, input);
  }

  cascadeUpdate(input: CascadeInput): Promise<Cascaded> {
    return cascadeUpdate(this.ground, this, input);
  }

  forget(input: ForgetInput): Promise<Forgotten> {
    return forget(this.ground, this, input);
  }

  smartSearch(input: SmartSearchInput, countsAsRecall: boolean): Promise<SmartSearchAnswer> {
    return smartSearch(this.ground, this, input, countsAsRecall);
  }

  fullSearch(input: FullSearchInput, countsAsRecall: boolean): Promise<FullSearchAnswer> {
    return fullSearch(this.ground, this, input, countsAsRecall);
  }

  searchLessons(input: Parameters<typeof searchLessons>[2]): ReturnType<typeof searchLessons> {
    return searchLessons(this.ground, this, input);
  }

  generateRules(input: ScopeRequest & { readonly project?: string | undefined }): Promise<Rules> {
    return generateRules(this.ground, this, input);
  }

  reflectIntoSlots(input: ReflectInput): Promise<Reflected> {
    return reflectOnSession(this.ground, this, input);
  }

  evictFaded(): Promise<number> {
    return evictFaded(this.ground, this.audit);
  }

  dropFaded(): ReturnType<typeof dropFaded> {
    return dropFaded(this.ground, this);
  }

  sweepImages(): Promise<number> {
    return sweepImages(this.ground, this.audit);
  }

  /** What this core has besides its settings. */
  capabilities(): Capabilities {
    const { images } = this;
    return {
      llm: this.ground.llm.provider !== "noop",
      embeddings: this.embeddings.available,
      // Looked for in the files only when it is asked for.
      get images() {
        return images.model !== undefined;
      },
    };
  }

  /** The work that follows requests, for whoever runs the job queue. */
  jobHandlers(): JobHandler[] {
    for (const name of ownersOfLongWork) void this[name];
    return [
      stopHandler(this.ground, stopSteps(this)),
      compressionHandler(this.ground, this),
      reindexHandler(this.ground),
      backfillHandler(this.ground, { observations: observationsForGraph, memories: memoriesForGraph }),
      this.consolidations.backgroundHandler(),
      ...this.longRuns.handlers(),
    ];
  }

  /** Waits for writes that are under way and closes the store. */
  async close(): Promise<void> {
    await Promise.all([this.keywords.close(), this.vectors.close()]);
    await this.ground.llm.close();
    await this.#ifMade("search")?.settled();
    await this.#ifMade("embeddings")?.close();
    await this.#ifMade("images")?.close();
    await this.ground.store.close();
  }
}

function openIndexes(store: Store, { searchIndexes }: CoreOptions): SearchIndexes {
  const { sql } = store.read;
  if (searchIndexes !== undefined && store.isFile) return searchIndexes(store.path);
  return {
    keywords: inlineKeywordIndex(sql),
    vectors: inlineVectorIndex(sql),
    graph: { searchStream: (query, scope, limit) => searchGraph(sql, query, scope, limit) },
  };
}

function makeHome(home: string): void {
  try {
    mkdirSync(home, { recursive: true, mode: 0o700 });
  } catch (error) {
    throw storeFault(error, home);
  }
}
