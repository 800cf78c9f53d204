import { describe, expect, test, vi } from "vitest";
import * as z from "zod";
import { auditOperations } from "../src/governance/audit/record.ts";
import { httpApp } from "../src/http/app.ts";
import { openApiDocument } from "../src/http/openapi.ts";
import { NamedSchemas } from "../src/http/openapi-schemas.ts";
import { catalogue } from "../src/operation/catalogue.ts";
import { wordsOf } from "../src/operation/command-syntax.ts";
import { errorTable } from "../src/operation/errors.ts";
import { openTestCore } from "./support/core.ts";

type Schema = z.core.JSONSchema._JSONSchema;

/** The paths of fields without a description, at any depth. */
function undescribed(schema: Schema | undefined, path: string): string[] {
  if (typeof schema !== "object") return [];
  const own = Object.entries(schema.properties ?? {}).flatMap(([name, property]) => {
    const here = `${path}.${name}`;
    const isDescribed = typeof property === "object" && (property.description ?? "") !== "";
    return [...(isDescribed ? [] : [here]), ...undescribed(property, here)];
  });
  const inner = [
    schema.items,
    schema.additionalProperties,
    ...(schema.anyOf ?? []),
    ...(schema.oneOf ?? []),
    ...(schema.allOf ?? []),
  ];
  const defined = Object.entries(schema.$defs ?? {}).flatMap(([name, definition]) =>
    undescribed(definition, `${path}#${name}`),
  );
  return [...own, ...inner.flatMap((one) => (Array.isArray(one) ? [] : undescribed(one, path))), ...defined];
}

describe.each(catalogue.map((operation) => [operation.id, operation] as const))("%s", (id, operation) => {
  test("has a summary of one imperative line", () => {
    expect(operation.summary).toMatch(/^[A-Z][^.\n]{8,110}$/u);
  });

  test("describes every input and output field", () => {
    const input = z.toJSONSchema(operation.input, { io: "input", unrepresentable: "any" });
    const output = z.toJSONSchema(operation.output, { io: "output", unrepresentable: "any" });
    expect([...undescribed(input, `${id} input`), ...undescribed(output, `${id} output`)]).toEqual([]);
  });

  test("has one to four examples that call its command, if it has one", () => {
    const words = operation.cli && wordsOf(operation.cli.command);
    for (const example of operation.cli?.examples ?? []) expect(example).toContain(`memsvc ${words}`);
    if (operation.cli !== undefined) expect(operation.cli.examples.length).toBeGreaterThan(0);
    expect(operation.cli?.examples.length ?? 0).toBeLessThanOrEqual(4);
  });

  test("lists only known errors, and not_found where its path has an id", () => {
    for (const code of operation.errors) expect(errorTable).toHaveProperty(code);
    if (operation.http?.path.includes(":")) expect(operation.errors).toContain("not_found");
  });
});

test("no two operations share an id, a route, a command or a tool", () => {
  const all = (pick: (operation: (typeof catalogue)[number]) => string | undefined) =>
    catalogue.flatMap((one) => pick(one) ?? []);
  for (const names of [
    all(({ id }) => id),
    all(({ http }) => http && `${http.method} ${http.path}`),
    all(({ cli }) => cli && wordsOf(cli.command)),
    all(({ mcp }) => mcp && `${mcp.tool} ${mcp.chosenBy?.value ?? ""}`),
  ]) {
    expect(names).toEqual([...new Set(names)]);
  }
});

test("the OpenAPI document is built once, at its first request", async () => {
  const store = await openTestCore();
  const described = vi.spyOn(NamedSchemas.prototype, "add");
  const app = httpApp({ core: store.core, ports: () => ({ api: 3111, viewer: null }) });
  expect(described).not.toHaveBeenCalled();
  const asked = async (path: string) =>
    (await app.request(path, { headers: { host: "localhost:3111" } })).text();
  const first = await asked("/openapi.json");
  expect(described).toHaveBeenCalled();
  described.mockClear();
  expect(await asked("/memsvc/openapi.json")).toBe(first);
  expect(described).not.toHaveBeenCalled();
  described.mockRestore();
  await store.close();
});

test("the OpenAPI document has every operation with all its statuses, and no dangling reference", async () => {
  const store = await openTestCore();
  const app = httpApp({ core: store.core, ports: () => ({ api: 3111, viewer: null }) });
  const response = await app.request("/openapi.json", { headers: { host: "localhost:3111" } });
  const document = z
    .object({
      openapi: z.literal("3.1.0"),
      paths: z.record(
        z.string(),
        z.record(
          z.string(),
          z.object({ operationId: z.string(), responses: z.record(z.string(), z.unknown()) }),
        ),
      ),
      components: z.record(z.string(), z.record(z.string(), z.unknown())),
    })
    .parse(await response.json());
  for (const { id, http, errors } of catalogue) {
    if (http === undefined) continue;
    const path = `/memsvc${http.path.replace(/:(\w+)/gu, "{$1}")}`;
    const described = document.paths[path]?.[http.method.toLowerCase()];
    expect(described?.operationId, path).toBe(id);
    const other = http.otherwise === undefined ? [] : [http.otherwise.status];
    const common = http.open ? [403, 500] : [401, 403, 500, 503];
    const own = errors.map((code) => errorTable[code].status);
    const statuses = [http.success, ...other, ...common, ...own].map(String);
    expect(Object.keys(described?.responses ?? {}), id).toEqual(expect.arrayContaining(statuses));
  }
  const references = [...JSON.stringify(document).matchAll(/"#\/components\/(\w+\/[^"]+)"/gu)].map(
    ([, place = ""]) => place.split("/"),
  );
  expect(references.length).toBeGreaterThan(0);
  for (const place of references) expect(document.components).toHaveProperty(place);
  await store.close();
});

