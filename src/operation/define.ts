import type { z } from "zod";
import type { FlagKey } from "../config/feature-flag-table.ts";
import type { Core } from "../core.ts";
import type { ErrorCode } from "./errors.ts";

/** Who calls, as far as the faces know it. */
export interface Caller {
  readonly face: "cli" | "http" | "mcp" | "library";
  /** What the client says it is (`X-Memsvc-Source`); `viewer` is not counted as a recall, `cli` is the command line. */
  readonly source?: string | undefined;
  /** Agent that the caller works for: in place of the setting AGENT_ID, where neither input nor session names one. */
  readonly agentId?: string | undefined;
  /** Whether the request itself names that agent, beside its input: then it comes before a session's too, and filters. */
  readonly isAgentAsked?: boolean | undefined;
  /**
   * Folder that the caller works in, where it says so and the input does not: what a relative path starts from, and which
   * of several projects of one name is meant.
   */
  readonly cwd?: string | undefined;
}

/** A status for some of the answers of an operation, such as those that create nothing. */
export interface OtherStatus {
  readonly status: 200 | 202 | 503;
  /** Whether an answer has it. */
  when(output: Readonly<Record<string, unknown>>): boolean;
  /** What those answers are, where the output is a union with it. */
  readonly output?: z.ZodType;
}

export interface HttpBinding {
  readonly method: "GET" | "POST" | "DELETE";
  /** Below the prefix, with `:name` for an input field in the path. */
  readonly path: string;
  readonly success: 200 | 201 | 202;
  /** Set where a POST changes nothing that its caller means to change, as no GET does. */
  readonly readOnly?: true;
  /** The other status with which it may answer. */
  readonly otherwise?: OtherStatus;
  /** Open to everybody, token or not. */
  readonly open?: true;
  /** Fields of a POST that its query may carry as well as its body, besides those for which that always holds. */
  readonly inQueryToo?: readonly string[];
}

/** Bytes of a JSON text as they arrive. */
export type ByteStream = AsyncIterable<Uint8Array>;

export interface CliBinding {
  /** `lease acquire <actionId>`: words, then positional input fields; `<content...>` takes the rest of the line. */
  readonly command: string;
  readonly examples: readonly string[];
  /** Flags whose name is not simply that of their field: field → flag (`concepts` → `concept`). */
  readonly flags?: Readonly<Record<string, string>>;
  /** The variadic positional is one record each: the operation is carried out once for every one of them. */
  readonly oneByOne?: true;
  /** It deletes what nobody named: on a terminal its dry run is shown, and the question asked, before it does. */
  readonly asksFirst?: true;
  /** It works on whatever its filters let through, so that a filter that names nothing is worth telling. */
  readonly bulk?: true;
  /** The field of the answer that is a list of records, where the answer neither counts them as `total` nor has `hits`. */
  readonly records?: string;
}

/** How an argument of a tool differs from the input field of the same name. */
export interface ToolArgument {
  /** The field that it fills, where that has another name. */
  readonly field?: string;
  /** Set where the tool needs what the operation can do without. */
  readonly required?: true;
  /** In place of the field's own default. */
  readonly default?: unknown;
  /** In place of the field's own description. */
  readonly description?: string;
  /** What it takes, where that is not what its field takes: what this schema makes of it goes into the field. */
  readonly type?: z.ZodType;
  /** Understood, but not shown in lists: few calls need it, and what they need it for names it. */
  readonly unlisted?: true;
}

/** The tool of an operation. With a name and its effects alone, every input field is an argument. */
export interface McpBinding {
  readonly tool: string;
  readonly effects: "read" | "write" | "destroy";
  /** Whether a second call with the same arguments changes nothing more; reading never does. */
  readonly idempotent?: boolean;
  /** Reaches other machines. */
  readonly openWorld?: true;
  /** Offered with MEMSVC_TOOLS=core too. */
  readonly core?: true;
  /** What people are shown; made of the tool's name unless given. */
  readonly title?: string;
  /** What it does and when to use it; the operation's summary and description unless given. */
  readonly description?: string;
  /** The arguments by name, in their order; `true` stands for the input field of that name as it is. */
  readonly arguments?: Readonly<Record<string, true | ToolArgument>>;
  /**
   * Where several operations are one tool: the argument that chooses among them, and the value that means this one.
   * The first of them tells title and description.
   */
  readonly chosenBy?: { readonly argument: string; readonly value: string };
  /** The field of the answer that is the result, where the answer has it; a text is given as plain text. */
  readonly result?: string;
  /** The plain text where there is nothing to tell: some clients refuse an empty one. */
  readonly ifEmpty?: string;
  /** The same where there is something, but none of it was left, as the answer's `truncated` says. */
  readonly ifAllCut?: string;
  /** What is answered in place of not_found, where not to know something is no failure. */
  readonly ifNotFound?: Readonly<Record<string, unknown>>;
  /** What is answered in place of an answer that exceeds MEMSVC_MCP_MAX_RESULT_CHARS; it is cut unless this is given. */
  readonly ifTooLarge?: (core: Core) => Promise<Record<string, unknown>>;
}

