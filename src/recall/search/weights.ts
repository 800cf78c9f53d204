/*
 * How much each stream counts belongs to the embedding model: a weak list at equal weight costs ten points of recall,
 * a strong one that is held down gains nothing. The figures of a family were chosen on half of each evaluation set
 * and judged on the other (see bench/results/README.md); settings override them.
 */

interface StreamWeights {
  readonly keyword: number;
  readonly vector: number;
  /** The vector stream's where the words of a query find no strong match. */
  readonly vectorWhenUnsure: number;
  readonly graph: number;
}

/** What is asked of a model to know its family. */
export interface NamedModel {
  readonly provider: string;
  readonly name: string;
}

interface ModelFamily {
  /** Of provider and name. */
  readonly names: RegExp;
  readonly weights: StreamWeights;
}

/**
 * What stands near the things that a question names is seldom its answer: at 0.05 it costs three points already, but
 * what nothing else finds it may add.
 */
const graphWeight = 0.005;

/** The first whose names match a model's. */
const families: readonly ModelFamily[] = [
  // Static vectors (Model2Vec) know words but no sentences: they speak up where the words of a query find little, and
  // otherwise only stand behind what those find.
  {
    names: /^static |potion|model2vec/i,
    weights: { keyword: 1, vector: 0.005, vectorWhenUnsure: 0.1, graph: graphWeight },
  },
];

/** Sentence models and those of vendors find about as much as words do; so their published results say. */
const otherModels: StreamWeights = { keyword: 1, vector: 1, vectorWhenUnsure: 1, graph: graphWeight };

/** The weights that go with a model; without one there is nothing to weigh against vectors. */
export function weightsFor(model: NamedModel | undefined): StreamWeights {
  if (model === undefined) return otherModels;
  const name = `${model.provider} ${model.name}`;
  return families.find(({ names }) => names.test(name))?.weights ?? otherModels;
}
