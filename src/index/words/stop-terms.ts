import { stopWords } from "../../text/stop-words.ts";
import { termHash } from "./forward.ts";

/**
 * The hashes of stop words. Forward indexes contain them too, for queries of stop words only; comparisons of documents
 * have to skip them, because they say nothing about a text's subject.
 */
export const stopTerms: ReadonlySet<number> = new Set([...stopWords].map(termHash));
