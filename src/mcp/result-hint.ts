import { findKnownProject } from "../capture/projects/known-project.ts";
import { listProjects } from "../capture/projects/operations.ts";
import type { Core } from "../core.ts";
import { searchLessons } from "../knowledge/lessons/operations.ts";
import type { Caller } from "../operation/define.ts";
import { isMemsvcError } from "../operation/errors.ts";
import { familyOf } from "../operation/family-of.ts";
import { similarValueHints } from "../operation/similar-values.ts";
import { foundOnlyWeak, unsearchedLessons } from "../operation/unsearched-lessons.ts";
import { namesIn } from "./filter-names.ts";
import type { ToolUse } from "./tool.ts";
import { isToolOffered, type ToolSet } from "./tools.ts";

/*
 * Hints beside results that would mislead without them: a call that ignored an argument looks like one that used it,
 * and a project that is not known looks like one of which nothing is stored.
 */

interface Asked {
  readonly core: Core;
  readonly use: ToolUse;
  readonly caller: Caller;
  readonly set: ToolSet;
}

const mostProjects = 1_000;
/** A project may have these without any session or memory, or be new, and then its name is right. */
const familiesOfNewProjects = new Set(["actions", "context", "crystals", "lessons", "profiles", "sketches"]);

/**
 * What has to be said beside the answer to a tool call; undefined if nothing. The call has succeeded, so an error here
 * is only logged.
 */
export async function resultHint(asked: Asked, answer: object): Promise<string | undefined> {
  try {
    return await findHint(asked, answer);
  } catch (error) {
    asked.core.ground.log("warn", "the hint beside a tool's result could not be made", {
      tool: asked.use.operation.mcp.tool,
      error: String(error),
    });
    return undefined;
  }
}

async function findHint(asked: Asked, answer: object): Promise<string | undefined> {
  const { operation, unknown } = asked.use;
  const { tool, effects, result, hint: hintAt } = operation.mcp;
  const ofEmpty =
    effects === "read" && isEmpty(operation.id, answer, result)
      ? [
          await lessonHint(asked, answer),
          await unknownProject(asked),
          ...(await similarValueHints(operation.id, asked.use.input, namesIn(asked.core, asked.caller))),
        ]
      : [foundOnlyWeak(answer) ? await lessonHint(asked, answer) : undefined];
  const hints = [ignoredArguments(tool, unknown), ...ofEmpty, hintAt?.({ ...answer })].filter(
    (hint) => hint !== undefined,
  );
  return hints.length === 0 ? undefined : hints.join("; ");
}

/** Example: `ignored tags, which memory_save does not have`. */
function ignoredArguments(tool: string, unknown: readonly string[]): string | undefined {
  return unknown.length === 0 ? undefined : `ignored ${unknown.join(", ")}, which ${tool} does not have`;
}

function isEmpty(operationId: string, answer: object, result: string | undefined): boolean {
  // Always checked, because memories without a project are in every block.
  if (operationId === "context.build") return true;
  const {
    streams: _searched,
    leftOut: _unsearched,
    ...fields
  }: Readonly<Record<string, unknown>> = { ...answer };
  if (fields.suggestion === null || (result !== undefined && fields[result] === "")) return true;
  const lists = Object.values(fields).filter((value) => Array.isArray(value));
  return lists.length > 0 && lists.every((list) => list.length === 0);
}

async function lessonHint({ core, use, caller, set }: Asked, answer: object): Promise<string | undefined> {
  const agentId = asText(use.input.agentId);
  const found = await unsearchedLessons(
    use.operation.id,
    use.input,
    (question) => core.call(searchLessons, { ...question, agentId }, caller),
    answer,
  );
  if (found === undefined) return undefined;
  const way = isToolOffered("memory_lesson_recall", set)
    ? "memory_lesson_recall"
    : "memory_smart_search with includeLessons true";
  return `${found.told}: ${way}`;
}

async function unknownProject({ core, use, caller }: Asked): Promise<string | undefined> {
  const { project: named, agentId } = use.input;
  // Paths such as `.` and `~/shop` are understood, but are not among the names below.
  if (typeof named !== "string" || /^[.~]/u.test(named)) return undefined;
  // An isolated agent must not learn what others work on.
  const view = core.ground.settings.agentScope === "isolated" ? asText(agentId) : "*";
  const { projects } = await core
    .call(listProjects, { limit: mostProjects, agentId: view }, caller)
    .catch(noneIfRefused);
  if (projects === undefined) return undefined;
  const { isKnown, meant } = findKnownProject(named, projects);
  if (isKnown) return undefined;
  if (meant === undefined && familiesOfNewProjects.has(familyOf(use.operation.id))) return undefined;
  return `no session or memory belongs to a project ${named}${meant === undefined ? "" : `; ${meant}`}`;
}

/** Isolated agents have to be named to list projects, but not for every tool. */
function noneIfRefused(error: unknown): { readonly projects?: undefined } {
  if (isMemsvcError(error, "invalid_input")) return {};
  throw error;
}

function asText(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}
