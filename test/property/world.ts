import { createHash } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type * as z from "zod";
import { databaseFile } from "../../src/config/home.ts";
import type { Operation } from "../../src/operation/define.ts";
import { putEmptyStore } from "../support/empty-store.ts";
import { dumpStore, openTestHttp, type Reply, type TestHttp } from "../support/http.ts";
import { bothWays } from "./both-ways.ts";
import type { StepText } from "./given.ts";
import { emptyModel, type Model } from "./model.ts";

const usual = { MEMSVC_SNAPSHOT_KEEP: "50", MEMSVC_SLOTS: "true" };

interface Snapshot {
  readonly id: string;
  readonly model: Model;
  readonly contents: Readonly<Record<string, unknown>>;
}

/** A store that can be closed and reopened, with the model of what it must hold. */
export class World {
  readonly snapshots: Snapshot[] = [];
  readonly secrets = new Set<string>();
  readonly home: string;
  http: TestHttp;
  model: Model = emptyModel();
  #numbers = 0;

  readonly #env: Readonly<Record<string, string>>;

  private constructor(home: string, env: Readonly<Record<string, string>>, http: TestHttp) {
    this.home = home;
    this.#env = env;
    this.http = http;
  }

  static async open(more: Readonly<Record<string, string>> = {}): Promise<World> {
    const env = { ...usual, ...more };
    const home = mkdtempSync(join(tmpdir(), "memsvc-model-"));
    putEmptyStore(databaseFile(home));
    return new World(home, env, await openTestHttp({ env, home, searchIndexes: bothWays }));
  }

  async reopen(): Promise<void> {
    const startAt = new Date(this.http.now()).toISOString();
    await this.http.close();
    this.http = await openTestHttp({ env: this.#env, home: this.home, startAt, searchIndexes: bothWays });
  }

  async close(): Promise<void> {
    await this.http.close();
    rmSync(this.home, { recursive: true, force: true });
  }

  next(): number {
    this.#numbers += 1;
    return this.#numbers;
  }

  /** A new word, unlike those of all other records. */
  word(): string {
    const digest = createHash("sha256").update(`word ${this.next()}`).digest();
    return `q${[...digest.subarray(0, 10)].map((byte) => "bcdfghjklmnprtvz"[byte % 16]).join("")}`;
  }

  /** Text with a word of its own, and sometimes a secret. */
  written({ words, odd, secret }: StepText, word: string): string {
    if (!secret) return [word, words, odd].join(" ").trim();
    const key = `ghp_${createHash("sha256").update(`secret ${this.next()}`).digest("hex").slice(0, 36)}`;
    this.secrets.add(key);
    return [word, words, `token=${key}`, odd].join(" ").trim();
  }

  /** Sends an operation, and expects that the answer contains no secret and is no internal error (5xx). */
  async reply(operation: Operation, input: Readonly<Record<string, unknown>>): Promise<Reply> {
    const reply = await this.http.reply(operation, input);
    if (reply.status >= 500) throw new Error(`${operation.id} answered ${reply.status}: ${reply.text}`);
    this.expectNoSecret(reply.text, `the answer of ${operation.id}`);
    return reply;
  }

  /** Sends an operation that must succeed. */
  async ok<I extends z.ZodType, O extends z.ZodType>(
    operation: Operation<I, O>,
    input: z.input<I> & Readonly<Record<string, unknown>>,
  ): Promise<z.output<O>> {
    const reply = await this.reply(operation as unknown as Operation, input);
    if (reply.status >= 300) throw new Error(`${operation.id} answered ${reply.status}: ${reply.text}`);
    return operation.output.parse(reply.body);
  }

  /** Sends a deletion, after a dry run of it, which must change nothing and foretell what the real one does. */
  async deleted(
    operation: Operation,
    input: Readonly<Record<string, unknown>>,
  ): Promise<[dry: Reply, real: Reply]> {
    await this.http.settled();
    const before = await dumpStore(this.http);
    const dry = await this.reply(operation, { ...input, dryRun: true });
    if ((await dumpStore(this.http)) !== before)
      throw new Error(`a dry run of ${operation.id} changed the store`);
    return [dry, await this.reply(operation, input)];
  }

  hasSecret(text: string): boolean {
    return [...this.secrets].some((secret) => text.includes(secret));
  }

  expectNoSecret(text: string, where: string): void {
    if (this.hasSecret(text)) throw new Error(`${where} holds a secret`);
  }
}
