import { createRoute, OpenAPIHono, z } from "@hono/zod-openapi";
import type { Operation } from "../operation/define.ts";
import { errorTable } from "../operation/errors.ts";
import { hintHeader } from "../operation/hint-header.ts";
import { version } from "../version.ts";

const ErrorBody = z
  .object({
    error: z.string().describe("what was wrong, and what would be right"),
    issues: z
      .array(
        z.object({
          path: z.string().describe("dotted path of the field, empty for the body itself"),
          message: z.string().describe("what was wrong with it"),
        }),
      )
      .optional()
      .describe("each fault of the input, at most 50"),
  })
  .meta({ id: "Error" });

const Success = z.object({ success: z.literal(true).describe("always true") });

/** The OpenAPI 3.1 document of all operations that have a route. */
export function openApiDocument(operations: readonly Operation[], prefix: string, title: string): object {
  const app = new OpenAPIHono();
  for (const operation of operations) describeOperation(app, operation, prefix);
  app.openAPIRegistry.registerComponent("securitySchemes", "secret", { type: "http", scheme: "bearer" });
  return app.getOpenAPI31Document({
    openapi: "3.1.0",
    info: {
      title,
      version,
      description: `Long-term memory for coding agents. The token is only needed when MEMSVC_SECRET is set. Where a way out of an error is known, the answer's header ${hintHeader} tells it, percent-encoded.`,
      license: { name: "Apache-2.0" },
    },
    security: [{ secret: [] }],
  });
}

function describeOperation(app: OpenAPIHono, operation: Operation, prefix: string): void {
  const { http } = operation;
  if (http === undefined) return;
  const statuses = [...new Set(operation.errors.map((code) => errorTable[code].status))];
  const failures = statuses.map((status) => [
    status,
    { description: codesOf(operation, status), content: { "application/json": { schema: ErrorBody } } },
  ]);
  app.openAPIRegistry.registerPath(
    createRoute({
      method: lowerCase[http.method],
      path: `${prefix}${http.path.replace(/:(\w+)/gu, "{$1}")}`,
      operationId: operation.id,
      summary: operation.summary,
      ...(operation.description === undefined ? {} : { description: operation.description }),
      tags: [operation.id.split(".")[0] ?? operation.id],
      ...(http.open ? { security: [] } : {}),
      request: requestOf(operation),
      responses: {
        [http.success]: {
          description: operation.summary,
          content: {
            "application/json": {
              schema: operation.bare === true ? operation.output : z.intersection(Success, operation.output),
            },
          },
        },
        ...Object.fromEntries(failures),
      },
    }),
  );
}

const lowerCase = { GET: "get", POST: "post", DELETE: "delete" } as const;

function codesOf(operation: Operation, status: number): string {
  return operation.errors.filter((code) => errorTable[code].status === status).join(", ");
}

function requestOf(operation: Operation): NonNullable<Parameters<typeof createRoute>[0]["request"]> {
  const { http, input } = operation;
  if (http === undefined || !(input instanceof z.ZodObject) || http.method === "POST") {
    return { body: { required: true, content: { "application/json": { schema: input } } } };
  }
  const inPath = [...http.path.matchAll(/:(\w+)/gu)].map(([, name]) => name ?? "");
  const shape = Object.entries(input.shape);
  const pick = (wanted: boolean) =>
    z.object(Object.fromEntries(shape.filter(([name]) => inPath.includes(name) === wanted)));
  const params = inPath.length === 0 ? {} : { params: pick(true) };
  if (http.method === "GET") return { query: pick(false), ...params };
  return { body: { required: true, content: { "application/json": { schema: pick(false) } } }, ...params };
}
