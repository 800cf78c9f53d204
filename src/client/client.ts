import type { z } from "zod";
import { headerText, headerTextRule } from "../net/header-text.ts";
import type { Answer, Operation } from "../operation/define.ts";
import { MemsvcError } from "../operation/errors.ts";
import { hintHeader } from "../operation/hint-header.ts";
import { clientOperations } from "./client-operations.ts";
import { callOverHttp, type Transport } from "./http-call.ts";

export { type ErrorCode, type Issue, MemsvcError } from "../operation/errors.ts";

type Method<Op> =
  Op extends Operation<infer Input, infer Output>
    ? (input: z.input<Input>, options?: CallOptions) => Promise<Answer<Output>>
    : never;

export interface CallOptions {
  /**
   * Ends the wait for the answer, for example `AbortSignal.timeout(2_000)`: the method then throws the signal's reason.
   * The daemon may carry out the requested change all the same.
   */
  readonly signal?: AbortSignal;
}

/** The typed client: one method per operation, with its input and its answer. */
export type MemsvcClient = {
  readonly [Family in keyof typeof clientOperations]: {
    readonly [Name in keyof (typeof clientOperations)[Family]]: Method<
      (typeof clientOperations)[Family][Name]
    >;
  };
};

export interface ConnectOptions {
  /** Address of the daemon with its prefix; by default `http://127.0.0.1:3111/memsvc`. */
  readonly url?: string;
  /** The daemon's MEMSVC_SECRET, if it has one. */
  readonly secret?: string;
  /** How requests are sent; by default with `fetch`. */
  readonly transport?: Transport;
}

/**
 * Makes a client of a daemon. Nothing is sent before the first method call. Methods throw MemsvcError with the daemon's
 * code and the contract's fields; daemon_unreachable if none answers. Error: invalid_input if the address or the secret
 * is unusable.
 */
export function connect(options: ConnectOptions = {}): MemsvcClient {
  const { url = "http://127.0.0.1:3111/memsvc", secret } = options;
  if (!URL.canParse(url) || !/^https?:$/u.test(new URL(url).protocol))
    throw unusable("url", "url must be an address such as http://127.0.0.1:3111/memsvc");
  if (options.transport === undefined && new URL(url).username + new URL(url).password !== "")
    throw unusable("url", "url must carry no user or password: fetch() refuses them");
  // White space around a header's value is not transmitted.
  const carried = secret?.trim() ?? "";
  if (carried !== "" && !headerText.test(carried))
    throw unusable("secret", `secret must be ${headerTextRule}`);
  const call = callOverHttp({
    url: url.replace(/\/+$/u, ""),
    secret,
    transport: options.transport ?? fetchTransport,
  });
  const families = Object.entries(clientOperations).map(([family, members]) => {
    const methods = Object.entries<Operation>(members).map(([name, operation]) => [
      name,
      (input: unknown, { signal }: CallOptions = {}) => call(operation, input, { face: "library" }, signal),
    ]);
    return [family, Object.fromEntries(methods)];
  });
  // Built from the table from which the type is derived.
  return Object.fromEntries(families) as MemsvcClient;
}

function unusable(path: keyof ConnectOptions, message: string): MemsvcError {
  return new MemsvcError("invalid_input", message, { issues: [{ path, message }] });
}

const fetchTransport: Transport = async ({ method, url, headers, body, signal }) => {
  const response = await fetch(url, {
    method,
    headers: { ...headers },
    ...(body === undefined ? {} : { body }),
    ...(signal === undefined ? {} : { signal }),
  });
  const { status, headers: said } = response;
  return { status, body: await response.text(), hintHeader: said.get(hintHeader) };
};
