import type { z } from "zod";
import type { FlagKey } from "../config/feature-flag-table.ts";
import type { Core } from "../core.ts";
import type { ErrorCode } from "./errors.ts";

/** The caller of an operation, as far as the face knows it. */
export interface Caller {
  readonly face: "cli" | "http" | "mcp" | "library";
  /**
   * The client's name for itself (`X-Memsvc-Source`). Reads by `viewer` do not count as recalls; `cli` is the command
   * line.
   */
  readonly source?: string | undefined;
  /**
   * The agent that the caller works for; used instead of the setting AGENT_ID if neither input nor session names an
   * agent.
   */
  readonly agentId?: string | undefined;
  /**
   * Whether the request itself names that agent, outside its input. Then it also takes precedence over a session's
   * agent, and filters what is read.
   */
  readonly isAgentAsked?: boolean | undefined;
  /**
   * The caller's working folder, used if the input names none: relative paths start from it, and it decides which of
   * several projects with the same name is meant.
   */
  readonly cwd?: string | undefined;
}

/** Another success status for some answers of an operation, such as those that create nothing. */
export interface OtherStatus {
  readonly status: 200 | 202 | 503;
  /** Whether an answer gets this status. */
  when(output: Readonly<Record<string, unknown>>): boolean;
  /** The schema of those answers, if the output is a union that contains it. */
  readonly output?: z.ZodType;
}

export interface HttpBinding {
  readonly method: "GET" | "POST" | "DELETE";
  /** The path after the prefix, with `:name` for an input field. */
  readonly path: string;
  readonly success: 200 | 201 | 202;
  /**
   * Set for a POST that changes nothing its caller means to change, unless its tool's `effects` say so. (A GET never
   * does.)
   */
  readonly readOnly?: true;
  /** Another status that some answers have. */
  readonly otherwise?: OtherStatus;
  /** Needs no token. */
  readonly open?: true;
  /** Fields that a POST also accepts in its query, besides those that every POST accepts there. */
  readonly inQueryToo?: readonly string[];
}

/** A JSON text as a stream of bytes. */
export type ByteStream = AsyncIterable<Uint8Array>;

export interface CliBinding {
  /** `lease acquire <actionId>`: words, then positional input fields; `<content...>` takes the rest of the line. */
  readonly command: string;
  readonly examples: readonly string[];
  /** Flags with other names than the default: field → flag (`concepts` → `concept`). */
  readonly flags?: Readonly<Record<string, string>>;
  /** The operation runs once for each value of the variadic argument. */
  readonly oneByOne?: true;
  /**
   * Deletes records that the user did not name: on a terminal the command shows a dry run and asks before it deletes.
   */
  readonly asksFirst?: true;
  /** Works on everything that its filters match, so the command warns about a filter that names something unknown. */
  readonly bulk?: true;
  /** How many rows a list that otherwise has no such limit shows to people, unless they name another number. */
  readonly rowsForPeople?: number;
  /** The answer's field with the list of records; needed if the answer has neither `total` nor `hits`. */
  readonly records?: string;
}

/** The ways in which a tool's argument differs from the input field of the same name. */
export interface ToolArgument {
  /** The input field it fills, if that has another name. */
  readonly field?: string;
  /** Set if the tool requires a value that is optional for the operation. */
  readonly required?: true;
  /** Replaces the field's default. */
  readonly default?: unknown;
  /** Replaces the field's description. */
  readonly description?: string;
  /** The schema of the argument, if it differs from the field's; the field gets the value that this schema outputs. */
  readonly type?: z.ZodType;
  /** Accepted, but not shown in lists: few calls need it, and whatever makes a call need it names it. */
  readonly unlisted?: true;
}

/** The tool of an operation. By default every input field is an argument. */
export interface McpBinding {
  readonly tool: string;
  readonly effects: "read" | "write" | "destroy";
  /** Whether repeating a call with the same arguments changes nothing more. Not needed for tools that only read. */
  readonly idempotent?: boolean;
  /** Reaches other machines. */
  readonly openWorld?: true;
  /** Also offered with MEMSVC_TOOLS=core. */
  readonly core?: true;
  /** The title for people; by default it is made from the tool's name. */
  readonly title?: string;
  /** What the tool does and when to use it; by default the operation's summary and description. */
  readonly description?: string;
  /** The arguments by name, in order; `true` takes over the input field of that name unchanged. */
  readonly arguments?: Readonly<Record<string, true | ToolArgument>>;
  /**
   * Set if several operations share a tool: the argument that selects one of them, and its value for this one. The
   * first of them gives the title and the description.
   */
  readonly chosenBy?: { readonly argument: string; readonly value: string };
  /** The answer's field that becomes the tool's result, if the answer has it. A string becomes plain text. */
  readonly result?: string;
  /** The text instead of an empty result, which some clients refuse; it may depend on the answer. */
  readonly ifEmpty?: string | ((answer: Readonly<Record<string, unknown>>) => string);
  /** What an agent should know about an answer, or do next, if the answer itself does not say it. */
  readonly hint?: (answer: Readonly<Record<string, unknown>>) => string | undefined;
  /** The text if there was a result, but all of it was cut (the answer's `truncated`). */
  readonly ifAllCut?: string;
  /** The result instead of a not_found error, for tools where finding nothing is not a failure. */
  readonly ifNotFound?: Readonly<Record<string, unknown>>;
  /** The result instead of an answer longer than MEMSVC_MCP_MAX_RESULT_CHARS; without it the answer is cut. */
  readonly ifTooLarge?: (core: Core) => Promise<Record<string, unknown>>;
}

