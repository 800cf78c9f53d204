import { unspacedScripts } from "./scripts.ts";

/** Patterns for words, and for the positions where mixed-case words are split. */
interface WordPatterns {
  /** A word with the separators that it may contain. Global. */
  readonly run: RegExp;
  readonly mixedCase: RegExp;
  readonly humpBoundary: RegExp;
}

interface ScriptPatterns extends WordPatterns {
  /** Diacritics and invisible characters. Global. */
  readonly marks: RegExp;
  /** Joiners that may separate whole words: in Persian, and where a line may break. */
  readonly betweenWords: RegExp;
  /** Runs of scripts with or without blanks between words. Global. */
  readonly unspacedRun: RegExp;
  readonly startsUnspaced: RegExp;
  /** Two characters of unspaced scripts. */
  readonly pair: RegExp;
}

/** Zero-width space and zero-width non-joiner. Global. */
export const wordJoints = /[\u200B\u200C]/g;

/** Patterns for ASCII, which take a third of the time. */
export const asciiPatterns: WordPatterns = {
  run: /[A-Za-z0-9_\-./\\]+/g,
  mixedCase: /[a-z0-9][A-Z]|[A-Z][A-Z][a-z]/,
  humpBoundary: /(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])(?![A-Z]s$)/,
};

let made: ScriptPatterns | undefined;

/** Patterns for all scripts; made at first use, because compiling Unicode classes takes milliseconds. */
export function scriptPatterns(): ScriptPatterns {
  made ??= {
    run: /[\p{L}\p{N}\u200B\u200C_\-./\\]+/gu,
    mixedCase: /[\p{Ll}\p{N}]\p{Lu}|\p{Lu}\p{Lu}\p{Ll}/u,
    humpBoundary: /(?<=[\p{Ll}\p{N}])(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})(?!\p{Lu}s$)/u,
    marks: /(?![\u3099\u309A\u200B\u200C])[\p{M}\p{Cf}\u0640]/gu,
    betweenWords: /\u200B|(?<=\p{Script=Arabic})\u200C/u,
    unspacedRun: new RegExp(`[${unspacedScripts}]+|[^${unspacedScripts}]+`, "gu"),
    startsUnspaced: new RegExp(`^[${unspacedScripts}]`, "u"),
    pair: new RegExp(`^[${unspacedScripts}]{2}$`, "u"),
  };
  return made;
}
