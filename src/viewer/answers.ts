import type { CommitLink } from "../capture/commits/record.ts";
import type { Observation } from "../capture/observations/record.ts";
import type { Project } from "../capture/projects/record.ts";
import type { Session } from "../capture/sessions/record.ts";
import type { FeatureFlag } from "../config/feature-flag.ts";
import type { Frontier } from "../coordination/actions/frontier/answers.ts";
import type { Action, ActionEdge, Blocker } from "../coordination/actions/record.ts";
import type { Checkpoint } from "../coordination/checkpoints/record.ts";
import type { Facet } from "../coordination/facets/record.ts";
import type { Lease } from "../coordination/leases/record.ts";
import type { Routine } from "../coordination/routines/record.ts";
import type { RoutineRun } from "../coordination/routines/run-record.ts";
import type { Sentinel } from "../coordination/sentinels/record.ts";
import type { Signal } from "../coordination/signals/record.ts";
import type { Sketch } from "../coordination/sketches/record.ts";
import type { AuditEntry } from "../governance/audit/record.ts";
import type { Diagnosis } from "../governance/diagnostics/answers.ts";
import type { HealthSnapshot, HealthStatus, LlmReport } from "../governance/health/snapshot.ts";
import type { Verification } from "../governance/provenance/record.ts";
import type { Snapshot } from "../governance/snapshots/record.ts";
import type { GraphStats, QueryAnswer } from "../graph/answers.ts";
import type { Crystal } from "../knowledge/crystals/record.ts";
import type { SemanticMemory } from "../knowledge/facts/record.ts";
import type { Insight } from "../knowledge/insights/record.ts";
import type { Lesson } from "../knowledge/lessons/record.ts";
import type { Memory } from "../knowledge/memories/record.ts";
import type { MemoryRelation } from "../knowledge/memories/relations/record.ts";
import type { ProceduralMemory } from "../knowledge/procedures/record.ts";
import type { ProjectProfile } from "../knowledge/profiles/record.ts";
import type { MemorySlot } from "../knowledge/slots/record.ts";
import type { ContextBlock } from "../recall/context/answers.ts";
import type { SmartSearchAnswer } from "../recall/search/answers.ts";
import type { MeshPeer } from "../sharing/mesh/record.ts";
import type { TeamProfile } from "../sharing/team/profile.ts";
import type { TeamSharedItem } from "../sharing/team/record.ts";
import type { Paged } from "../store/page.ts";

/** A page of a list under its name, and its position in the whole list. */
type Page<Name extends string, Row> = Readonly<Record<Name, readonly Row[]>> & Paged;

/** Routes that are read with GET, and the parts of their answers that the page uses. */
export interface Answers {
  readonly "/health": Health;
  readonly "/config/flags": Flags;
  readonly "/projects": Page<"projects", Project>;
  readonly "/profile": ProjectProfile;
  readonly "/sessions": Page<"sessions", Session>;
  readonly "/observations": Page<"observations", Observation> & {
    readonly session: Session;
    readonly begun?: readonly string[];
  };
  readonly "/commits": Page<"commits", CommitLink>;
  readonly "/session/by-commit": { readonly commit: CommitLink; readonly sessions: readonly Session[] };
  readonly "/memories": Page<"memories", Memory>;
  readonly "/relations": Page<"relations", MemoryRelation> & {
    readonly memories?: readonly { readonly memory: Memory; readonly hop: number }[];
  };
  readonly "/lessons": Page<"lessons", Lesson>;
  readonly "/insights": Page<"insights", Insight>;
  readonly "/crystals": Page<"crystals", Crystal>;
  readonly "/semantic": Page<"semantic", SemanticMemory>;
  readonly "/procedural": Page<"procedural", ProceduralMemory>;
  readonly "/slots": { readonly slots: readonly MemorySlot[]; readonly total: number };
  readonly "/graph/stats": GraphStats;
  readonly "/actions": Page<"actions", Action>;
  readonly "/actions/get": ActionInContext;
  readonly "/frontier": Frontier;
  readonly "/facets": {
    readonly dimensions: readonly { readonly dimension: string; readonly values: readonly string[] }[];
  };
  readonly "/facets/stats": {
    readonly dimensions: readonly {
      readonly dimension: string;
      readonly values: readonly { readonly value: string; readonly count: number }[];
    }[];
    readonly totalFacets: number;
  };
  readonly "/checkpoints": Page<"checkpoints", Checkpoint>;
  readonly "/sentinels": Page<"sentinels", Sentinel>;
  readonly "/signals": Page<"signals", Signal> & { readonly unread: number };
  readonly "/routines": Page<"routines", Routine>;
  readonly "/routines/status": RunReport;
  readonly "/sketches": Page<"sketches", Sketch & { readonly actionCount: number }>;
  readonly "/team/feed": Page<"items", TeamSharedItem>;
  readonly "/team/profile": TeamProfile;
  readonly "/mesh/peers": Page<"peers", MeshPeer>;
  readonly "/audit": Page<"entries", AuditEntry>;
  readonly "/snapshots": Page<"snapshots", Snapshot>;
}

/** Routes that only read, although they use POST. */
export interface Replies {
  readonly "/smart-search": SmartSearchAnswer;
  readonly "/context": ContextBlock;
  readonly "/facets/query": Page<"results", Pick<Facet, "targetId" | "targetType">>;
  readonly "/verify": Verification;
  readonly "/graph/query": QueryAnswer;
  readonly "/diagnostics": Diagnosis;
}

export interface Health {
  readonly status: HealthStatus;
  readonly service: string;
  readonly version: string;
  readonly health: HealthSnapshot;
  readonly functionMetrics: readonly {
    readonly functionId: string;
    readonly totalCalls: number;
    readonly failureCount: number;
    readonly avgLatencyMs: number;
  }[];
  readonly runningJobs: readonly {
    readonly id: string;
    readonly kind: string;
    readonly since: string;
    readonly done: readonly string[];
  }[];
  readonly circuitBreaker: { readonly state: string; readonly failures: number };
  readonly llm: LlmReportRecord;
}

type LlmReportRecord = (typeof LlmReport)["_output"];

export interface Flags {
  readonly embeddingProvider: "embeddings" | "none";
  readonly flags: readonly FeatureFlag[];
  readonly features: readonly FeatureFlag[];
}

export interface ActionInContext {
  readonly action: Action;
  readonly edges: readonly ActionEdge[];
  readonly children: readonly Action[];
  readonly blockers: readonly Blocker[];
  readonly lease: Lease | null;
}

export interface RunReport {
  readonly run: RoutineRun;
  readonly actions: readonly Action[];
  readonly progress: Readonly<Record<Action["status"] | "total", number>>;
}
