import { Hono } from "hono";
import { TrieRouter } from "hono/router/trie-router";
import { expect, test } from "vitest";
import { inRouteOrder } from "./route-order.ts";

test("a route with a parameter does not answer for another one that is declared after it", async () => {
  const app = new Hono({ router: new TrieRouter() });
  const paths = ["/memories/:id", "/memories", "/memories/oldest"];
  for (const { http } of inRouteOrder(paths.map((path) => ({ http: { path } }))))
    app.get(http.path, (context) => context.text(http.path));
  const answers = ["/memories/oldest", "/memories/mem_1", "/memories"].map(async (path) =>
    (await app.request(path)).text(),
  );
  expect(await Promise.all(answers)).toEqual(["/memories/oldest", "/memories/:id", "/memories"]);
});
