import { stopWords } from "../../text/stop-words.ts";
import { termHash } from "./forward.ts";

/** A forward index knows stop words too, for queries of nothing else; they say nothing about what a text is about. */
export const stopTerms: ReadonlySet<number> = new Set([...stopWords].map(termHash));
