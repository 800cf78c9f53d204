import { graphContent } from "../support/graph-content.ts";
import type { TestHttp } from "../support/http.ts";

/** The exported contents of a store without its audit; equal for equal stores. */
export async function contents(http: Pick<TestHttp, "send">): Promise<Record<string, unknown>> {
  const exported = (await http.send("/export")).body;
  const { exportedAt: _at, audit: _audit, graphNodes: _nodes, graphEdges: _edges, ...content } = exported;
  return { ...content, graph: graphContent(exported) };
}

/**
 * The same without strengths, and confidences beside an anchor: they fade with time and are computed when they are read.
 */
export function timeless(content: Readonly<Record<string, unknown>>): unknown {
  return JSON.parse(JSON.stringify(content), function (this: object, name, value: unknown) {
    const fades = name === "strength" || (name === "confidence" && "confidenceAnchor" in this);
    return fades ? undefined : value;
  });
}