/** What a request may say in its query of a body that is read as it arrives. */
export interface AskedOfBody {
  readonly dryRun?: boolean | undefined;
}

/** A request as it arrived, for a route with a protocol of its own. */
export interface WireMessage {
  readonly body: Uint8Array;
  header(name: string): string | undefined;
  /** Of the address. */
  query(name: string): string | undefined;
}

export interface WireReply {
  readonly status: number;
  /** A JSON value; without one the answer has no body. */
  readonly body?: unknown;
}

export interface Bare<Input> {
  /**
   * In all of those answers, and the first thing in one that is given as text: it shows, as `success` does in others,
   * that memsvc answered.
   */
  readonly field: string;
  /** Whether the answer to an input is bare; always unless given. */
  when?(input: Input): boolean;
}

/** One thing that memsvc can do, declared once; every face is derived from it. */
export interface Operation<Input extends z.ZodType = z.ZodType, Output extends z.ZodType = z.ZodType> {
  readonly id: string;
  /** One line, imperative. */
  readonly summary: string;
  readonly description?: string;
  /** Name in metrics; method and path unless given. */
  readonly functionId?: string;
  readonly http?: HttpBinding;
  readonly cli?: CliBinding;
  readonly mcp?: McpBinding;
  readonly input: Input;
  readonly output: Output;
  readonly errors: readonly ErrorCode[];
  /** Features that must be on; the first that is not answers, before the input is looked at. */
  readonly features?: readonly FlagKey[];
  /**
   * Set where it deletes or overwrites what is stored, or writes a file that is not memsvc's own. Such an operation
   * takes `dryRun` (`dryRunInput`), with which it answers as it would, says so, and changes nothing.
   */
  readonly deletes?: true;
  /**
   * Of a search, the field of its answer that holds what was found: where that is empty, a command ends with the code
   * of `not_found`.
   */
  readonly hits?: string;
  /** Set where the answer does not carry `success: true`, always or for some inputs. */
  readonly bare?: Bare<z.output<Input>>;
  run(core: Core, input: z.output<Input>, caller: Caller): Promise<z.input<Output>>;
  /**
   * For a body that may be too large to be held in memory: takes its JSON text as it arrives, in place of `run`,
   * and checks it itself. The faces use it where there is a text; `run` is for callers that hold the value. The
   * input's schema then only describes the body. `asked`: what is asked for beside the body, which wins.
   */
  runOnBody?(core: Core, body: ByteStream, caller: Caller, asked: AskedOfBody): Promise<z.input<Output>>;
  /**
   * For an answer that may be too large to be held in memory: gives the bytes of its JSON text in pieces, in place of `run`.
   * What fails before the first piece is answered as an error; afterwards the text is cut off, so that it is no
   * JSON. Such an operation is bare.
   */
  runToText?(core: Core, input: z.output<Input>, caller: Caller): Promise<ByteStream>;
  /**
   * For a route with a protocol of its own over HTTP: reads the body itself, whatever it is, and chooses the status,
   * in place of `run`, which serves callers that hold the message. Such an operation is bare.
   */
  runOnMessage?(core: Core, message: WireMessage, caller: Caller): Promise<WireReply>;
}

export function defineOperation<Input extends z.ZodType, Output extends z.ZodType>(
  operation: Operation<Input, Output>,
): Operation<Input, Output> {
  return operation;
}

/** The output of an operation, as its schema makes it. */
export type OutputOf<Op extends Pick<Operation, "output">> = z.output<Op["output"]>;

/** What an operation answers: its output, and `success: true` unless it is bare. */
export type Answer<Output extends z.ZodType> = z.input<Output> & { readonly success?: true };

/**
 * The only seam between the faces and the core. In process it validates and runs; over HTTP it sends. Both
 * throw MemsvcError with the same codes.
 */
export type Call = <Input extends z.ZodType, Output extends z.ZodType>(
  operation: Operation<Input, Output>,
  input: unknown,
  caller: Caller,
) => Promise<Answer<Output>>;
