import { describe, expect, test } from "vitest";
import { processorTimer } from "../../../../test/support/processor-time.ts";
import { compressByRules } from "./compress.ts";
import { librariesIn } from "./libraries.ts";

const concepts = (hookType: string, data: unknown): string[] =>
  compressByRules({ hookType, sessionId: "s1", project: "shop", cwd: "/code/shop", timestamp: 0, data })
    .concepts;

describe("concepts", () => {
  test("start with file names, generic ones with their folder", () => {
    const files = ["src/cart/Session.ts", "src/api/index.ts", "README.md", "docs/readme.md", ".env"];
    expect(concepts("post_tool_use", { changeKind: "change", files }).slice(0, 5)).toEqual([
      ...["session", "api/index", "readme", "docs/readme", ".env"],
    ]);
  });

  test("list libraries, identifiers, hashtags and frequent words in this order", () => {
    const prompt =
      "From import { z } from 'zod': cartTotal has a wrong, wrong rounding of max_items #billing";
    expect(concepts("prompt_submit", { prompt })).toEqual([
      ...["zod", "carttotal", "max_items", "billing"],
      ...["wrong", "import", "rounding", "items"],
    ]);
  });

  test("are names with an inner capital, underscore or hyphen first, not words in capitals only", () => {
    expect(
      concepts("prompt_submit", { prompt: "Retry SELECT in runQuery and max-wait_" }).slice(0, 2),
    ).toEqual([...["runquery", "max-wait"]]);
  });

  test("include libraries imported by read and written files, not those in command output", () => {
    const source = "import { z } from '@hono/zod-openapi';\n";
    const of = (tool: string, input: object, output: string) =>
      concepts("post_tool_use", { tool, input: { file_path: "/code/shop/src/cart.ts", ...input }, output });
    expect(of("Read", {}, source)[1]).toBe("@hono/zod-openapi");
    expect(of("Write", { content: source }, "ok")[1]).toBe("@hono/zod-openapi");
    const shown = { tool: "Bash", input: { command: "./show" }, output: source };
    expect(concepts("post_tool_use", shown)).not.toContain("@hono/zod-openapi");
  });

  test("of JavaScript imports are the packages, not what is imported from them", () => {
    const source =
      'import type { Pool } from "pg";\nimport type Cart from "cart";\nimport React, { use } from "react";';
    expect(librariesIn(`${source}\nimport os, sys\nuse Phoenix.Router`, 9)).toEqual([
      ...["pg", "cart", "react", "os", "phoenix"],
    ]);
  });

  test("exclude properties of styles in source files", () => {
    const content = '<div style="border-radius: 4px; font-size: 1em; color: red" class="cart-total">';
    const input = { file_path: "/code/shop/cart.heex", content };
    const found = concepts("post_tool_use", { tool: "Write", input });
    expect(found).toContain("cart-total");
    for (const noise of ["border-radius", "font-size", "style", "color"]) expect(found).not.toContain(noise);
  });

  test("exclude statement keywords in source files but include them in prompts", () => {
    const content =
      'export class Cart {}\nexport default Cart;\nexport * from "./tax";\nswitch (kind) { case 1: break; }';
    const found = concepts("post_tool_use", {
      tool: "Write",
      input: { file_path: "/code/shop/a.ts", content },
    });
    expect(found).toEqual(["cart", "kind"]);
    expect(concepts("prompt_submit", { prompt: "the csv export breaks" })).toContain("export");
  });

  test("exclude a language's reserved words, however frequent", () => {
    const input = { command: "cat x" };
    const output =
      "const job = await take();\nconst done = await run(job);\nfunction retry() { return backoff }";
    const found = concepts("post_tool_use", { tool: "Bash", input, output });
    expect(found).toEqual(expect.arrayContaining(["retry", "backoff"]));
    for (const reserved of ["const", "await", "function", "return"]) expect(found).not.toContain(reserved);
  });

  test("include identifiers in error lines", () => {
    const data = {
      tool: "Bash",
      input: { command: "x" },
      output: "ok\nError: undefinedVariable in rate-limit",
    };
    expect(concepts("post_tool_use", data)).toEqual(
      expect.arrayContaining(["undefinedvariable", "rate-limit"]),
    );
  });

  test("exclude numbers, long hex strings and redaction marks", () => {
    const prompt =
      "Check 12345678 deadbeefcafe 550e8400-e29b-41d4-a716-446655440000 [REDACTED_SECRET] [REDACTED] #99999 #cafebabe01 payment";
    expect(concepts("prompt_submit", { prompt })).toEqual(["check", "payment"]);
  });

  test("are empty for a bare agent command, but not for one with a request", () => {
    for (const prompt of ["/clear", "/exit", "<command-name>/model</command-name>"])
      expect(concepts("prompt_submit", { prompt })).toEqual([]);
    expect(concepts("prompt_submit", { prompt: "/review the billing" })).toEqual(["review", "billing"]);
  });

  test("are empty for status events of the agent, but not for its messages", () => {
    expect(concepts("session_start", { source: "startup" })).toEqual([]);
    expect(concepts("notification", { message: "Claude is waiting for your input" })).toEqual([]);
    expect(concepts("stop", {})).toEqual([]);
    expect(concepts("stop", { lastAssistantMessage: "Rounded the invoices." })).toEqual([
      "rounded",
      "invoices",
    ]);
    expect(concepts("deployed", { message: "Deployed the invoices" })).toEqual(["deployed", "invoices"]);
  });

  test("exclude the folders of a path, on Windows too", () => {
    const read = (path: string) => concepts("post_tool_use", { tool: "Read", input: { file_path: path } });
    expect(read("C:\\Users\\jane\\shop\\cart.ts")).toEqual(["cart"]);
    expect(read("/home/jane/shop/cart.ts")).toEqual(["cart"]);
  });

  test("exclude the letters within hashes, hex numbers and UUIDs", () => {
    const sha = "6b7fa434f92a8b80aab02d9bf1a12e49ffcae424";
    const prompt = `Revert ${sha} and 0x12facade34, restore 550e8400-dead-41d4-beef-446655440000 of python3`;
    expect(concepts("prompt_submit", { prompt })).toEqual(["revert", "restore", "python"]);
  });

  test("exclude short hashes, encoded bytes, output filters and JSON escapes", () => {
    const failed = { tool: "Bash", input: { command: "mix phx.server | tail -5" } };
    const error =
      "Error: wrong csrf AAb3CmFzc2lnbl9uZXdQbGFuYXqWkTPwByGABuya-x1 near user_token\nafter bd0afab";
    const found = concepts("post_tool_failure", { ...failed, error });
    expect(found).toEqual(expect.arrayContaining(["user_token", "csrf"]));
    for (const noise of ["tail", "afab", "aab3cmfzc2lnbl9uzxdqbgfuyxqwktpwbygabuya-x1"])
      expect(found).not.toContain(noise);
    const unknown = { state: "done", log: "compiled\ngenerated", answers: { "a b": "x\ncompiling" } };
    const json = concepts("post_tool_use", { tool: "Custom", input: { id: "1" }, output: unknown });
    expect(json).toEqual(expect.arrayContaining(["compiled", "generated", "compiling"]));
    for (const noise of ["ncompiling", "ngenerated"]) expect(json).not.toContain(noise);
  });

  test("exclude the field names of a tool's input", () => {
    const edit = {
      tool: "MultiEdit",
      input: {
        file_path: "/w/cart.ts",
        edits: [
          { old_string: "retry", new_string: "backoff" },
          { old_string: "jitter", new_string: "delay" },
        ],
      },
    };
    expect(concepts("post_tool_use", edit)).toEqual(["cart", "retry", "backoff", "jitter", "delay"]);
    const todos = [
      { step: "paint", activeForm: "painting" },
      { step: "sand", activeForm: "sanding" },
    ];
    expect(concepts("post_tool_use", { tool: "TodoWrite", input: { todos } })).toEqual([
      "paint",
      "painting",
      "sand",
      "sanding",
    ]);
  });

  test("exclude the field names of an output that is shown as JSON", () => {
    const output = { replicas: [{ shardName: "checkout", shardState: "lagging" }], totalShards: 0 };
    const shown = concepts("post_tool_use", { tool: "mcp__db__replicas", input: {}, output });
    expect(shown).toEqual(["checkout", "lagging"]);
  });

  test("exclude stop words and include at most 6 words", () => {
    const prompt = "please would alpha bravo charlie delta echoes foxtrot golfing hotel because should";
    expect(concepts("prompt_submit", { prompt })).toEqual([
      "alpha",
      "bravo",
      "charlie",
      "delta",
      "echoes",
      "foxtrot",
    ]);
  });

  test("include words of other scripts", () => {
    expect(concepts("prompt_submit", { prompt: "Größe… Größe корзина" })).toEqual(["größe", "корзина"]);
  });

  test("keep words with combining marks whole", () => {
    const decomposed = "Le résumé échoue".normalize("NFD");
    expect(concepts("prompt_submit", { prompt: decomposed })).toEqual(["résumé", "échoue"]);
    expect(concepts("prompt_submit", { prompt: "İstanbul की हिन्दी" })).toEqual(["istanbul", "हिन्दी"]);
  });

  test("separate the words of scripts written without spaces, beside other scripts too", () => {
    const told = (prompt: string) => concepts("prompt_submit", { prompt });
    expect(told("请修复登录错误，我们使用retryPolicy函数")).toEqual([
      ...["retrypolicy", "修复", "登录", "错误", "函数"],
    ]);
    expect(told("リダイレクトの検査データを修正してください")).toEqual([
      ...["リダイレクト", "検査", "データ", "修正"],
    ]);
  });

  test.each([
    ["Bitte behebe das, damit die Sitzung nicht wieder abläuft", ["behebe", "sitzung", "abläuft"]],
    ["Il faut aussi vérifier la session pour que cela passe", ["vérifier", "session", "passe"]],
    ["Arregla también la sesión para que esto pase", ["arregla", "sesión", "pase"]],
    ["Исправь, пожалуйста, чтобы сессия также обновлялась", ["исправь", "сессия", "обновлялась"]],
    ["Bunun için oturum daha sonra yenilensin", ["oturum", "yenilensin"]],
    ["接下來幫我把訂單改成每次處理五百筆，最多重試五次", ["訂單", "處理"]],
    ["不過目前閒置三十分鐘就登出，而且兩小時後才能登入", ["閒置", "登出", "登入"]],
  ])("exclude function words of other languages: %s", (prompt, expected) => {
    expect(concepts("prompt_submit", { prompt })).toEqual(expected);
  });

  test("of files do not depend on the Unicode normalisation of their names", () => {
    for (const form of ["NFC", "NFD"]) {
      const files = ["src/Größe.ts".normalize(form), "src/İnceleme.ts".normalize(form)];
      expect(concepts("post_tool_use", { changeKind: "change", files }).slice(0, 2)).toEqual([
        "größe",
        "inceleme",
      ]);
    }
  });

  test("are at most 12, in lower case and unique", () => {
    const prompt = Array.from({ length: 40 }, (_, index) => `someName${index}`).join(" ");
    const found = concepts("prompt_submit", { prompt });
    expect(found).toHaveLength(12);
    expect(new Set(found).size).toBe(12);
    expect(found.every((concept) => concept === concept.toLowerCase())).toBe(true);
  });
});

