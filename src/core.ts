import { sweepImages } from "./capture/images/eviction.ts";
import { type CaptureServices, captureServices } from "./capture/services.ts";
import type { ScopeRequest } from "./capture/sessions/agent-scope.ts";
import type { ViewRequest } from "./capture/sessions/view.ts";
import type { Capabilities } from "./config/feature-flag-table.ts";
import type { Settings } from "./config/load.ts";
import { type CoordinationServices, coordinationServices } from "./coordination/services.ts";
import { Embeddings } from "./embedding/embeddings.ts";
import { ImageEmbeddings } from "./embedding/images/image-embeddings.ts";
import { type GovernanceServices, governanceServices, type WorkElsewhere } from "./governance/services.ts";
import type { RowReading } from "./governance/transfer/row-reading.ts";
import type { Cascaded } from "./graph/answers.ts";
import { Graph } from "./graph/graph.ts";
import { closePending } from "./graph/structural/settled.ts";
import type { Ground, Log } from "./ground.ts";
import type { SearchIndexes } from "./index/search-streams.ts";
import { jobHandlersOf } from "./job-handlers.ts";
import { LongRuns } from "./jobs/long-runs.ts";
import type { JobHandler } from "./jobs/worker.ts";
import { dropDecayed } from "./knowledge/decay/drop-decayed.ts";
import { searchLessons } from "./knowledge/lessons/search.ts";
import type { Evolved, Forgotten, Remembered } from "./knowledge/memories/answers.ts";
import { evictMemories } from "./knowledge/memories/forgetting/eviction.ts";
import { type ForgetInput, forget } from "./knowledge/memories/forgetting/forget.ts";
import { type RememberInput, remember } from "./knowledge/memories/remember.ts";
import { type CascadeInput, cascadeUpdate } from "./knowledge/memories/versions/cascade-update.ts";
import { type EvolveInput, evolve } from "./knowledge/memories/versions/evolve.ts";
import { generateRules, type Rules } from "./knowledge/patterns/rules.ts";
import { type KnowledgeServices, knowledgeServices } from "./knowledge/services.ts";
import { type Reflected, type ReflectInput, reflectOnSession } from "./knowledge/slots/reflect-on-session.ts";
import { defineLazyProperties } from "./lazy-properties.ts";
import { openGround } from "./open-ground.ts";
import { openSearchIndexes } from "./open-search-indexes.ts";
import type { Call, Caller } from "./operation/define.ts";
import { callInProcess } from "./operation/in-process.ts";
import { Metrics } from "./operation/metrics.ts";
import { type Handoff, handoff } from "./recall/handoff/handoff.ts";
import type { FullSearchAnswer, SmartSearchAnswer } from "./recall/search/answers.ts";
import { type FullSearchInput, fullSearch } from "./recall/search/full-search.ts";
import { type SmartSearchInput, smartSearch } from "./recall/search/smart-search.ts";
import { type RecallServices, recallServices } from "./recall/services.ts";
import { type SharingServices, sharingServices } from "./sharing/services.ts";
import { type FileWork, inlineFileWork } from "./store/file-work.ts";
import { homeOfUser } from "./system/home-of-user.ts";
import { beforeTimeout } from "./time/before-timeout.ts";

export interface CoreOptions {
  /** Folder that holds everything: database, config file, snapshots. */
  readonly home: string;
  readonly settings: Settings;
  /** Returns milliseconds since 1970, UTC; by default the system's clock. */
  readonly now?: () => number;
  /** Returns milliseconds of a monotonic clock, for durations; by default the process's own. */
  readonly monotonic?: () => number;
  /** Receives log lines, which never contain bodies or secrets; by default nothing is logged. */
  readonly log?: Log;
  /** Runs the searches in a database file; by default on the caller's thread. */
  readonly searchIndexes?: (databasePath: string, failed: (error: unknown) => void) => SearchIndexes;
  /** Runs long work on whole database files; by default on the caller's thread. */
  readonly fileWork?: FileWork;
  /** Reads and checks the rows of imports; by default on the caller's thread. */
  readonly readRows?: RowReading;
  /** The user's home folder, for `~` in project names. */
  readonly userHome?: string;
  /** Whether the last run may not have ended properly: then the store is checked before it is written to. */
  readonly afterCrash?: boolean;
  /** Whether a store that cannot be written to is opened read-only. */
  readonly orReadOnly?: boolean;
}

/** How long to wait for the notes of searches: long work on the store may delay their writing. */
const recallPatienceMs = 1_000;

