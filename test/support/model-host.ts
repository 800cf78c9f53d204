import { createHash } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { PinnedModel } from "../../src/embedding/models/pinned.ts";
import { openPeerServer } from "./peer-server.ts";

export interface ModelHost {
  readonly url: string;
  /** `path range` of every request. */
  readonly asked: readonly string[];
  /** Answers that the next requests get instead of the file, one each; undefined stands for the file. */
  next(...answers: readonly (HostAnswer | undefined)[]): void;
  close(): Promise<void>;
}

export type HostAnswer = (response: ServerResponse, file: Buffer, request: IncomingMessage) => void;

/** The declaration of a model with these files and their checksums. */
export function pinnedModelOf(name: string, files: Readonly<Record<string, Buffer>>): PinnedModel {
  return {
    name,
    license: "MIT",
    repository: `team/${name}`,
    files: Object.entries(files).map(([path, content]) => ({
      path,
      bytes: content.length,
      sha256: createHash("sha256").update(content).digest("hex"),
    })),
  };
}

/** Opens a host of model files on this machine, which supports range requests. */
export async function openModelHost(
  repository: string,
  files: Readonly<Record<string, Buffer>>,
): Promise<ModelHost> {
  const asked: string[] = [];
  const waiting: (HostAnswer | undefined)[] = [];
  const { url, close } = await openPeerServer((request, response) => {
    const path = (request.url ?? "").replace(`/${repository}/resolve/main/`, "");
    asked.push([path, request.headers.range].filter(Boolean).join(" "));
    const file = files[path];
    const instead = waiting.shift();
    if (file === undefined) response.writeHead(404).end();
    else if (instead !== undefined) instead(response, file, request);
    else sendFile(response, file, request);
  });
  return {
    url,
    asked,
    next: (...answers) => waiting.push(...answers),
    close,
  };
}

function sendFile(response: ServerResponse, file: Buffer, request: IncomingMessage): void {
  const start = Number(/^bytes=(\d+)-$/u.exec(request.headers.range ?? "")?.[1] ?? 0);
  const range = { "content-range": `bytes ${start}-${file.length - 1}/${file.length}` };
  response.writeHead(start > 0 ? 206 : 200, start > 0 ? range : {});
  response.end(file.subarray(start));
}

/** Sends this many bytes of the file and then cuts the connection. */
export function cutAfter(bytes: number): HostAnswer {
  return (response, file, request) => {
    const start = Number(/^bytes=(\d+)-$/u.exec(request.headers.range ?? "")?.[1] ?? 0);
    response.writeHead(start > 0 ? 206 : 200, {
      "content-length": file.length - start,
      "content-range": `bytes ${start}-${file.length - 1}/${file.length}`,
    });
    // Waits before cutting, because a client loses bytes that it has not read when the connection ends.
    response.write(file.subarray(start, start + bytes), () => setTimeout(() => response.destroy(), 250));
  };
}

export function hostStatus(code: number, headers: Readonly<Record<string, string>> = {}): HostAnswer {
  return (response) => response.writeHead(code, headers).end();
}
