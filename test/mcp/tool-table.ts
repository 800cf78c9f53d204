/*
 * The tools that are promised: name, whether MEMSVC_TOOLS=core offers them, hints (R read-only, D destructive, I
 * idempotent), and the arguments with their kinds; a star marks required ones.
 */
const table = `
memory_recall core RI: query* string, limit int, format string, token_budget int, project string, agentId string
memory_save core -: content* string, type string, title string, concepts list, files list, project string, ttlDays num, agentId string
memory_smart_search core RI: query string, expandIds list, limit int, project string, includeLessons bool, sessionId string, agentId string
memory_sessions core RI: project string, status string, limit int, agentId string
memory_consolidate core -: tier string, project string, force bool
memory_diagnose core RI: categories list
memory_lesson_save core -: content* string, context string, confidence num, project string, tags list
memory_reflect core -: project string, maxClusters int
memory_get all RI: memoryId* string, agentId string
memory_evolve all -: memoryId* string, newContent* string, newTitle string
memory_forget all DI: memoryId string, sessionId string, observationIds list, restorePrevious bool
memory_context all RI: sessionId* string, project* string, budget int, cwd string
memory_compress_file all DI: filePath* string
memory_file_history all RI: files* list, sessionId string
memory_patterns all RI: project string
memory_vision_search all RI: queryText string, queryImageRef string, queryImageBase64 string, topK int, sessionId string
memory_timeline all RI: anchor* string, project string, before int, after int
memory_profile all RI: project* string, refresh bool
memory_export all RI: maxSessions int, offset int
memory_relations all RI: memoryId* string, maxHops int, minConfidence num
memory_commit_lookup all RI: sha* string
memory_commits all RI: branch string, repo string, limit int
memory_claude_bridge_sync all I: direction* string
memory_graph_query all RI: startNodeId string, nodeType string, query string, maxDepth int, limit int, project string
memory_team_share all I: itemId* string, itemType* string, sessionId string, project string
memory_team_feed all RI: limit int
memory_audit all RI: operation string, limit int
memory_governance_delete all DI: memoryIds* list, reason string
memory_snapshot_create all -: message string
memory_action_create all -: title* string, description string, priority int, project string, tags list, parentId string, requires list, createdBy string
memory_action_update all I: actionId* string, status string, result string, priority int, title string, description string, assignedTo string
memory_frontier all RI: project string, agentId string, limit int
memory_next all RI: project string, agentId string
memory_lease all -: actionId* string, agentId* string, operation* string, result string, ttlMs int
memory_routine_run all -: routineId* string, project string, initiatedBy string
memory_signal_send all -: from* string, content* string, to string, type string, replyTo string, threadId string
memory_signal_read all I: agentId* string, unreadOnly bool, threadId string, limit int
memory_checkpoint all -: operation* string, name string, checkpointId string, status string, type string, linkedActionIds list, description string, resolvedBy string
memory_mesh_sync all -: peerId string, direction string, scopes list
memory_sentinel_create all -: name* string, type* string, config json, linkedActionIds list, expiresInMs int
memory_sentinel_trigger all -: sentinelId* string, result json
memory_sketch_create all -: title* string, description string, expiresInMs int, project string
memory_sketch_promote all -: sketchId* string, project string
memory_crystallize all -: actionIds* list, project string, sessionId string
memory_heal all DI: categories list, dryRun bool
memory_facet_tag all I: targetId* string, targetType* string, dimension* string, value* string
memory_facet_query all RI: matchAll list, matchAny list, targetType string, limit int
memory_verify all RI: id* string
memory_lesson_recall all RI: query* string, project string, minConfidence num, limit int
memory_lesson_delete all DI: lessonId* string
memory_vault_export all I: vaultDir* string, types list, project string
memory_insight_list all RI: project string, minConfidence num, limit int
memory_slot_list all RI: project string
memory_slot_get all RI: label* string, project string, scope string
memory_slot_create all -: label* string, content string, sizeLimit int, description string, pinned bool, scope string, project string
memory_slot_append all -: label* string, text* string, project string, scope string
memory_slot_replace all DI: label* string, content* string, project string, scope string
memory_slot_delete all DI: label* string, project string, scope string
`;

export interface PromisedTool {
  readonly name: string;
  readonly isCore: boolean;
  readonly hints: string;
  readonly required: readonly string[];
  /** Argument → kind. */
  readonly kinds: Readonly<Record<string, string>>;
}

export const promisedTools: readonly PromisedTool[] = table.trim().split("\n").map(rowOf);

function rowOf(line: string): PromisedTool {
  const [, name = "", set, hints = "", list = ""] = /^(\w+) (core|all) ([RDI]+|-): (.*)$/u.exec(line) ?? [];
  const named = list.split(", ").map((argument) => argument.split(" "));
  return {
    name,
    isCore: set === "core",
    hints: hints.replace("-", ""),
    required: named.flatMap(([argument = ""]) => (argument.endsWith("*") ? [argument.slice(0, -1)] : [])),
    kinds: Object.fromEntries(named.map(([argument = "", kind = ""]) => [argument.replace("*", ""), kind])),
  };
}
