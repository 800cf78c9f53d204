import type { z } from "zod";
import type { FlagKey } from "../config/flags.ts";
import type { Core } from "../core.ts";
import type { ErrorCode } from "./errors.ts";

/** Who calls, as far as the faces know it. */
export interface Caller {
  readonly face: "cli" | "http" | "mcp" | "library";
  /** What the client says it is (`X-Memsvc-Source`); `viewer` is not counted as a recall. */
  readonly source?: string | undefined;
}

export interface HttpBinding {
  readonly method: "GET" | "POST" | "DELETE";
  /** Below the prefix, with `:name` for an input field in the path. */
  readonly path: string;
  readonly success: 200 | 201 | 202;
  /** For operations that create only sometimes. */
  readonly statusOf?: (output: Record<string, unknown>) => number;
  /** Open to everybody, token or not. */
  readonly open?: true;
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
}

export interface McpBinding {
  readonly tool: string;
  readonly effects: "read" | "write" | "destroy";
  readonly idempotent?: boolean;
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
  /** Set where the answer does not carry `success: true`. */
  readonly bare?: true;
  /** For operations whose answer is bare only for some inputs. */
  bareWhen?(input: z.output<Input>): boolean;
  run(core: Core, input: z.output<Input>, caller: Caller): Promise<z.input<Output>>;
  /**
   * For a body that may be too large to be held in memory: takes its JSON text as it arrives, in place of `run`,
   * and checks it itself. The faces use it where there is a text; `run` is for callers that hold the value. The
   * input's schema then only describes the body.
   */
  runOnBody?(core: Core, body: ByteStream, caller: Caller): Promise<z.input<Output>>;
  /**
   * For an answer that may be too large to be held in memory: gives the bytes of its JSON text in pieces, in place of `run`.
   * What fails before the first piece is answered as an error; afterwards the text is cut off, so that it is no
   * JSON. Such an operation is bare.
   */
  runToText?(core: Core, input: z.output<Input>, caller: Caller): Promise<ByteStream>;
}

export function defineOperation<Input extends z.ZodType, Output extends z.ZodType>(
  operation: Operation<Input, Output>,
): Operation<Input, Output> {
  return operation;
}

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
