import type { LoadedSettings } from "../../config/load.ts";
import type { Answer, ByteStream, Operation } from "../../operation/define.ts";
import type { EntryOf, OperationEntry } from "../operations/operation-entry.ts";

/** Runs an operation, in this process or by a daemon; typed if the entry says which operation it is. */
export type EntryCall = <Op extends Operation>(
  entry: EntryOf<Op>,
  input: unknown,
) => Promise<Answer<Op["output"]>>;

export interface OpenCaller {
  readonly call: EntryCall;
  /** Runs an operation on a JSON text of any size. */
  readonly callOnBody: (entry: OperationEntry, body: ByteStream) => Promise<object>;
  /** Runs an operation whose answer may have any size, and returns its JSON text. */
  readonly callToText: (entry: OperationEntry, input: unknown) => Promise<ByteStream>;
  /** Who answers: a daemon at an address, or this process. */
  readonly where: { readonly kind: "daemon"; readonly url: string } | { readonly kind: "process" };
  close(): Promise<void>;
}

export interface CallerOptions extends Pick<LoadedSettings, "settings" | "origins"> {
  readonly home: string;
  /** The address given with --url. */
  readonly url?: string | undefined;
  readonly secretFile?: string | undefined;
  readonly offline: boolean;
  /** The working folder. */
  readonly cwd: string;
}
