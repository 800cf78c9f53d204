/** How well one ranking, or the mean of many, answers. All from 0 to 1. */
export interface Quality {
  readonly hit1: number;
  readonly recall5: number;
  readonly recall10: number;
  readonly ndcg10: number;
  readonly mrr10: number;
}

export const qualityNames = ["hit1", "recall5", "recall10", "ndcg10", "mrr10"] as const;

/** Judges the first ten of a ranking, best first, against the documents that answer the query. */
export function qualityOf(ranking: readonly string[], answers: ReadonlySet<string>): Quality {
  const isAnswer = ranking.slice(0, 10).map((id) => answers.has(id));
  const found = (among: number) => isAnswer.slice(0, among).filter(Boolean).length;
  const gain = isAnswer.reduce((sum, right, at) => sum + (right ? discount(at) : 0), 0);
  let ideal = 0;
  for (let at = 0; at < Math.min(10, answers.size); at += 1) ideal += discount(at);
  const first = isAnswer.indexOf(true);
  return {
    hit1: found(1),
    recall5: found(5) / answers.size,
    recall10: found(10) / answers.size,
    ndcg10: gain / ideal,
    mrr10: first < 0 ? 0 : 1 / (first + 1),
  };
}

export function meanQuality(qualities: readonly Quality[]): Quality {
  const mean = (name: keyof Quality) =>
    qualities.reduce((sum, quality) => sum + quality[name], 0) / Math.max(1, qualities.length);
  return {
    hit1: mean("hit1"),
    recall5: mean("recall5"),
    recall10: mean("recall10"),
    ndcg10: mean("ndcg10"),
    mrr10: mean("mrr10"),
  };
}

/** Discount of DCG; `place` counts from 0. */
function discount(place: number): number {
  return 1 / Math.log2(place + 2);
}