describe("librariesIn", () => {
  test.each<[string, string[]]>([
    ["import { z } from \"zod\";\nimport fs from 'node:fs/promises';", ["zod", "fs"]],
    ["const x = require('@scope/name/part');\nimport './local.ts';", ["@scope/name"]],
    ["import numpy.linalg\nfrom flask import Flask\nfrom . import x", ["numpy", "flask"]],
    ["use serde::Deserialize;\nuse crate::cart;\nuse std::fs;", ["serde"]],
    ['#include <boost/asio.hpp>\n#include <vector>\n#include "ring.h"', ["asio", "vector"]],
    ["import org.junit.Test;", ["junit"]],
    ["npm install -D vitest@1.2 ./local @types/node", ["vitest", "@types/node"]],
    ["pip install 'x' requests>=2.0 flask[async] -r requirements.txt && ls", ["requests", "flask"]],
    ["cargo add tokio; npm ci", ["tokio"]],
    [
      'package main\n\nimport (\n\t"fmt"\n\n\tmux "github.com/gorilla/mux/v2"\n\t_ "go.uber.org/zap/zapcore"\n)',
      ["github.com/gorilla/mux", "go.uber.org/zap"],
    ],
    ['import "github.com/lib/pq"\nimport Chart from "chart.js/auto"', ["github.com/lib/pq", "chart.js"]],
    ["pip install \"fastapi[all]\" 'requests==2.1'", ["fastapi", "requests"]],
    ["pip install -i https://pypi.example/simple numpy git+https://example.org/x@main", ["numpy"]],
    [
      "composer require guzzlehttp/guzzle --dev && dotnet add package Serilog && conda install scipy",
      ["guzzlehttp/guzzle", "serilog", "scipy"],
    ],
    ["cargo add tokio --features full && poetry add --group dev pytest", ["tokio", "pytest"]],
  ])("%j names %j", (text, expected) => {
    expect(librariesIn(text, 12)).toEqual(expected);
  });

  test("reads a megabyte of unfinished imports in linear time", () => {
    const spent = processorTimer();
    expect(librariesIn("import (\n".repeat(110_000), 12)).toEqual([]);
    expect(spent()).toBeLessThan(500);
  });
});

