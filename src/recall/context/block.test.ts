import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { tokenEstimate } from "../../text/token-estimate.ts";
import { type BlockSection, warningLine, writeBlock } from "./block.ts";
import { plannedSections } from "./section.ts";

const hostileText = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        "</memsvc-context>",
        '<memsvc-context project="x">',
        "## Memories",
        "\n## Memories\n",
        "\n- ",
        "\n",
        "\r",
        "\u2028",
        "\u2029",
        "\u0085",
        "\u0000",
        "\u001b[2J",
        "\u202e",
        "\ud800",
        "😀",
        warningLine,
      ),
      fc.string({ unit: "binary", maxLength: 20 }),
    ),
    { maxLength: 6 },
  )
  .map((pieces) => pieces.join(""));

const line = fc.record({ kind: fc.constantFrom("item", "detail", "label", "quote"), text: hostileText });
const item = fc.record(
  {
    lines: fc.array(line, { minLength: 1, maxLength: 3 }),
    grownAt: fc.constantFrom("2026-01-01", "2026-01-02"),
    spare: fc.array(fc.array(line, { maxLength: 2 }), { maxLength: 2 }),
  },
  { requiredKeys: ["lines"] },
);
const sections: fc.Arbitrary<BlockSection[]> = fc.tuple(
  ...plannedSections({ includeOwn: true }).map(({ title, share, kind }) =>
    fc
      .array(item, { maxLength: 4 })
      .map((items) => ({ title, share, takesRest: kind === "memories", items })),
  ),
);

const oneMemory = (text: string, memoryId = "mem_1"): BlockSection[] => [
  { title: "Memories", share: 0.35, takesRest: true, items: [{ lines: [{ kind: "item", text }], memoryId }] },
];

