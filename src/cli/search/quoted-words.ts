import { passageFinder, type SearchedText } from "../../index/passages/passage.ts";
import { plainWords } from "../../index/passages/plain-words.ts";
import { wordFinder } from "../../index/passages/word-places.ts";
import type { Quotation } from "../render/quotation.ts";
import { widthOf } from "../render/text-width.ts";
import type { Terminal } from "../terminal/terminal.ts";

/** Quotes hits at a terminal: the matching part of the text, with matching words in bold. */
export function quotationFor(query: string, { paint }: Pick<Terminal, "paint">): Quotation {
  const words = plainWords(query);
  const find = wordFinder(words);
  return {
    partOf: (text: SearchedText, columns: number) => {
      // In some scripts every character takes two columns.
      const room = Math.floor((columns * text.body.length) / widthOf(text.body));
      return passageFinder(words, find, room)(text) ?? text.body;
    },
    emphasised: (line) => {
      let painted = "";
      let done = 0;
      for (const { at, end } of find(line)) {
        if (end <= done) continue;
        painted += line.slice(done, Math.max(done, at)) + paint.bold(line.slice(Math.max(done, at), end));
        done = end;
      }
      return painted + line.slice(done);
    },
  };
}
