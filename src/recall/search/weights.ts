/*
 * How much each stream counts belongs to the embedding model: a weak list at equal weight costs ten points of recall,
 * a strong one that is held down gains nothing. The figures of a family were chosen on half of each evaluation set
 * and judged on the other (see bench/results/README.md); settings override them.
 */

export interface StreamWeights {
  readonly keyword: number;
  readonly vector: number;
  readonly graph: number;
}

interface ModelFamily {
  readonly names: RegExp;
  readonly weights: StreamWeights;
}

/** The first whose names match a model's. */
const families: readonly ModelFamily[] = [
  // Static vectors (Model2Vec) know words but no sentences.
  { names: /potion|model2vec|static/i, weights: { keyword: 1, vector: 0.1, graph: 0.3 } },
];

/** Sentence models and those of vendors find about as much as words do; so their published results say. */
const otherModels: StreamWeights = { keyword: 1, vector: 1, graph: 0.3 };

/** The weights that go with a model's name; with none, nothing is weighed against vectors. */
export function weightsFor(modelName: string | undefined): StreamWeights {
  if (modelName === undefined) return otherModels;
  return families.find(({ names }) => names.test(modelName))?.weights ?? otherModels;
}
