import { unspacedScripts } from "./scripts.ts";

/** What words are, and where one that is written in humps comes apart. */
export interface WordPatterns {
  /** A word with what may stand inside it. Global. */
  readonly run: RegExp;
  readonly mixedCase: RegExp;
  readonly humpBoundary: RegExp;
}

export interface ScriptPatterns extends WordPatterns {
  /** Characters that change the letter before them, or that nobody sees. Global. */
  readonly marks: RegExp;
  /** Where a joint may have words on both sides: in Persian, and where lines may break. */
  readonly betweenWords: RegExp;
  /** What is written with blanks between words, or without. Global. */
  readonly unspacedRun: RegExp;
  readonly startsUnspaced: RegExp;
  /** Two characters of what is written without. */
  readonly pair: RegExp;
}

/** Where a word may break over lines, and where its letters do not join. Global. */
export const wordJoints = /[\u200B\u200C]/g;

/** Of ASCII alone, in a third of the time. */
export const asciiPatterns: WordPatterns = {
  run: /[A-Za-z0-9_\-./\\]+/g,
  mixedCase: /[a-z0-9][A-Z]|[A-Z][A-Z][a-z]/,
  humpBoundary: /(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])(?![A-Z]s$)/,
};

let made: ScriptPatterns | undefined;

/** Of every script. Made at the first word that needs them: to read classes of Unicode takes milliseconds. */
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
