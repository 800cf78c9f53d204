import { rulingPromptsOf } from "../../../capture/observations/reads/ruling-prompts.ts";
import type { Ground } from "../../../ground.ts";
import type { Decision } from "../../../knowledge/decisions/replaced-decisions.ts";
import { type StatedRule, statedRules } from "../../../knowledge/decisions/stated-rules.ts";
import { type MemoryVersion, newestVersions } from "../../../knowledge/memories/versions/newest-versions.ts";
import type { Profiles } from "../../../knowledge/profiles/profiles.ts";
import { dayText } from "../../../operation/fields.ts";
import { withoutSentenceEnd } from "../../../text/sentence-ends.ts";
import { shortened } from "../safe-text.ts";
import type { Section, SectionItem } from "../section.ts";

const mostConcepts = 8;
const mostFiles = 5;
const mostErrors = 3;
const mostRules = 12;
const longestValue = 120;
const longestConvention = 160;
const longestRule = 200;
/** With which a sentence goes on from the one before, which is not shown. */
const joiningWord = /^(?:and|but|und|aber|et|mais|y|pero),? /i;

/** The profile of the project, without what the asking session itself added, and the rules that its user stated. */
export function profileSection(ground: Ground, profiles: Pick<Profiles, "forSession">): Section {
  return async ({ sessionId, project, view, now }) => {
    const { sql } = ground.store.read;
    const profile = await profiles.forSession(sessionId, project, view);
    const prompts = await rulingPromptsOf(sql, view, sessionId);
    const memories = prompts.length === 0 ? [] : await newestVersions(sql, view, now);
    const concepts = profile.topConcepts.slice(0, mostConcepts).map(({ concept }) => concept);
    const files = profile.topFiles.slice(0, mostFiles).map(({ file }) => file);
    return [
      ...listed("Concepts", concepts),
      ...listed("Files", files),
      ...statedRules(prompts, memories.filter(({ isLatest }) => isLatest).map(asDecision)).map(ruleItem),
      ...profile.conventions.map((convention) => item(shortened(convention, longestConvention))),
      ...profile.commonErrors
        .slice(0, mostErrors)
        .map((error) => item(`Error seen in tool output: ${error}`)),
    ];
  };
}

function asDecision({ content, createdAt }: MemoryVersion): Decision {
  return { text: content, at: createdAt, place: 0 };
}

function ruleItem({ kind, text, at }: StatedRule): SectionItem {
  const label = kind === "decision" ? "Decided" : "Preferred";
  const rule = shortened(text.replace(joiningWord, ""), longestRule);
  const line = `${label} on ${dayText(at)}: ${rule}`;
  return { lines: [{ kind: "item", text: line, says: withoutSentenceEnd(rule) }], most: mostRules };
}

function listed(name: string, values: readonly string[]): SectionItem[] {
  return values.length === 0
    ? []
    : [item(`${name}: ${values.map((value) => shortened(value, longestValue)).join(", ")}`)];
}

function item(text: string): SectionItem {
  return { lines: [{ kind: "item", text }] };
}
