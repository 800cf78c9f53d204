import { rmSync } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { networkAdvice } from "../../net/network-advice.ts";
import { askedWaitMs } from "../../net/retry-after-header.ts";
import { MemsvcError } from "../../operation/errors.ts";
import { sha256OfFile } from "../../paths/file-checksum.ts";
import { fileSize } from "../../paths/file-size.ts";
import { makeFolder } from "../../paths/make-folder.ts";
import { errorCode } from "../../system/error-code.ts";
import { installStaged, stagingFolder, withModelLock } from "./install.ts";
import type { PinnedFile, PinnedModel } from "./pinned.ts";

interface DownloadOptions {
  /** URL of the model host, without a trailing slash. */
  readonly host: string;
  readonly signal?: AbortSignal;
  /** Called with the number of bytes of all files that are there. */
  readonly progress?: (bytes: number) => void;
  /** Called before a pause that the host asked for. */
  readonly waiting?: (waitMs: number) => void;
  /** Pause before the next try. */
  readonly pauseMs?: number;
}

/** Gives up after this many tries in a row without progress. */
const fruitlessTries = 4;
const pauseMs = 1_000;
/** If the host asks for a longer pause, the download fails; its error says how long the host wants to wait. */
const longestWaitMs = 60_000;
/** A connection without data for this long counts as dead. */
const silenceMs = 30_000;

/** Why a try did not fetch all that was missing. */
interface Setback {
  readonly problem: unknown;
  /** The pause that the host asks for; 0 when it asks for none. */
  readonly askedMs: number;
}

/**
 * Fetches a model's files and installs them. What was fetched before an interruption is kept, also for the next call,
 * and only the rest is requested. Nothing is installed unless every file has its size and checksum. Errors:
 * provider_failed, conflict.
 */
export async function downloadModel(
  home: string,
  model: PinnedModel,
  options: DownloadOptions,
): Promise<string> {
  return withModelLock(home, model.name, async () => {
    const staging = stagingFolder(home, model.name);
    let done = 0;
    for (const file of model.files) {
      const url = `${options.host}/${model.repository}/resolve/main/${file.path}`;
      const before = done;
      const progress = (bytes: number) => options.progress?.(before + bytes);
      await downloadFile(url, join(staging, file.path), file, { ...options, progress });
      done += file.bytes;
    }
    return installStaged(home, model.name, model.files);
  });
}

async function downloadFile(
  url: string,
  target: string,
  file: PinnedFile,
  options: DownloadOptions,
): Promise<void> {
  makeFolder(dirname(target));
  let fruitless = 0;
  let setback: Setback | undefined;
  for (let have = fileSize(target); have !== file.bytes; have = fileSize(target)) {
    const { problem, askedMs = 0 } = setback ?? {};
    if (fruitless === fruitlessTries || askedMs > longestWaitMs)
      throw failed(
        `${url} could not be fetched${reasonOf(problem)}`,
        `${longWait(url, askedMs)}${adviceOn(problem)}the next try goes on where this one ended; without a network: memsvc models pull --from <folder>`,
        problem,
      );
    if (have > file.bytes) rmSync(target);
    if (fruitless > 0) await pause((options.pauseMs ?? pauseMs) * 2 ** (fruitless - 1), askedMs, options);
    setback = await fetchRest(url, target, file, Math.min(have, fileSize(target)), options).catch(
      (error: unknown): Setback => {
        options.signal?.throwIfAborted();
        if (error instanceof MemsvcError) throw error;
        return { problem: error, askedMs: 0 };
      },
    );
    fruitless = fileSize(target) > have ? 0 : fruitless + 1;
  }
  if ((await sha256OfFile(target)) === file.sha256) return;
  throw wrongFile(url, target, "its checksum differs");
}

async function pause(ownMs: number, askedMs: number, options: DownloadOptions): Promise<void> {
  if (askedMs > ownMs) options.waiting?.(askedMs);
  await sleep(Math.max(ownMs, askedMs), undefined, options);
}

function longWait(url: string, askedMs: number): string {
  return askedMs > longestWaitMs
    ? `${new URL(url).host} asks to wait ${Math.ceil(askedMs / 60_000)} min; `
    : "";
}