test("the OpenAPI document has bounds, defaults, patterns and query parameters of requests", () => {
  const document = openApiDocument(catalogue, "", "memsvc") as {
    readonly paths: Readonly<Record<string, Record<string, unknown>>>;
  };
  const body = (required: boolean, properties: object) => ({
    requestBody: { required, content: { "application/json": { schema: { properties } } } },
  });
  const inQuery = (...names: string[]) => ({ parameters: names.map((name) => ({ name, in: "query" })) });
  const limit = { type: "integer", minimum: 1, default: 10 };
  expect(document.paths).toMatchObject({
    "/smart-search": { post: { ...body(false, { limit }), ...inQuery("agentId", "includeOrphans") } },
    "/slot": { post: body(true, { label: { pattern: "^[a-z][a-z0-9_]{0,63}$" } }) },
    "/evict": { post: { ...body(false, { dryRun: { type: "boolean" } }), ...inQuery("dryRun") } },
    "/memories/{id}": { get: { parameters: [{ name: "id", in: "path", required: true }, {}, {}, {}] } },
    "/session/by-commit": { get: { parameters: [{ name: "sha", in: "query", required: true }, {}, {}] } },
    "/mesh/export": { get: { parameters: expect.arrayContaining([listed("scopes")]) } },
    "/audit": { get: { parameters: expect.arrayContaining([withDefault("limit", 50)]) } },
  });
});

test("the OpenAPI document says which answers carry success: true, and which only may", () => {
  const { paths } = openApiDocument(catalogue, "", "memsvc") as {
    readonly paths: Readonly<Record<string, Record<string, unknown>>>;
  };
  const answering = (schema: unknown) => ({
    responses: { 200: { content: { "application/json": { schema } } } },
  });
  const own = expect.anything();
  const mayCarryIt = { type: "object", properties: { success: expect.objectContaining({ const: true }) } };
  expect(paths).toMatchObject({
    "/sessions": { get: answering({ allOf: [{ $ref: "#/components/schemas/Success" }, own] }) },
    "/memories": { get: answering({ allOf: [mayCarryIt, own] }) },
    "/livez": { get: answering({ properties: expect.not.objectContaining({ success: own }) }) },
  });
});

test("the OpenAPI document names its server, and has no union of a single schema", () => {
  const document = openApiDocument(catalogue, "/memsvc", "memsvc");
  expect(document).toMatchObject({ servers: [{ url: "/" }] });
  const lonely: unknown[] = [];
  JSON.stringify(document, (key, value: unknown) => {
    if (["anyOf", "oneOf"].includes(key) && Array.isArray(value) && value.length < 2) lonely.push(value);
    return value;
  });
  expect(lonely).toEqual([]);
});

const listed = (name: string) =>
  expect.objectContaining({
    name,
    style: "form",
    explode: false,
    description: expect.stringContaining("memories, actions, semantic"),
  });
const withDefault = (name: string, value: unknown) =>
  expect.objectContaining({ name, schema: expect.objectContaining({ default: value }) });

test("the API page shows every route with fields and defaults, every record type and no script", async () => {
  const store = await openTestCore();
  const app = httpApp({ core: store.core, ports: () => ({ api: 3111, viewer: null }) });
  const response = await app.request("/docs", { headers: { host: "localhost:3111" } });
  const page = await response.text();
  for (const { http } of catalogue)
    if (http !== undefined) expect(page).toContain(`${http.method} /memsvc${http.path}`);
  const shown = (id: string) => page.slice(page.indexOf(`<details id="${id}">`)).split("</details>")[0];
  expect(shown("search.smart")).toContain("integer</td><td>maximum number of hits (default 10)");
  expect(shown("memories.list")).toMatch(
    /<a href="#Memory">Memory<\/a>\[\] \(required\).*<p>or<\/p>.*latestCount/su,
  );
  expect(shown("transfer.export")).toContain('<a href="#ExportData">');
  expect(shown("Memory")).toContain("<code>strength</code>");
  expect(page).not.toMatch(/<script|src=|https?:\/\//u);
  expect(response.headers.get("content-security-policy")).toContain("default-src 'none'");
  await store.close();
});

test.each(["/docs", "/docs/", "/memsvc/docs", "/memsvc/docs/"])(
  "the link on the API page %s leads to the OpenAPI document",
  async (path) => {
    const store = await openTestCore();
    const app = httpApp({ core: store.core, ports: () => ({ api: 3111, viewer: null }) });
    const address = `http://localhost:3111${path}`;
    const asked = (url: string) => app.request(url, { headers: { host: "localhost:3111" } });
    const page = await (await asked(address)).text();
    const link = /<a href="([^"#]+)">/u.exec(page)?.[1] ?? "";
    const found = await asked(new URL(link, address).href);
    expect(await found.json()).toHaveProperty("openapi");
    await store.close();
  },
);

test("the audit lists each of its operations once", () => {
  expect(new Set(auditOperations.map(String)).size).toBe(auditOperations.length);
});
