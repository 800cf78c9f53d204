import type { EdgeType, LayerOrigin, NodeType } from "../record.ts";

/** A node that was found, before it is known whether the graph already has it. Its texts are redacted. */
export interface NodeDraft {
  readonly type: NodeType;
  readonly name: string;
  readonly aliases?: readonly string[];
  readonly properties?: Readonly<Record<string, unknown>>;
}

export interface EdgeDraft {
  /** Indexes of the two ends in the layer's list of nodes. */
  readonly source: number;
  readonly target: number;
  readonly type: EdgeType;
  /** Above 0 and at most 1; absent where the number of sources is the weight. */
  readonly weight?: number;
  readonly properties?: Readonly<Record<string, unknown>>;
}

export interface PlaceDraft {
  readonly project: string | null;
  readonly projectKey: string | null;
}

/** Nodes and edges of one project that were found together. */
export interface LayerDraft extends PlaceDraft {
  readonly origin: LayerOrigin;
  readonly nodes: readonly NodeDraft[];
  readonly edges: readonly EdgeDraft[];
  /** Keys of the sources that all of it was found in. */
  readonly sources: readonly number[];
  /** Whether the sources are new, so that nothing is linked to them yet. */
  readonly fresh: boolean;
}

/** How many nodes and edges were added or updated. */
export interface Put {
  nodesAdded: number;
  nodesUpdated: number;
  edgesAdded: number;
  edgesUpdated: number;
}

/** Edges of this type have no direction; they are stored once, from the older node to the newer. */
export const undirected: EdgeType = "related_to";