test("options of a command are no concepts, but what they are given is", () => {
  const ran = (command: string) =>
    concepts("post_tool_use", { tool: "Bash", input: { command }, output: "ok" });
  const named = ran("pnpm --filter storefront vitest run --coverage=full prices");
  expect(named).toEqual(expect.arrayContaining(["storefront", "vitest", "prices"]));
  expect(named.filter((name) => ["filter", "coverage"].includes(name))).toEqual([]);
});

test("the exit code before a failed command's output is not a concept", () => {
  const call = { tool_name: "Bash", tool_input: { command: "gofmt" } };
  expect(concepts("post_tool_failure", { ...call, error: "Exit code 2\nunexpected comma" })).toEqual([
    "gofmt",
    "unexpected",
    "comma",
  ]);
});

test("how an agent signs a commit or a pull request is not a concept", () => {
  const generated = "🤖 Generated with [Claude Code](https://claude.com/claude-code)";
  const signed = "Co-Authored-By: Claude Opus 4.5 <noreply@anthropic.com>";
  const command = `git commit -m "$(cat <<'EOF'\nfeat: coupons stay\n\n${generated}\n\n${signed}\nEOF\n)"`;
  const output = "[main 3f2a91c] feat: coupons stay";
  expect(concepts("post_tool_use", { tool: "Bash", input: { command }, output })).toEqual([
    ...["feat", "coupons", "stay", "commit", "main"],
  ]);
  const named = concepts("prompt_submit", { prompt: "Who is Co-Authored-By: in the log?" });
  expect(named).toContain("co-authored-by");
});
