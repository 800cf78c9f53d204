/* Whether a clause says that something went wrong, rather than how something works. In lower case. */

const not = "(?:n['’]t| not)";
const wentWrong = [
  "failed|broke|crashed|hung|froze|died|panicked|stalled|timed out|threw|leaked|blew up|deadlocked|regressed|choked|bailed out|aborted|disappeared|vanished|diverged|drifted|spiked|restarted|disconnected|exited with|went down|ran out of",
  `did${not}|could${not}|would${not} (?:start|build|compile|load|connect|run|work)`,
  `(?:was|were)${not} (?:found|available|reachable|registered|defined|working|running|\\w{2,20}ed|set|sent|run|built|read|written|seen)`,
  "never (?:\\w{2,20}ed|ran|sent|got|came|saw|set|read|run|built|written|seen|found|begun)",
  "(?:was|were|been|got|kept|started|had been) (?:\\w+ly )?(?:failing|crashing|hanging|breaking|leaking|timing out|restarting|flaking|hitting)",
  "(?:was|were|got) (?:(?:silently|always|wrongly|accidentally|randomly) skipped|(?:\\w+ly )?(?:\\w+ )?(?:rejected|refused|denied|blocked|throttled|evicted|terminated|exhausted|stripped|mangled|clipped|ignored|lost|dropped|killed|corrupted|duplicated|overwritten|truncated|garbled|stuck|broken|deleted|cut off))",
  "(?:ran|sent|called|charged|counted|fired|rendered|inserted|executed) (?:[\\w-]+ ){0,2}twice|(?:ran|worked|passed|succeeded|was on|were on) only",
  "(?<!\\b(?:is|are|was|were|been|be|being|gets?|to) (?:\\w+ly )?)(?:returned|answered|showed|printed|got|picked up|lost|dropped|rejected|refused|skipped|ignored|missed|overwrote|duplicated|corrupted)",
];
const goesWrong = [
  "fails?|hangs?|crash(?:es)?|breaks?|leaks?|stalls?|freezes|times out|panics?|flakes?",
  `do(?:es)?${not} (?:work|start|run|build|compile|load|connect|show|appear|match|fire|resolve|respond|refresh|update|report|support)`,
  "can(?:['’]t|not| not) (?:find|resolve|connect|load|start|bind|reach|be (?:found|resolved|loaded|reached))",
  "never (?:stop|end|return|fire|run|resolve|finish|close|reach|arrive|happen|load|start|expire|clear|flush|reconnect)(?:e?s)?",
  "keeps? (?:failing|crashing|restarting|hanging|retrying|growing)",
];
const wrongThing = [
  "errors?|exceptions?|warnings?|failures?|failing|bugs?|problems?|issues?|crash(?:es)?|flak(?:e|es|y|iness)|leaks?|deadlocks?",
  "outages?|(?:timeouts?|time-outs?|delays?|latency|rate limits?|conflicts?)(?! (?:is|are|of)\\b)|mismatch(?:es)?|discrepanc(?:y|ies)|regressions?|segfaults?|(?:over|under)flows?|oom\\w*|out of (?:memory|disk|space)|hangs?|freezes|stutter\\w*",
  "slow(?:er|ness|down)?|stale|duplicates?d?|missing|wrong|empty|broken|stuck|corrupt\\w*|twice|off by|infinite|endless|too (?:large|big|long|many|slow|late|early)",
  "nothing|null|undefined|nan|not found|unreachable|cors|symptoms?|gaps?|lag(?:s|ged|ging)?|differ(?:s|ed|ences?)?|gr(?:ows?|ew|owing) (?:without|unbounded|forever|indefinitely)|unstable|jank|(?:layout )?shifts?|incident|cold start|flicker\\w*|spikes?|blank|unresponsive|inaccessible|double charges?|idle|storms?|breakages?",
  "[45]\\d\\ds?|e[a-z]{5,12}(?<=econnreset|econnrefused|etimedout|enoent|eaddrinuse|eacces|emfile)",
];

const went = new RegExp(String.raw`\b(?:${wentWrong.join("|")})\b`);
const goes = new RegExp(String.raw`\b(?:${goesWrong.join("|")})\b`);
const thing = new RegExp(String.raw`\b(?:${wrongThing.join("|")})\b`);
/** What a program does on purpose, or under a condition. */
const intended =
  /\b(?:asserts?|expects?|checks?|verif(?:y|ies)|tests? that|should|would|will|can|may|must|returns?|throws?|rejects?|answers?|skips?|ignores?|raises?|drops?|handles?|reports?|if|unless|whenever|intended|on purpose|by design)\b/;

/** A clause in the past tense. */
const past =
  /\b(?:was|were|had|did|got|went|came|became|began|saw|took|ran|fell|ate|hit|(?!undefined|based|hundred)\w{2,20}[^e\W]ed)\b/;
const present =
  /\b(?:is|are|am|does|do|has|have|can|will|must|should|would|may|might|need|needs|['’]s)\b|n['’]t have/;
/** What somebody did on purpose, and what went well. */
const chosen = new RegExp(
  [
    String.raw`\b(?:was|were|been|got|be) (?:[\w-]+ ){0,2}?(?:added|removed|changed|chosen|kept|renamed|moved|replaced|disabled|enabled|introduced|made|written|rewritten|needed|required|left|used|preferred|split|extracted|wrapped|picked|reverted|deprecated|merged|approved|closed|committed|pushed|released|deployed|tested|reviewed|documented|updated|upgraded|bumped|refactored|implemented|designed|planned|selected|adopted|switched|migrated|avoided|created|configured|cached|sorted|built|set up|skipped|fixed|solved|resolved|allowed|supposed|meant|asked|turned (?:on|off)|marked|expected|intended|postponed|scheduled|cancelled|canceled)\b`,
    String.raw`\b(?:necessary|fast|faster|quick|fine|ok|safe|simple|easy|easier|enough|possible|deliberate|correct|right|pass(?:es|ed)|worked|green|succeeded|happy|glad|decided|wanted|chose|needed)\b`,
  ].join("|"),
);

/** Whether a clause tells what happened, and neither what somebody did on purpose nor that it went well. */
export function tellsMishap(clause: string): boolean {
  return past.test(clause) && !present.test(clause) && !chosen.test(clause);
}

/** Whether a clause names something that is wrong. */
export function namesTrouble(clause: string): boolean {
  return thing.test(clause) || went.test(clause) || goes.test(clause);
}

/** Whether a clause says that something went wrong, or goes wrong against what is intended. */
export function tellsTrouble(clause: string): boolean {
  return went.test(clause) || ((goes.test(clause) || thing.test(clause)) && !intended.test(clause));
}
