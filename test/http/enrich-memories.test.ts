import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { observe } from "../../src/capture/observations/operations.ts";
import { DocumentEmbedder } from "../../src/embedding/document-embedder.ts";
import { remember } from "../../src/knowledge/memories/operations.ts";
import { enrich } from "../../src/recall/enrich/operations.ts";
import { openEmbeddingServer } from "../support/embedding-server.ts";
import { openTestHttp, type TestHttp } from "../support/http.ts";

let http: TestHttp;
beforeEach(async () => {
  http = await openTestHttp();
});
afterEach(() => http.close());

const project = "shop";

const remembered = async (content: string, files: string[] = [], concepts: string[] = []) =>
  (await http.ok(remember, { content, project, files, concepts })).memoryId;

const related = async (files: string[], terms: string[] = []) =>
  (await http.ok(enrich, { sessionId: "now", project, files, terms })).relatedMemories.map(
    ({ obsId }) => obsId,
  );

describe("the memories that enrich relates to a file", () => {
  test("speak of it: what its neighbours in the graph are connected with does not count", async () => {
    for (const file of ["src/retry.ts", "src/session.ts"]) {
      const data = { tool_name: "Edit", tool_input: { file_path: `/w/shop/${file}`, new_string: "limit" } };
      const at = new Date(http.now()).toISOString();
      const place = { sessionId: "s1", project, cwd: "/w/shop", timestamp: at };
      await http.ok(observe, { ...place, hookType: "post_tool_use", data });
    }
    await remembered("Logins expire after 30 days", ["src/session.ts"]);
    const spoken = await remembered("Retries stop after five times", ["src/limits.ts"]);
    expect(await related(["src/retry.ts"])).toEqual([spoken]);
  });

  test("speak of it in their own words, not in the name of another file that they are about", async () => {
    await remembered("The panel asks the public API only", ["packages/admin/src/worker.ts"]);
    const spoken = await remembered("A worker must not block");
    expect(await related(["src/jobs/worker.ts"])).toEqual([spoken]);
  });

  test("speak of it in any form of its name, or have a tag of its name", async () => {
    const plural = await remembered("Webhooks are delivered at least once");
    const tagged = await remembered("Deliveries come at least once", [], ["webhook"]);
    expect((await related(["src/webhook.ts"])).sort()).toEqual([plural, tagged].sort());
    const inflected = await remembered("Rechnungen werden nie geändert");
    expect(await related(["src/rechnung.py"])).toEqual([inflected]);
  });

  test("are not what a mistyped name might have meant", async () => {
    await remembered("Receipts are printed twice");
    expect(await related(["src/receits.ts"])).toEqual([]);
  });

  test("speak of all that the file's name consists of, or of most of it", async () => {
    await remembered("An order has at least one line");
    const spoken = await remembered("The order history shows twelve months");
    expect(await related(["src/OrderHistory.tsx"])).toEqual([spoken]);
    expect(await related(["src/order-history.tsx"])).toEqual([spoken]);
  });

  test("of a test speak of what it tests", async () => {
    await remembered("A test must not depend on the order of others");
    const spoken = await remembered("The larger discount wins");
    const names = ["discount.test.ts", "discount.spec.ts", "test_discount.py", "discount_test.go"];
    for (const name of names) expect(await related([`src/cart/${name}`]), name).toEqual([spoken]);
  });

  test.each(["src/index.ts", "src/main.ts", "lib/__init__.py", "README.md", "package.json", "src/utils.ts"])(
    "of %s, whose name says nothing, are only those that name it",
    async (file) => {
      await remembered("Never push to main, keep the search index small, read every package readme");
      await remembered("The utils are shared by the lib and its init");
      expect(await related([file])).toEqual([]);
      const naming = await remembered("Exports are sorted", [file]);
      expect(await related([file])).toEqual([naming]);
    },
  );

  test("of a file whose name says nothing speak of its folder", async () => {
    await remembered("The search index is rebuilt at night");
    const spoken = await remembered("Orders are never deleted");
    expect(await related(["src/orders/index.ts"])).toEqual([spoken]);
  });

  test("of such a file do not speak of its folder if that has the name of the whole project", async () => {
    const cwd = "/w/shop";
    const timestamp = new Date(http.now()).toISOString();
    await http.ok(observe, {
      sessionId: "now",
      hookType: "session_start",
      project,
      cwd,
      timestamp,
      data: {},
    });
    await remembered("The shop speaks German");
    expect(await related(["/w/shop/shop/__init__.py"])).toEqual([]);
  });

  test("are not those that a later one replaces, except for bugs", async () => {
    const files = ["src/cart.ts"];
    const bug = { content: "The cart is lost when Redis restarts", type: "bug" as const, project, files };
    const { memoryId } = await http.ok(remember, bug);
    await remembered("The cart is stored in Redis", files);
    http.advance(60_000);
    const later = await remembered(
      "The cart lives in Postgres instead of Redis, because two servers write to it at the same time",
      files,
    );
    const { relatedMemories, context } = await http.ok(enrich, { sessionId: "now", project, files });
    expect(relatedMemories.map(({ obsId }) => obsId)).toEqual([later, memoryId]);
    expect(context).not.toContain("is stored in Redis");
  });

  test("speak of one of the terms", async () => {
    await remembered("Carts expire after a day");
    const spoken = await remembered("Refunds take five days");
    expect(await related(["src/unknown.ts"], ["refund"])).toEqual([spoken]);
  });
});

test("a memory is not related to a file because a model finds it similar to the file's name", async () => {
  const server = await openEmbeddingServer();
  await http.close();
  http = await openTestHttp({
    env: {
      MEMSVC_EMBEDDING_PROVIDER: "openai",
      MEMSVC_EMBEDDING_BASE_URL: server.url,
      MEMSVC_EMBEDDING_MODEL: "my-own",
      MEMSVC_VECTOR_MIN_SIMILARITY: "0",
    },
  });
  try {
    await remembered("Answer briefly in the language of the question");
    const spoken = await remembered("A refund takes five days");
    // Function words that are equal make the vectors equal.
    await remembered("About what it is about");
    await DocumentEmbedder.runOnce(http.core.ground, http.core.embeddings);
    expect(await related(["src/refunds.ts", "src/about.ts"])).toEqual([spoken]);
    expect(await related(["src/about.ts"])).toEqual([]);
  } finally {
    await server.close();
  }
});
