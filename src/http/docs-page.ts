import type * as z from "zod";
import type { Operation } from "../operation/define.ts";
import { familyOf } from "../operation/family-of.ts";
import type { JsonSchema } from "../operation/text-kinds.ts";
import { version } from "../version.ts";
import { NamedSchemas } from "./openapi-schemas.ts";

const documentLink = 'href="openapi.json"';

/**
 * A page with every operation. It has no script and loads nothing, so it works offline and under any content policy.
 */
export function docsPage(operations: readonly Operation[], prefix: string): string {
  const schemas = new NamedSchemas();
  const families = new Set(operations.map(({ id }) => familyOf(id)));
  const sections = [...families].map((family) => {
    const members = operations.filter(({ id }) => familyOf(id) === family);
    return `<h2>${escapeHtml(family)}</h2>${members.map((operation) => section(operation, prefix, schemas)).join("")}`;
  });
  const records = Object.entries(schemas.components).map(
    ([name, schema]) =>
      `<details id="${escapeHtml(name)}"><summary>${escapeHtml(name)}</summary>${fieldTable("", schema)}</details>`,
  );
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>memsvc ${version} – HTTP interface</title><style>${style}</style></head>
<body><h1>memsvc ${version}</h1>
<p>Every route below answers JSON. The machine-readable form is <a ${documentLink}>openapi.json</a>.</p>
${sections.join("\n")}
<h2>Records</h2>${records.join("\n")}
</body></html>`;
}

/** The page under a path with a trailing slash, from which links start one level deeper. */
export function docsPageBelowSlash(page: string): string {
  return page.replace(documentLink, 'href="../openapi.json"');
}

function section(operation: Operation, prefix: string, schemas: NamedSchemas): string {
  const { http } = operation;
  if (http === undefined) return "";
  return `<details id="${escapeHtml(operation.id)}"><summary><code>${http.method} ${escapeHtml(prefix + http.path)}</code> ${escapeHtml(operation.summary)}</summary>
${operation.description === undefined ? "" : `<p>${escapeHtml(operation.description)}</p>`}
${fieldTable("Request", schemas.add(operation.input, "input"))}${fieldTable("Answer", schemas.add(operation.output, "output"))}
<p>Errors: ${operation.errors.map(escapeHtml).join(", ") || "none of its own"}</p></details>`;
}

/** A table of an object's fields; for a union, one table for each variant. */
function fieldTable(title: string, schema: JsonSchema): string {
  const heading = title === "" ? "" : `<h3>${title}</h3>`;
  const forms = formsOf(schema);
  if (forms.length > 1) return heading + forms.map((form) => fieldTable("", form)).join("<p>or</p>");
  if (schema.$ref !== undefined) return `${heading}<p>${typeOf(schema)}</p>`;
  const fields = Object.entries(schema.properties ?? {});
  if (fields.length === 0) return "";
  const rows = fields.map(([name, property]) => {
    const { description = "", default: byDefault } = typeof property === "object" ? property : {};
    const need = schema.required?.includes(name) === true ? " (required)" : "";
    const otherwise = byDefault === undefined ? "" : ` (default ${JSON.stringify(byDefault)})`;
    return `<tr><td><code>${escapeHtml(name)}</code></td><td>${typeOf(property)}${need}</td><td>${escapeHtml(description + otherwise)}</td></tr>`;
  });
  return `${heading}<table>${rows.join("")}</table>`;
}

function formsOf({ anyOf, oneOf }: JsonSchema): JsonSchema[] {
  return (anyOf ?? oneOf ?? []).filter((form) => typeof form === "object");
}

/** A type as HTML, with a link to the record's schema where it has a name. */
function typeOf(schema: z.core.JSONSchema._JSONSchema): string {
  if (typeof schema === "boolean") return "anything";
  const { $ref, type = "anything", items } = schema;
  const forms = formsOf(schema);
  if (forms.length > 0) return forms.map(typeOf).join(" or ");
  if (type === "array" && typeof items === "object" && !Array.isArray(items)) return `${typeOf(items)}[]`;
  const name = $ref?.split("/").at(-1);
  return name === undefined
    ? escapeHtml(String(type))
    : `<a href="#${escapeHtml(name)}">${escapeHtml(name)}</a>`;
}

function escapeHtml(text: string): string {
  return text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;");
}

const style = `:root{color-scheme:light dark}body{overflow-wrap:anywhere;font:15px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem;color:#1c1e21}
h1{font-size:1.5rem}h2{font-size:1.1rem;margin:2rem 0 .5rem;text-transform:capitalize}h3{font-size:.9rem;margin:.8rem 0 .2rem}
details{border:1px solid #d8dce2;border-radius:6px;padding:.5rem .8rem;margin:.4rem 0}summary{cursor:pointer}
code{background:#f2f4f7;border-radius:3px;padding:.1rem .3rem}table{border-collapse:collapse;width:100%}
tr{border-top:1px solid #e6e9ee}td{padding:.25rem .5rem;vertical-align:top;overflow-wrap:break-word}
@media(max-width:40rem){tr,td{display:block}td{padding:.1rem .5rem;overflow-wrap:anywhere}}
@media(prefers-color-scheme:dark){body{background:#16181c;color:#e4e6ea}code{background:#262a30}details{border-color:#343941}tr{border-color:#2b3037}}`;
