declare module "wink-porter2-stemmer" {
  /** Stems one English word by Porter's second algorithm. */
  function stem(word: string): string;
  export default stem;
}

declare module "wink-bm25-text-search" {
  export interface Bm25Config {
    fldWeights: Record<string, number>;
    bm25Params?: { k1?: number; b?: number; k?: number };
  }
  type PrepTask = (input: string) => string[];

  export interface Bm25Search {
    defineConfig(config: Bm25Config): boolean;
    definePrepTasks(tasks: readonly PrepTask[], field?: string): number;
    addDoc(document: Record<string, string>, id: number): number;
    consolidate(precision?: number): boolean;
    /** Pairs of document id (as text) and score, best first. */
    search(text: string, limit?: number): [id: string, score: number][];
  }
  function createSearch(): Bm25Search;
  export default createSearch;
}
