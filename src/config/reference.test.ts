import { expect, test } from "vitest";
import { docsHref, featureFlagTable } from "./feature-flag-table.ts";
import { settingsReference } from "./reference.ts";
import { settingGroups } from "./setting.ts";
import { settingsTable } from "./settings-table.ts";

const text = settingsReference();
const lines = text.split("\n");

test("every setting has exactly one row, with its description", () => {
  for (const { name, description } of settingsTable) {
    const rows = lines.filter((line) => line.includes(`<a id="${name.toLowerCase()}"></a>`));
    expect(rows).toHaveLength(1);
    expect(rows[0]).toContain(description);
  }
});

test("the row of a boolean lists the values that count as true", () => {
  const valuesOf = (name: string) => lines.find((line) => line.includes(`\`${name}\` |`))?.split(" | ")[2];
  expect(valuesOf("MEMSVC_AUTO_COMPRESS")).toBe("`true`, `false`");
  expect(valuesOf("MEMSVC_REQUIRE_HTTPS")).toBe("`true`, `1`, `false`");
  expect(valuesOf("MEMSVC_MCP_AUTOSTART")).toBe("`false`; anything else is `true`");
});

test("the link of every feature flag leads to an anchor", () => {
  for (const { key } of featureFlagTable) {
    const [path, anchor] = docsHref(key).split("#");
    expect(path).toBe("docs/config.md");
    expect(text).toContain(`<a id="${anchor}"></a>`);
  }
});

test("the table of the home lists connections/ once", () => {
  expect(lines.filter((line) => line.startsWith("| `connections/` |"))).toHaveLength(1);
});

test("there is one section per group, and every group has settings", () => {
  for (const [group, title] of Object.entries(settingGroups)) {
    expect(lines.filter((line) => line === `## ${title}`)).toHaveLength(1);
    expect(settingsTable.some((row) => row.group === group)).toBe(true);
  }
});

test("every row of a table has as many cells as its header", () => {
  const cellCount = (line: string) => line.replaceAll("\\|", "").split("|").length;
  let head: number | undefined;
  for (const line of lines) {
    if (!line.startsWith("|")) head = undefined;
    else if (head === undefined) head = cellCount(line);
    else expect(cellCount(line), line).toBe(head);
  }
});

test("the text is stable, ends with one line feed and has no trailing blanks", () => {
  expect(settingsReference()).toBe(text);
  expect(text).toMatch(/[^\n]\n$/);
  expect(lines.filter((line) => /\s$/.test(line))).toEqual([]);
});