describe("writeBlock", () => {
  test("drops the spare lines of an item that does not fit with them, the first one first", () => {
    const lines = (name: string) => [{ kind: "item", text: name.repeat(30) } as const];
    const spare = [lines("b"), lines("c")];
    const stored = [
      {
        title: "Sessions",
        share: 1,
        takesRest: true,
        items: [{ lines: lines("a"), spare }, { lines: lines("d") }],
      },
    ];
    const shown = (budgetTokens: number) => {
      const { context, truncated } = writeBlock("shop", stored, budgetTokens);
      return [context.match(/(?<=^- )./gmu)?.join("") ?? "", truncated];
    };
    const whole = tokenEstimate(writeBlock("shop", stored, 1_000).context);
    expect(shown(whole)).toEqual(["abcd", false]);
    const lineTokens = Math.ceil("- \n".length / 3) + 10;
    expect(shown(whole - lineTokens)).toEqual(["abc", true]);
    expect(shown(whole - 2 * lineTokens)).toEqual(["ac", true]);
    expect(shown(whole - 3 * lineTokens)).toEqual(["a", true]);
  });

  test("drops the spare lines of all items but the first before any later item", () => {
    const lines = (name: string) => [{ kind: "item", text: name.repeat(30) } as const];
    const items = [
      { lines: lines("a"), spare: [lines("b")] },
      { lines: lines("c"), spare: [lines("d"), lines("e")] },
      { lines: lines("f") },
    ];
    const stored = [{ title: "Sessions", share: 1, takesRest: true, items }];
    const shown = (budgetTokens: number) =>
      writeBlock("shop", stored, budgetTokens)
        .context.match(/(?<=^- )./gmu)
        ?.join("");
    const whole = tokenEstimate(writeBlock("shop", stored, 1_000).context);
    const lineTokens = Math.ceil("- \n".length / 3) + 10;
    const without = [0, 1, 2, 3, 4].map((count) => shown(whole - count * lineTokens));
    expect(without).toEqual(["abcdef", "abcef", "abcf", "abc", "ab"]);
  });

  test("never exceeds its budget, whatever is stored", () => {
    fc.assert(
      fc.property(
        hostileText,
        sections,
        fc.integer({ min: 1, max: 600 }),
        (project, stored, budgetTokens) => {
          const block = writeBlock(project, stored, budgetTokens);
          expect(tokenEstimate(block.context)).toBeLessThanOrEqual(budgetTokens);
          expect(block.tokens).toBe(tokenEstimate(block.context));
        },
      ),
      { numRuns: 300 },
    );
  });

  test("is fenced once and has only its own headings, whatever is stored", () => {
    fc.assert(
      fc.property(hostileText, sections, (project, stored) => {
        const { context, blocks } = writeBlock(project, stored, 32_000);
        if (blocks === 0) return;
        // Every character at which any reader might begin a new line.
        const lines = context.split(/\r\n|[\n\r\v\f\u0085\u2028\u2029]/u);
        const [first, second, ...rest] = lines;
        expect(first).toMatch(/^<memsvc-context project="[^"<>]*">$/u);
        expect(second).toBe(warningLine);
        expect(rest.at(-1)).toBe("</memsvc-context>");
        const body = rest.slice(0, -1);
        const titles = stored.map(({ title }) => `## ${title}`);
        const headings = body.filter((text) => text.startsWith("#"));
        expect(headings).toEqual(titles.filter((title) => headings.includes(title)));
        expect(headings.length).toBe(blocks);
        for (const text of body) expect(text).toMatch(/^(?:|## .*|- .*|\*\*.*| {2}- .*|> .*)$/u);
        expect(body.join("")).not.toMatch(/[<]|\p{Cc}|\p{Cs}/u);
      }),
      { numRuns: 300 },
    );
  });

  test("is empty if the budget has room for the wrapper but for no item", () => {
    const wrapper = writeBlock("shop", oneMemory("x"), 32_000).tokens;
    expect(writeBlock("shop", oneMemory("x"), wrapper).blocks).toBe(1);
    expect(writeBlock("shop", oneMemory("x"), wrapper - 1)).toEqual({
      context: "",
      tokens: 0,
      blocks: 0,
      truncated: true,
      memoryIds: [],
    });
  });

  test("gives each section its share of the budget if all have more content", () => {
    const items = Array.from({ length: 300 }, () => ({
      lines: [{ kind: "item" as const, text: "x".repeat(97) }],
    }));
    const plan = plannedSections({ includeOwn: false });
    const sections = plan.map(({ title, share, kind }) => ({
      title,
      share,
      takesRest: kind === "memories",
      items,
    }));
    const { context } = writeBlock("shop", sections, 10_000);
    const parts = context.split(/\n## /u).slice(1);
    const percents = parts.map((part) => [/^.+/u.exec(part)?.[0], Math.round((100 * part.length) / 30_000)]);
    expect(percents).toEqual([
      ["Pinned notes", 25],
      ["Project profile", 15],
      ["Memories", 35],
      ["Lessons", 10],
      ["Recent sessions", 15],
    ]);
  });

  test("lists the ids of exactly the memories that it shows", () => {
    const long = { lines: [{ kind: "item" as const, text: "long ".repeat(500) }], memoryId: "mem_long" };
    const both = oneMemory("short", "mem_short").map((section) => ({
      ...section,
      items: [long, ...section.items],
    }));
    const block = writeBlock("shop", both, 120);
    expect(block.memoryIds).toEqual(["mem_short"]);
    expect(block.truncated).toBe(true);
  });

  test("marks each line of a quoted text", () => {
    const quoted = [
      {
        title: "Pinned notes",
        share: 1,
        takesRest: false,
        items: [
          {
            lines: [
              { kind: "label", text: "plan" },
              { kind: "quote", text: "one\n## two" },
            ],
          },
        ],
      },
    ] as const;
    expect(writeBlock("shop", quoted, 200).context).toContain("**plan**\n> one\n> ## two\n");
  });

  describe("a note longer than its section's share", () => {
    const note = (label: string, text: string, grownAt?: string) => ({
      lines: [
        { kind: "label" as const, text: label },
        { kind: "quote" as const, text },
      ],
      ...(grownAt === undefined ? {} : { grownAt }),
    });
    const numbered = Array.from({ length: 60 }, (_, n) => `line number ${n}`).join("\n");
    const rest = Array.from(
      { length: 40 },
      (_, n) => oneMemory(`memory ${n} ${"x".repeat(60)}`)[0]?.items ?? [],
    );
    const blockOf = (items: readonly ReturnType<typeof note>[], budgetTokens: number) =>
      writeBlock(
        "shop",
        [
          { title: "Pinned notes", share: 0.25, takesRest: false, items },
          { title: "Memories", share: 0.35, takesRest: true, items: rest.flat() },
        ],
        budgetTokens,
      );

    test("shows its last lines and a mark for the missing ones", () => {
      const { context, truncated } = blockOf([note("todo", numbered, "2026-01-01")], 600);
      expect(context).toMatch(/\*\*todo\*\*\n> …\n(?:> line number \d+\n)+\n## Memories/u);
      expect(context).toContain("> line number 59\n");
      expect(context).not.toContain("> line number 0\n");
      expect(truncated).toBe(true);
    });

    test("is shown whole if other sections leave room, and displaces no note that fits", () => {
      expect(blockOf([note("todo", numbered, "2026-01-01")], 4_000).context).toContain(
        "**todo**\n> line number 0\n",
      );
      const { context } = blockOf([note("todo", numbered, "2026-01-01"), note("tone", "be brief")], 600);
      expect(context).toContain("**tone**\n> be brief\n");
      expect(context).toContain("> line number 59\n");
    });

    test("gets the room before notes that changed longer ago", () => {
      const notes = [note("plan", numbered, "2026-01-01"), note("todo", numbered, "2026-01-02")];
      const { context } = blockOf(notes, 600);
      expect(context).toContain("**todo**\n> …\n");
      expect(context).not.toContain("plan");
    });

    test("is left out if not even one line fits, or if it may not be cut", () => {
      expect(blockOf([note("todo", numbered, "2026-01-01")], 70).context).not.toContain("todo");
      expect(blockOf([note("todo", numbered)], 600).context).not.toContain("todo");
    });
  });

  test("cuts an overlong project name to leave room for items", () => {
    expect(writeBlock("p".repeat(1_024), oneMemory("x"), 200).blocks).toBe(1);
  });
});
