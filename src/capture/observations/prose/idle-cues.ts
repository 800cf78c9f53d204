/*
 * Phrases that have the words of decision cues and decide nothing. Gaps are bounded, so that matching is linear.
 */

const gap = (most: number) => `[^.!?;]{0,${most}}?`;
const phrases = (parts: readonly string[]) => new RegExp(String.raw`\b(?:${parts.join("|")})\b`, "gi");

/** Whoever says them. */
const anyones = phrases([
  "never mind",
  "(?:as|like) always|always (?:happy|glad|welcome)|can always",
  "let['’]s take (?:(?:an?|another|one more) (?:[\\w-]+ ){0,3}(?:look|peek|step|break|pass|approach)|stock|this|it)",
  "let['’]s keep (?:going|moving|working|looking|trying|an eye|in mind|(?:it|this) short)",
  `there must be (?:an?|some\\w*)|(?:it|that|this) must be (?:why|how|where|what|some\\w*|because|due|caused|related|coming)`,
  "(?:it|that|this) must be the (?:cause|reason|problem|bug|issue)|you must be (?:kidding|joking|mistaken)",
  "(?:can|could|may|might)(?: (?:now|then|also|either))? choose|choose (?:one|any|between|from|what|whatever|whichever)",
  `(?:lets?|allow\\w*) ${gap(40)} (?:to )?choose|(?:users?|customers?|admins?|players?|visitors?)(?: (?:can|must|should))? choose`,
  `(?:please|just|if you) choose|(?:which|what|how)\\b${gap(40)} choose|to choose (?:an?|one|which|whether|how|what)`,
  "switch to (?:an? )?(?:different|another|new) \\w+|switch to (?:the )?(?:main|master)",
  "switch to (?:the )?[\\w/.-]{1,40} (?:branch|tab|window|folder|directory)|switch to (?:plan|edit|ask|agent|build|debug) mode",
  "(?:should|would|could) (?:never|always) have",
  "never (?:told|found|heard|knew|said|made|gave|wrote|thought|left|kept|sent|lost|became|felt|meant|built|understood)",
  `used to ${gap(200)} instead of`,
  `(?:complain|warn)(?:s|ed)? ${gap(200)} must`,
]);

/** An agent's: advice and offers to the user, its next step, an excuse, agreement with what it was told. */
const agents = phrases([
  "you(?:['’]ll)? (?:must|could|can|may|might|need to|want to|have to)(?: now)? (?:choose|always|never)|you must",
  `(?:if you(?:['’]d| would)? (?:rather|prefer|like|want)|let me know|would you like|do you want)\\b[^.!?]{0,300}`,
  "we will (?:(?:now|first|then|also|next) )?(?:look|write|implement|start|begin|continue|create|know|find|run|check|explore|move on|go)",
  `now (?:[\\w\`-]{1,40} ){0,4}[a-z]+s ${gap(60)}instead of [a-z]+ing`,
  "I should (?:never|always)",
  "agreed(?= ?[—–,.!:;-]+ ?(?:that|it|this|let me|I['’](?:ll|m|ve)|I will|good|great|sounds|makes))",
  "(?:will|can|may|might) (?:also )?(?:never|always)",
]);

/** A text without phrases that decide nothing, depending on who said it. */
export function withoutIdleCues(text: string, speaker: "user" | "agent"): string {
  const told = text.replace(anyones, "");
  return speaker === "user" ? told : told.replace(agents, "");
}
