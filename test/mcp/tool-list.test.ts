import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { callTool } from "../../src/mcp/operations.ts";
import { storelessMethods } from "../../src/mcp/storeless-methods.ts";
import { listTools as listedTools } from "../../src/mcp/tools.ts";
import { forAllTests } from "../support/for-each-test.ts";
import { openTestHttp } from "../support/http.ts";
import { callsTo, offered, type Schema } from "./tool-calls.ts";
import { promisedTools } from "./tool-table.ts";

const http = forAllTests(() => openTestHttp({ env: { MEMSVC_SLOTS: "true" } }));

const call = callsTo(http);

describe("the tool list", () => {
  test("has exactly the promised tools, core tools first", async () => {
    const names = [...(await offered(http)).keys()];
    expect(names.toSorted(), "each tool has its row in test/mcp/tool-table.ts").toEqual(
      promisedTools.map(({ name }) => name).toSorted(),
    );
    const core = promisedTools.filter(({ isCore }) => isCore).map(({ name }) => name);
    expect(names.slice(0, core.length).toSorted()).toEqual(core.toSorted());
  });

  test("says which operation needs an argument, and shows no default for required ones", async () => {
    const tools = await offered(http);
    const { status, name, ttlMs } = {
      ...tools.get("memory_lease")?.inputSchema.properties,
      ...tools.get("memory_checkpoint")?.inputSchema.properties,
    };
    expect(name?.description).toMatch(/^create \(required\): /u);
    expect(status?.description).toMatch(/^resolve \(required\): .+; list: /u);
    expect(ttlMs?.description).toMatch(/^acquire: .+; renew: /u);
    for (const [tool, { inputSchema }] of tools)
      for (const needed of inputSchema.required ?? [])
        expect(inputSchema.properties?.[needed], tool).not.toHaveProperty("default");
  });

  test.each(promisedTools.map((tool) => [tool.name, tool]))(
    "describes %s as promised",
    async (name, promised) => {
      const tool = (await offered(http)).get(String(name));
      const { kinds, hints, required } = promised as (typeof promisedTools)[number];
      const properties = tool?.inputSchema.properties ?? {};
      const shown = Object.entries(properties).map(([argument, schema]) => [argument, kindOf(schema)]);
      expect(Object.fromEntries(shown), "as its row in test/mcp/tool-table.ts").toEqual(kinds);
      expect([...(tool?.inputSchema.required ?? [])].toSorted()).toEqual([...required].toSorted());
      for (const [argument, { anyOf, ...alone }] of Object.entries(properties)) {
        const { description = "" } = anyOf?.[0] ?? alone;
        expect(description, argument).toMatch(/\w/u);
        // Gemini's API rejects a tool whose schema has anything beside a union.
        if (anyOf !== undefined) expect(alone, argument).toEqual({});
      }
      expect(tool?.annotations).toEqual({
        title: tool?.title,
        readOnlyHint: hints.includes("R"),
        destructiveHint: hints.includes("D"),
        idempotentHint: hints.includes("I"),
        openWorldHint: name === "memory_mesh_sync",
      });
      expect(tool?.description).toMatch(/\bUse it\b/u);
    },
  );

  // A token is about four characters, and clients send these parts with every conversation.
  test.each([
    ["all", 36_000],
    ["core", 6_500],
  ] as const)("with MEMSVC_TOOLS=%s has at most %i characters", (tools, most) => {
    const read = listedTools({ tools }).map(({ name, description, inputSchema }) => [
      name,
      description,
      inputSchema,
    ]);
    expect(JSON.stringify(read).length).toBeLessThan(most);
  });

  test("mentions only tools that it contains, as do the instructions and the README", async () => {
    for (const tools of ["all", "core"] as const) {
      const listed = listedTools({ tools });
      const { instructions } = storelessMethods.initialize({}, { serviceName: "memsvc", tools });
      const readme = tools === "all" ? readFileSync(new URL("../../README.md", import.meta.url), "utf8") : "";
      const named = (JSON.stringify(listed) + instructions + readme).match(/\bmemory_\w+/gu);
      const names = listed.map(({ name }) => name);
      expect([...new Set(named)].filter((name) => !names.includes(name))).toEqual([]);
    }
    const vault = await call("memory_obsidian_export", { vaultDir: "notes" });
    expect(vault.body).toMatchObject({ exported: {} });
  });

  test("with MEMSVC_TOOLS=core has only core tools, and calls of others are refused", async () => {
    const small = await openTestHttp({ env: { MEMSVC_TOOLS: "core" } });
    const core = promisedTools.filter(({ isCore }) => isCore).map(({ name }) => name);
    expect([...(await offered(small)).keys()].toSorted()).toEqual(core.toSorted());
    const reply = await small.reply(callTool, { name: "memory_get", arguments: { memoryId: "m" } });
    expect([reply.status, reply.body.error]).toEqual([400, expect.stringContaining("MEMSVC_TOOLS")]);
    await small.close();
  });
});

function kindOf({ type, anyOf }: Schema): string {
  const names = { integer: "int", number: "num", boolean: "bool", array: "list", object: "json" };
  const first = type ?? anyOf?.[0]?.type ?? "";
  return names[first as keyof typeof names] ?? first;
}