export interface Core
  extends CaptureServices,
    KnowledgeServices,
    RecallServices,
    CoordinationServices,
    SharingServices,
    GovernanceServices {}

/** Everything that memsvc can do, over an open store. The faces use only `call`. */
export class Core {
  readonly ground: Ground;
  declare readonly graph: Graph;
  readonly streams: SearchIndexes;
  declare readonly longRuns: LongRuns;
  readonly metrics: Metrics;
  declare readonly embeddings: Embeddings;
  /** The model for images. */
  declare readonly images: ImageEmbeddings;
  /** The viewer's port; null when it is off or none was free. Set by the daemon. */
  viewerPort: number | null = null;
  /**
   * Runs an operation of the catalogue: validates its input and returns the answer type that it declares. Errors:
   * invalid_input, and those in the declaration.
   */
  readonly call: Call;
  /** The service of that name if it has been made already. */
  readonly #ifMade: <Name extends keyof Core>(name: Name) => Core[Name] | undefined;

  private constructor(
    ground: Ground,
    metrics: Metrics,
    streams: SearchIndexes,
    elsewhere: WorkElsewhere,
    userHome: string,
  ) {
    this.ground = ground;
    this.metrics = metrics;
    this.streams = streams;
    this.#ifMade = defineLazyProperties<Core>(this, {
      longRuns: () => new LongRuns(ground),
      embeddings: () => new Embeddings(ground, metrics),
      images: () => new ImageEmbeddings(ground.home, metrics),
      graph: () => new Graph(ground, this),
      ...captureServices(ground, this, userHome),
      ...knowledgeServices(ground, this),
      ...recallServices(ground, this),
      ...coordinationServices(ground, this),
      ...sharingServices(ground, this, userHome),
      ...governanceServices(ground, this, elsewhere),
    });
    this.call = callInProcess(this);
    ground.store.onReplaced(() => streams.reopen());
  }

  /** Opens the store of a home and all services over it. Errors: store_damaged, store_newer, disk_full. */
  static async open(options: CoreOptions): Promise<Core> {
    const metrics = new Metrics();
    const ground = await openGround(options, metrics);
    const indexes = openSearchIndexes(ground, options.searchIndexes);
    const elsewhere = { fileWork: options.fileWork ?? inlineFileWork, readRows: options.readRows };
    return new Core(ground, metrics, indexes, elsewhere, options.userHome ?? homeOfUser());
  }

  remember(input: RememberInput, caller: Caller): Promise<Remembered> {
    const isCommand = [caller.face, caller.source].includes("cli");
    return remember(this.ground, this, input, isCommand ? "user" : "agent");
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

  generateRules(input: ViewRequest): Promise<Rules> {
    return generateRules(this.ground, this, input);
  }

  handoff(request: ScopeRequest & { readonly sessionId: string }): Promise<Handoff> {
    return handoff(this.ground, this, request);
  }

  reflectIntoSlots(input: ReflectInput): Promise<Reflected> {
    return reflectOnSession(this.ground, this, input);
  }

  evictFaded(): Promise<number> {
    return evictMemories(this.ground, this.audit);
  }

  dropFaded(): ReturnType<typeof dropDecayed> {
    return dropDecayed(this.ground, this);
  }

  sweepImages(): Promise<number> {
    return sweepImages(this.ground, this.audit);
  }

  /**
   * Waits until the notes about recalled records are written, but not for long. For operations that read how often
   * something was recalled.
   */
  async recallsNoted(): Promise<void> {
    const search = this.#ifMade("search");
    if (search !== undefined)
      await beforeTimeout(search.notes.settled(), recallPatienceMs, this.ground.monotonic);
  }

  /** What is available besides the settings: models for language, texts and images. */
  capabilities(): Capabilities {
    const { images } = this;
    return {
      llm: this.ground.llm.provider !== "noop",
      embeddings: this.embeddings.available,
      // A getter, because it looks for the model's files.
      get images() {
        return images.model !== undefined;
      },
    };
  }

  /** The handlers of all job kinds, for the process that runs the job queue. */
  jobHandlers(): JobHandler[] {
    return jobHandlersOf(this);
  }

  /** Waits for running writes and closes the store. */
  async close(): Promise<void> {
    await this.streams.close();
    await this.ground.llm.close();
    await this.#ifMade("search")?.notes.settled();
    await this.#ifMade("embeddings")?.close();
    await this.#ifMade("images")?.close();
    await closePending(this.ground.store);
    await this.ground.store.close();
  }
}
