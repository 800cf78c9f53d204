/*
 * The weights of the streams depend on the embedding model: a weak stream at equal weight costs ten points of recall,
 * and a strong one at a low weight gains nothing. So does what a similarity means. The figures of a family were tuned
 * on half of each evaluation set and judged on the other half (see bench/results/README.md); settings override weights.
 */

export interface ModelFigures {
  readonly keyword: number;
  readonly vector: number;
  /** Weight of the vector stream when the words of a query find no strong match. */
  readonly vectorWhenUnsure: number;
  readonly graph: number;
  /** Below this similarity, a text without a word of the query has nothing to do with it. */
  readonly relatedFrom: number;
  /** How many texts without a word of the query are found at most. */
  readonly mostWithoutWords: number;
  /** From this similarity on, a text says the same as the query in other words. */
  readonly sameFrom: number;
}

/** The fields of a model that tell its family. */
export interface NamedModel {
  readonly provider: string;
  readonly name: string;
}

interface ModelFamily {
  /** Matches provider and name, separated by a space. */
  readonly names: RegExp;
  readonly figures: ModelFigures;
}

/**
 * What is related to the things that a query names is rarely the answer: a weight of 0.05 already costs three points.
 * At this weight the graph only adds records that no other stream finds.
 */
const graphWeight = 0.005;

/** The first family whose names match applies. */
const families: readonly ModelFamily[] = [
  // Static vectors (Model2Vec) know words but not sentences: they count when the words of a query find little, and
  // otherwise only add hits behind those of the words. Any two texts of some length are similar to them: half of the
  // questions about another set find a text above 0.5, and a tenth to a quarter above 0.6.
  {
    names: /^static |potion|model2vec/i,
    figures: {
      keyword: 1,
      vector: 0.005,
      vectorWhenUnsure: 0.1,
      graph: graphWeight,
      relatedFrom: 0.35,
      mostWithoutWords: 3,
      sameFrom: 0.7,
    },
  },
];

/** Sentence models and vendors' models find about as much as keywords, by their published results. */
const otherModels: ModelFigures = {
  keyword: 1,
  vector: 1,
  vectorWhenUnsure: 1,
  graph: graphWeight,
  relatedFrom: -1,
  mostWithoutWords: Number.POSITIVE_INFINITY,
  sameFrom: 0.6,
};

/** The figures for a model. Without a model they do not matter, because there is no vector stream. */
export function figuresFor(model: NamedModel | undefined): ModelFigures {
  if (model === undefined) return otherModels;
  const name = `${model.provider} ${model.name}`;
  return families.find(({ names }) => names.test(name))?.figures ?? otherModels;
}