/** Query parameters of a request whose body is read as a stream. */
export interface AskedOfBody {
  readonly dryRun?: boolean | undefined;
}

/** A request as it arrived, for routes with a protocol of their own. */
export interface WireMessage {
  readonly body: Uint8Array;
  header(name: string): string | undefined;
  /** A parameter of the query string. */
  query(name: string): string | undefined;
}

export interface WireReply {
  readonly status: number;
  /** JSON text; undefined for an answer without a body. */
  readonly json?: string;
}

export interface Bare<Input = unknown> {
  /**
   * A field that is in all of these answers, and comes first in a streamed one: like `success` in others, it shows that
   * memsvc answered.
   */
  readonly field: string;
  /** Whether the answer to an input is bare; by default always. */
  when?(input: Input): boolean;
}

/** Something that memsvc can do, declared once; every face is derived from the declaration. */
export interface Operation<Input extends z.ZodType = z.ZodType, Output extends z.ZodType = z.ZodType> {
  readonly id: string;
  /** One line, imperative. */
  readonly summary: string;
  readonly description?: string;
  /** Name in metrics; by default method and path. */
  readonly functionId?: string;
  readonly http?: HttpBinding;
  readonly cli?: CliBinding;
  readonly mcp?: McpBinding;
  readonly input: Input;
  readonly output: Output;
  readonly errors: readonly ErrorCode[];
  /** Features that must be on. If one is off, the call fails with `feature_off` before the input is checked. */
  readonly features?: readonly FlagKey[];
  /**
   * Set if the operation deletes or overwrites stored data, or writes a file that is not memsvc's own. Such an
   * operation takes `dryRun` (`dryRunInput`), with which it answers as usual, says that it is a dry run, and changes
   * nothing.
   */
  readonly deletes?: true;
  /** For searches: the answer's field with the hits. If it is empty, the command exits with the code of `not_found`. */
  readonly hits?: string;
  /** Set if the answer does not carry `success: true`, always or for some inputs. */
  readonly bare?: Bare<z.output<Input>>;
  run(core: Core, input: z.output<Input>, caller: Caller): Promise<z.input<Output>>;
  /**
   * Used instead of `run` for a body that may be too large for memory: reads the JSON text as a stream and validates it
   * itself. Faces that have the text use it; `run` is for callers that hold the value. The input schema then only
   * describes the body. `asked`: parameters outside the body, which take precedence.
   */
  runOnBody?(core: Core, body: ByteStream, caller: Caller, asked: AskedOfBody): Promise<z.input<Output>>;
  /**
   * Used instead of `run` for an answer that may be too large for memory: yields the JSON text in pieces. A failure
   * before the first piece becomes an error answer; a later one cuts the text off, so that it is not valid JSON. Such
   * an operation is bare.
   */
  runToText?(core: Core, input: z.output<Input>, caller: Caller): Promise<ByteStream>;
  /**
   * Used instead of `run` for an HTTP route with a protocol of its own: reads the body in whatever form and chooses the
   * status; `run` serves callers that hold the message. Such an operation is bare.
   */
  runOnMessage?(core: Core, message: WireMessage, caller: Caller): Promise<WireReply>;
}

export function defineOperation<Input extends z.ZodType, Output extends z.ZodType>(
  operation: Operation<Input, Output>,
): Operation<Input, Output> {
  return operation;
}

/** The output type of an operation. */
export type OutputOf<Op extends Pick<Operation, "output">> = z.output<Op["output"]>;

/** What an operation answers: its output, and `success: true` unless it is bare. */
export type Answer<Output extends z.ZodType> = z.input<Output> & { readonly success?: true };

/**
 * The only connection between the faces and the core. The in-process implementation validates and runs the operation,
 * the HTTP one sends it to a daemon. Both throw MemsvcError with the same codes.
 */
export type Call = <Input extends z.ZodType, Output extends z.ZodType>(
  operation: Operation<Input, Output>,
  input: unknown,
  caller: Caller,
) => Promise<Answer<Output>>;
