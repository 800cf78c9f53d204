import { featureOff, isEffective } from "../config/feature-flag-table.ts";
import type { Core } from "../core.ts";
import { isObject } from "../json/is-object.ts";
import { isDeeperThan, maxDepth, maxFileDepth, nestedTooDeep, withCleanStrings } from "../json/parse-json.ts";
import type {
  Answer,
  AskedOfBody,
  ByteStream,
  Call,
  Caller,
  Operation,
  WireMessage,
  WireReply,
} from "./define.ts";
import { errorTable, isMemsvcError } from "./errors.ts";
import { scopeOfCaller } from "./for-agent.ts";
import { functionIdOf } from "./function-ids.ts";
import { isScoped } from "./is-scoped.ts";
import { parseInput } from "./parse.ts";

/**
 * Calls operations in this process: validates the input, runs the operation, and adds `success: true` unless the answer
 * is bare.
 */
export function callInProcess(core: Core): Call {
  return (operation, input, caller) =>
    measured(core, operation, async () => {
      const parsed = parseInput(operation.input, cleaned(operation, input, caller));
      const told = await withFolderOf(core, caller, withAgentOf(caller, operation, parsed));
      const output = await operation.run(core, told, caller);
      const marked = isDryRun(operation, parsed) ? { ...(output as object), dryRun: true } : output;
      const isBare = operation.bare !== undefined && operation.bare.when?.(parsed) !== false;
      // The answer is the output plus one field, which TypeScript cannot express for a generic spread.
      return (isBare ? marked : { success: true, ...(marked as object) }) as Answer<typeof operation.output>;
    });
}

function isDryRun({ deletes }: Operation, input: unknown): boolean {
  return deletes === true && (input as { readonly dryRun?: unknown }).dryRun === true;
}

/**
 * Adds the caller's agent to the input: as `defaultAgentId`, which operations without a scope ignore, or as `agentId`
 * if the request asked for it. The latter only for scoped operations, because in others `agentId` means something else,
 * such as the holder of a lease.
 */
function withAgentOf<Input>(caller: Caller, operation: Operation, input: Input): Input {
  const { agentId, defaultAgentId } = scopeOfCaller(caller);
  if (defaultAgentId !== undefined) return { ...input, defaultAgentId };
  if (agentId === undefined || !isScoped(operation)) return input;
  return { ...input, agentId: (input as { readonly agentId?: unknown }).agentId ?? agentId };
}

/**
 * If the input names a project as the caller's folder does, replaces the name by that project's folder, in case several
 * projects have the same name.
 */
async function withFolderOf<Input>(core: Core, { cwd }: Caller, input: Input): Promise<Input> {
  const { project, cwd: given } = input as { readonly project?: unknown; readonly cwd?: unknown };
  if (cwd === undefined || given !== undefined || typeof project !== "string") return input;
  const folder = await core.projects.folderMeant(core.ground.store.read.sql, project, cwd);
  return folder === undefined ? input : { ...input, project: folder };
}

/** Runs an operation that reads its body as a stream (`runOnBody`). */
export async function callOnBody(
  core: Core,
  operation: Operation,
  body: ByteStream,
  caller: Caller,
  asked: AskedOfBody = {},
): Promise<Record<string, unknown>> {
  return measured(core, operation, async () => {
    const output = await operation.runOnBody?.(core, body, caller, asked);
    return { success: true, ...(output as object) };
  });
}

/** Runs an operation with a protocol of its own (`runOnMessage`). */
export async function callOnMessage(
  core: Core,
  operation: Operation,
  message: WireMessage,
  caller: Caller,
): Promise<WireReply> {
  return measured(core, operation, async () => {
    const reply = await operation.runOnMessage?.(core, message, caller);
    if (reply === undefined) throw new Error(`${operation.id} takes no messages`);
    return reply;
  });
}

/** Runs an operation that yields its answer as text (`runToText`). */
export async function callToText(
  core: Core,
  operation: Operation,
  input: unknown,
  caller: Caller,
): Promise<AsyncIterableIterator<Uint8Array>> {
  return measured(core, operation, async () => {
    const parsed = parseInput(operation.input, cleaned(operation, input, caller));
    const pieces = await operation.runToText?.(core, parsed, caller);
    if (pieces === undefined) throw new Error(`${operation.id} does not answer in pieces`);
    return begun(pieces[Symbol.asyncIterator]());
  });
}

/** Checks the input as a call would, without running the operation: for HEAD. */
export async function checkCall(
  core: Core,
  operation: Operation,
  input: unknown,
  caller: Caller,
): Promise<void> {
  await measured(core, operation, async () => parseInput(operation.input, cleaned(operation, input, caller)));
}

/** The stream with its first piece already read, so that a failure before it becomes an error answer. */
async function begun(source: AsyncIterator<Uint8Array>): Promise<AsyncIterableIterator<Uint8Array>> {
  let first: IteratorResult<Uint8Array> | undefined = await source.next();
  const pieces: AsyncIterableIterator<Uint8Array> = {
    next: async () => {
      const next = first ?? (await source.next());
      first = undefined;
      return next;
    },
    return: async () => {
      await source.return?.();
      return { value: undefined, done: true };
    },
    [Symbol.asyncIterator]: () => pieces,
  };
  return pieces;
}

/**
 * Replaces NUL and lone surrogates, because SQLite would end a text at a NUL, and refuses what is nested too deep, which
 * no import would take. Over HTTP the body's parser has done this already.
 */
function cleaned({ runOnBody }: Operation, input: unknown, { face }: Caller): unknown {
  if (face === "http") return input;
  // What such an operation takes, whole or as a stream, are rows of a store.
  const deepest = runOnBody === undefined ? maxDepth : maxFileDepth;
  if (isDeeperThan(deepest, input)) throw nestedTooDeep(deepest);
  return withCleanStrings(input);
}

/** Runs an operation unless its feature is off, records its metrics, and translates database errors. */
function measured<T>(core: Core, operation: Operation, run: () => Promise<T>): Promise<T> {
  const { store } = core.ground;
  const work = async () => {
    try {
      refuseFeatureOff(core, operation);
      await store.followFile();
      return await run();
    } catch (error) {
      throw store.faultOf(error);
    }
  };
  return core.metrics.timed(functionIdOf(operation), work, { isFailure, scoreOf: qualityScoreOf });
}

/** Errors of the client and switched-off features do not count as failures of the function. */
function isFailure(error: unknown): boolean {
  if (!isMemsvcError(error)) return true;
  return error.code !== "feature_off" && errorTable[error.code].status >= 500;
}

function qualityScoreOf(output: unknown): number | undefined {
  return isObject(output) && typeof output.qualityScore === "number" ? output.qualityScore : undefined;
}

function refuseFeatureOff(core: Core, { features = [] }: Operation): void {
  const off = features.find((key) => !isEffective(key, core.ground.settings, core.capabilities()));
  if (off !== undefined) throw featureOff(off);
}
