import type { Projects } from "../../capture/projects/projects.ts";
import type { AgentScopes } from "../../capture/sessions/agent-scope.ts";
import { requestedView, type ViewRequest } from "../../capture/sessions/view.ts";
import type { Ground } from "../../ground.ts";
import { firstLine } from "../../text/first-line.ts";
import { firstSentences } from "../../text/sentences.ts";
import type { Lessons } from "../lessons/lessons.ts";
import { strongPreferences } from "../memories/preferences.ts";
import { statementKey } from "../statements/statement-key.ts";
import type { Patterns } from "./patterns.ts";

const mostRules = 30;
/** How many rules each kind gets first; the remaining places are filled kind by kind. */
const firstShare = 7;
const pairFrequency = 4;
const errorFrequency = 3;
const lessonConfidence = 0.7;
const preferenceStrength = 0.5;
const longestRule = 200;

interface Source {
  readonly kind: "co_change" | "error_repeat" | "lesson" | "preference";
  readonly id?: string;
  /**
   * How often it was seen: number of sessions or errors, or 1 plus the number of confirmations or recalls.
   */
  readonly frequency: number;
}

interface Rule {
  readonly text: string;
  readonly source: Source;
}

interface Services {
  readonly agents: AgentScopes;
  readonly projects: Projects;
  readonly patterns: Patterns;
  readonly lessons: Lessons;
}

export interface Rules {
  readonly rules: string[];
  readonly sources: Source[];
}

/** Short sentences of advice, from recurring patterns, lessons and preferences. Nothing is stored. */
export async function generateRules(
  ground: Ground,
  services: Services,
  request: ViewRequest,
): Promise<Rules> {
  const scope = await requestedView(ground.store.read.sql, services, request);
  const found = await services.patterns.within(scope);
  const pairs = found
    .filter(({ type, frequency }) => type === "co_change" && frequency >= pairFrequency)
    .map(({ files: [first = "", second = ""], frequency }) =>
      rule(`When you change ${first}, look at ${second} too.`, { kind: "co_change", frequency }),
    );
  const errors = found
    .filter(({ type, frequency }) => type === "error_repeat" && frequency >= errorFrequency)
    .map(({ description, frequency }) =>
      rule(`Avoid this error, which came up ${frequency} times: ${description}`, {
        kind: "error_repeat",
        frequency,
      }),
    );
  const learned = await services.lessons.surest(scope, mostRules, lessonConfidence);
  const now = ground.now();
  const preferred = await strongPreferences(ground.store.read, scope, preferenceStrength, now, mostRules);
  const taken = fairly(
    saidOnce([
      pairs,
      errors,
      learned.map(({ id, content, reinforcements }) =>
        rule(firstSentences(content, longestRule), { kind: "lesson", id, frequency: 1 + reinforcements }),
      ),
      preferred.map(({ id, text, recallCount }) =>
        rule(text, { kind: "preference", id, frequency: 1 + recallCount }),
      ),
    ]),
  );
  return { rules: taken.map(({ text }) => text), sources: taken.map(({ source }) => source) };
}

function rule(text: string, source: Source): Rule {
  return { text: firstLine(text, longestRule), source };
}

/** Drops rules whose words an earlier rule has. */
function saidOnce(kinds: readonly (readonly Rule[])[]): Rule[][] {
  const said = new Set<string>();
  return kinds.map((rules) =>
    rules.filter(({ text }) => {
      const key = statementKey(text);
      if (said.has(key)) return false;
      said.add(key);
      return true;
    }),
  );
}

/** At most 30 rules in all, shared so that a kind with many rules does not crowd out the others. */
function fairly(kinds: readonly (readonly Rule[])[]): Rule[] {
  const counts = kinds.map((rules) => Math.min(firstShare, rules.length));
  let left = mostRules - counts.reduce((sum, count) => sum + count, 0);
  kinds.forEach((rules, at) => {
    const count = counts[at] ?? 0;
    const more = Math.max(0, Math.min(left, rules.length - count));
    counts[at] = count + more;
    left -= more;
  });
  return kinds.flatMap((rules, at) => rules.slice(0, counts[at]));
}
