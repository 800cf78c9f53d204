/*
 * The weights of the streams depend on the embedding model: a weak stream at equal weight costs ten points of recall,
 * and a strong one at a low weight gains nothing. The weights of a family were tuned on half of each evaluation set and
 * judged on the other half (see bench/results/README.md); settings override them.
 */

interface StreamWeights {
  readonly keyword: number;
  readonly vector: number;
  /** Weight of the vector stream when the words of a query find no strong match. */
  readonly vectorWhenUnsure: number;
  readonly graph: number;
}

/** The fields of a model that tell its family. */
export interface NamedModel {
  readonly provider: string;
  readonly name: string;
}

interface ModelFamily {
  /** Matches provider and name, separated by a space. */
  readonly names: RegExp;
  readonly weights: StreamWeights;
}

/**
 * What is related to the things that a query names is rarely the answer: a weight of 0.05 already costs three points.
 * At this weight the graph only adds records that no other stream finds.
 */
const graphWeight = 0.005;

/** The first family whose names match applies. */
const families: readonly ModelFamily[] = [
  // Static vectors (Model2Vec) know words but not sentences: they count when the words of a query find little, and
  // otherwise only add hits behind those of the words.
  {
    names: /^static |potion|model2vec/i,
    weights: { keyword: 1, vector: 0.005, vectorWhenUnsure: 0.1, graph: graphWeight },
  },
];

/** Sentence models and vendors' models find about as much as keywords, by their published results. */
const otherModels: StreamWeights = { keyword: 1, vector: 1, vectorWhenUnsure: 1, graph: graphWeight };

/** The weights for a model. Without a model they do not matter, because there is no vector stream. */
export function weightsFor(model: NamedModel | undefined): StreamWeights {
  if (model === undefined) return otherModels;
  const name = `${model.provider} ${model.name}`;
  return families.find(({ names }) => names.test(name))?.weights ?? otherModels;
}
