import * as z from "zod";
import type { Operation } from "../operation/define.ts";
import { version } from "../version.ts";

/** A page that shows every operation; it holds no script and loads nothing, so it works offline and under any policy. */
export function docsPage(operations: readonly Operation[], prefix: string): string {
  const families = new Set(operations.map(familyOf));
  const sections = [...families].map((family) => {
    const members = operations.filter((operation) => familyOf(operation) === family);
    return `<h2>${escapeHtml(family)}</h2>${members.map((operation) => section(operation, prefix)).join("")}`;
  });
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>memsvc ${version} – HTTP interface</title><style>${style}</style></head>
<body><h1>memsvc ${version}</h1>
<p>Every route below answers JSON. The machine-readable form is <a href="openapi.json">openapi.json</a>.</p>
${sections.join("\n")}
</body></html>`;
}

function familyOf({ id }: Operation): string {
  return id.split(".")[0] ?? id;
}

function section(operation: Operation, prefix: string): string {
  const { http } = operation;
  if (http === undefined) return "";
  return `<details id="${escapeHtml(operation.id)}"><summary><code>${http.method} ${escapeHtml(prefix + http.path)}</code> ${escapeHtml(operation.summary)}</summary>
${operation.description === undefined ? "" : `<p>${escapeHtml(operation.description)}</p>`}
${fieldTable("Request", operation.input, "input")}${fieldTable("Answer", operation.output, "output")}
<p>Errors: ${operation.errors.map(escapeHtml).join(", ") || "none of its own"}</p></details>`;
}

function fieldTable(title: string, schema: z.ZodType, io: "input" | "output"): string {
  const json = z.toJSONSchema(schema, { io, unrepresentable: "any" });
  const fields = Object.entries(json.properties ?? {});
  if (fields.length === 0) return "";
  const rows = fields.map(([name, property]) => {
    const { description = "", type = "" } = typeof property === "object" ? property : {};
    const need = json.required?.includes(name) === true ? " (required)" : "";
    return `<tr><td><code>${escapeHtml(name)}</code></td><td>${escapeHtml(String(type))}${need}</td><td>${escapeHtml(description)}</td></tr>`;
  });
  return `<h3>${title}</h3><table>${rows.join("")}</table>`;
}

function escapeHtml(text: string): string {
  return text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;");
}

const style = `body{font:15px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem;color:#1c1e21}
h1{font-size:1.5rem}h2{font-size:1.1rem;margin:2rem 0 .5rem;text-transform:capitalize}h3{font-size:.9rem;margin:.8rem 0 .2rem}
details{border:1px solid #d8dce2;border-radius:6px;padding:.5rem .8rem;margin:.4rem 0}summary{cursor:pointer}
code{background:#f2f4f7;border-radius:3px;padding:.1rem .3rem}table{border-collapse:collapse;width:100%}
td{border-top:1px solid #e6e9ee;padding:.25rem .5rem;vertical-align:top}
@media(prefers-color-scheme:dark){body{background:#16181c;color:#e4e6ea}code{background:#262a30}details{border-color:#343941}td{border-color:#2b3037}}`;