/** Requests the missing bytes and appends them. Returns when the connection ends, even if bytes are still missing. */
async function fetchRest(
  url: string,
  target: string,
  file: PinnedFile,
  have: number,
  options: DownloadOptions,
): Promise<Setback | undefined> {
  const silence = new AbortController();
  const timer = setTimeout(() => silence.abort(new Error(`no byte in ${silenceMs} ms`)), silenceMs);
  const stop = () => silence.abort(options.signal?.reason);
  options.signal?.addEventListener("abort", stop);
  const headers = have > 0 ? { range: `bytes=${have}-` } : undefined;
  let opened: FileHandle | undefined;
  try {
    options.signal?.throwIfAborted();
    const response = await fetch(url, { ...(headers && { headers }), signal: silence.signal });
    const { status } = response;
    if (status === 429 || status >= 500)
      return {
        problem: new Error(`HTTP ${status}`),
        askedMs: askedWaitMs(response.headers.get("retry-after")) ?? 0,
      };
    if (status === 416) {
      // What is kept is no beginning of the host's file, which is shorter, so the next request asks for all of it.
      rmSync(target, { force: true });
      return { problem: new Error("HTTP 416"), askedMs: 0 };
    }
    const start = startOf(response, url, have);
    opened = await open(target, start === 0 ? "w" : "r+", 0o600);
    let position = start;
    for await (const chunk of response.body ?? []) {
      timer.refresh();
      if (position + chunk.length > file.bytes) throw wrongFile(url, target, "it is too long");
      await opened.write(chunk, 0, chunk.length, position);
      position += chunk.length;
      options.progress?.(position);
    }
    // A complete answer that is too short is another document, such as the login page of a network; a connection that
    // was cut ends with an error instead.
    if (start === 0 && position < file.bytes && tellsItsEnd(response))
      throw wrongFile(url, target, "it is too short");
    return undefined;
  } finally {
    clearTimeout(timer);
    options.signal?.removeEventListener("abort", stop);
    // Aborts the request: an answer that is not read to its end would keep the process alive.
    silence.abort();
    await opened?.close();
  }
}

/** The byte of the file at which the answer begins. Error: provider_failed. */
function startOf(response: Response, url: string, have: number): number {
  const { status } = response;
  if (status === 200) return 0;
  if (status === 206) {
    const start = /^bytes (\d+)-/u.exec(response.headers.get("content-range") ?? "")?.[1];
    if (start !== undefined && Number(start) === have) return have;
    throw failed(`${url} was answered with another part than was asked for`, "try again, or use --from");
  }
  throw failed(`${url} was answered with HTTP ${status}`, elsewhere);
}

const elsewhere = "check MEMSVC_MODEL_HOST, or install from a folder: memsvc models pull --from <dir>";

/** Whether the headers allow to tell an incomplete answer from a complete one. */
function tellsItsEnd({ headers }: Response): boolean {
  return headers.has("content-length") || headers.has("transfer-encoding");
}

/** Deletes the partial file, because resuming it would only fail again, and returns the error. */
function wrongFile(url: string, target: string, difference: string): MemsvcError {
  rmSync(target, { force: true });
  return failed(
    `${url} is not the file that was expected: ${difference}`,
    `nothing of it is installed; ${elsewhere}`,
  );
}

function adviceOn(problem: unknown): string {
  const advice = networkAdvice(errorCode(causeOf(problem)), process.env);
  return advice === undefined ? "" : `${advice}; `;
}

/** The cause of a failed fetch, else the error itself. */
function causeOf(problem: unknown): unknown {
  return problem instanceof Error ? (problem.cause ?? problem) : undefined;
}

/** The error's code, else its message, in brackets: ` (ENOTFOUND)`, ` (HTTP 503)`; empty when there is no error. */
function reasonOf(problem: unknown): string {
  const cause = causeOf(problem);
  if (!(cause instanceof Error)) return "";
  return ` (${"code" in cause && typeof cause.code === "string" ? cause.code : cause.message})`;
}

function failed(message: string, hint: string, cause?: unknown): MemsvcError {
  return new MemsvcError("provider_failed", message, { hint, cause });
}
