import { OpenAPIHono, type RouteConfig, z } from "@hono/zod-openapi";
import type { HttpBinding, Operation } from "../operation/define.ts";
import { codeHeader, hintHeader } from "../operation/error-headers.ts";
import { type ErrorCode, errorTable } from "../operation/errors.ts";
import { familyOf } from "../operation/family-of.ts";
import type { JsonSchema } from "../operation/text-kinds.ts";
import { version } from "../version.ts";
import { ErrorBody } from "./error-body.ts";
import { NamedSchemas } from "./openapi-schemas.ts";
import { queryOverBody } from "./route-input.ts";

const Success = z.object({ success: z.literal(true).describe("always true") }).meta({ id: "Success" });

type Document = Record<string, unknown>;

/** The OpenAPI 3.1 document of all operations that have a route, and of the viewer's page. */
export function openApiDocument(operations: readonly Operation[], prefix: string, title: string): object {
  const app = new OpenAPIHono();
  const registry = app.openAPIRegistry;
  const schemas = new NamedSchemas();
  const failures = new Failures(schemas);
  for (const operation of operations) {
    if (operation.http === undefined) continue;
    registry.registerPath(routeOf(operation, operation.http, { prefix, schemas, failures }));
  }
  registry.registerPath({
    method: "get",
    path: `${prefix}/viewer`,
    operationId: "viewer",
    summary: "Show the viewer",
    tags: ["viewer"],
    responses: {
      "200": { description: "The page", content: { "text/html": { schema: { type: "string" } } } },
      ...failures.of(commonErrors({ method: "GET" })),
    },
  });
  const components = { schemas: schemas.components, responses: failures.components };
  for (const [kind, named] of Object.entries(components)) {
    for (const [name, component] of Object.entries(named)) {
      registry.registerComponent(kind as keyof typeof components, name, component);
    }
  }
  registry.registerComponent("securitySchemes", "secret", { type: "http", scheme: "bearer" });
  return app.getOpenAPI31Document({
    openapi: "3.1.0",
    info: {
      title,
      version,
      description: `Long-term memory for coding agents. The token is only needed when MEMSVC_SECRET is set. Fields that are not described here are ignored, and null for an optional field counts as absent. The response header ${codeHeader} of an error says of which kind it is; ${hintHeader} says how to fix it, if that is known, percent-encoded.`,
      license: { name: "Apache-2.0", url: "https://www.apache.org/licenses/LICENSE-2.0" },
    },
    servers: [{ url: "/", description: "the service that gave this document" }],
    security: [{ secret: [] }],
  });
}

interface Parts {
  readonly prefix: string;
  readonly schemas: NamedSchemas;
  readonly failures: Failures;
}

function routeOf(operation: Operation, http: HttpBinding, { prefix, schemas, failures }: Parts): RouteConfig {
  const answers = answersOf(operation, http, schemas);
  const { parameters, body } = requestOf(operation, http, schemas);
  const route: Document = {
    method: lowerCase[http.method],
    path: prefix + http.path.replace(/:(\w+)/gu, "{$1}"),
    operationId: operation.id,
    summary: operation.summary,
    ...(operation.description === undefined ? {} : { description: operation.description }),
    tags: [familyOf(operation.id)],
    ...(http.open ? { security: [] } : {}),
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(body === undefined ? {} : { request: { body } }),
    responses: {
      ...answers,
      ...failures.of([...operation.errors, ...commonErrors(http)], answers),
    },
  };
  // The schemas are JSON Schema 2020-12, as OpenAPI 3.1 takes them; the library passes them on but has no type for
  // them.
  return route as unknown as RouteConfig;
}

const lowerCase = { GET: "get", POST: "post", DELETE: "delete" } as const;

function requestOf(
  { input, runOnMessage }: Operation,
  http: HttpBinding,
  schemas: NamedSchemas,
): { readonly parameters: Document[]; readonly body: Document | undefined } {
  const { method, path } = http;
  const body = schemas.add(input, "input");
  const inPath = [...path.matchAll(/:(\w+)/gu)].map(([, name = ""]) => name);
  const fields = Object.entries(body.properties ?? {});
  const overBody = queryOverBody(http, body.required);
  const inQuery = fields.filter(([name]) =>
    method === "POST" ? overBody.includes(name) : !inPath.includes(name),
  );
  const parameters = [
    ...fields.filter(([name]) => inPath.includes(name)).map((field) => parameter(field, "path", true)),
    ...inQuery.map((field) =>
      parameter(field, "query", method === "GET" && body.required?.includes(field[0]) === true),
    ),
  ];
  if (method === "GET") return { parameters, body: undefined };
  return { parameters, body: requestBody(runOnMessage === undefined ? body : oneOrSeveral(body), method) };
}

/** The body is never required for DELETE, whose fields may be in the query instead. */
function requestBody(schema: JsonSchema, method: "POST" | "DELETE"): Document {
  const isNeeded = (schema.required ?? []).length > 0;
  return { required: method === "POST" && isNeeded, content: { "application/json": { schema } } };
}

function parameter(
  [name, schema]: readonly [string, z.core.JSONSchema._JSONSchema],
  where: "path" | "query",
  required: boolean,
): Document {
  const description = typeof schema === "object" ? schema.description : undefined;
  const isList = JSON.stringify(schema).includes('"array"');
  return {
    name,
    in: where,
    required,
    ...(description === undefined ? {} : { description }),
    schema,
    ...(isList ? { style: "form", explode: false } : {}),
  };
}

function answersOf(operation: Operation, http: HttpBinding, schemas: NamedSchemas): Document {
  const { otherwise } = http;
  if (operation.runOnMessage !== undefined) return messageAnswers(operation, schemas);
  const usual = { [http.success]: answer(operation, usualOutput(operation, http), schemas) };
  if (otherwise === undefined) return usual;
  const other = otherwise.output ?? operation.output;
  // A "found nothing" answer with an error status shares that status with error bodies.
  const found = otherwise.status < 400 ? other : z.union([other, ErrorBody]);
  return { ...usual, [otherwise.status]: answer(operation, found, schemas) };
}

/** The answers of a route with its own protocol (MCP), whose failures are messages of that protocol. */
function messageAnswers({ summary, output }: Operation, schemas: NamedSchemas): Document {
  const message = schemas.add(output, "output");
  const described = (description: string, schema: JsonSchema) => ({
    description,
    content: { "application/json": { schema } },
  });
  return {
    "200": described(summary, oneOrSeveral(message)),
    "202": { description: "Nothing was asked" },
    "400": described("No message that is understood", message),
  };
}

function oneOrSeveral(schema: JsonSchema): JsonSchema {
  return { anyOf: [schema, { type: "array", items: schema, minItems: 1 }] };
}

/** The output schema without the variant that has another status. */
function usualOutput({ output }: Operation, { otherwise }: HttpBinding): z.ZodType {
  if (otherwise?.output === undefined || !(output instanceof z.ZodUnion)) return output;
  const usual = (output.options as z.ZodType[]).filter((option) => option !== otherwise.output);
  const [only] = usual;
  return usual.length === 1 && only !== undefined ? only : z.union(usual);
}

function answer(operation: Operation, output: z.ZodType, schemas: NamedSchemas): Document {
  const own = schemas.add(output, "output");
  const mark = successOf(operation);
  const schema = mark === undefined ? own : { allOf: [schemas.add(mark, "output"), own] };
  return { description: operation.summary, content: { "application/json": { schema } } };
}

/** The `success` field of answers: none where all answers are bare, optional where only some are. */
function successOf({ bare }: Operation): z.ZodType | undefined {
  if (bare === undefined) return Success;
  return bare.when === undefined ? undefined : Success.partial();
}

/** The error answers; each set of error codes is written once, under the document's components. */
class Failures {
  readonly components: Record<string, Document> = {};
  readonly #schema: JsonSchema;

  constructor(schemas: NamedSchemas) {
    this.#schema = schemas.add(ErrorBody, "output");
  }

  /** The error answers by status, leaving out statuses that are described already. */
  of(given: readonly ErrorCode[], described: Document = {}): Document {
    const codes = [...new Set(given)].sort();
    const statuses = new Set(codes.map((code) => errorTable[code].status));
    const found = [...statuses]
      .filter((status) => !(status in described))
      .map((status) => {
        const ofStatus = codes.filter((code) => errorTable[code].status === status);
        const name = ofStatus.join("_or_");
        this.components[name] ??= failure(ofStatus, this.#schema);
        return [status, { $ref: `#/components/responses/${name}` }];
      });
    return Object.fromEntries(found);
  }
}

/** Error codes that any request may get, whatever it asks for. */
function commonErrors({ method, open }: Pick<HttpBinding, "method" | "open">): ErrorCode[] {
  return [
    "forbidden",
    "internal",
    // A database server limits the size of a result, so a long list may fail with too_large.
    ...(open ? [] : (["unauthorized", "unavailable", "too_large"] as const)),
    ...(method === "GET" ? [] : (["invalid_input", "unsupported_media_type"] as const)),
  ];
}

function failure(codes: readonly ErrorCode[], schema: JsonSchema): Document {
  return {
    description: codes.join(", "),
    headers: {
      [codeHeader]: { description: "the kind of error", schema: { type: "string" } },
      [hintHeader]: { description: "how to fix the error, percent-encoded", schema: { type: "string" } },
      ...(codes.includes("unavailable")
        ? { "Retry-After": { description: "seconds to wait", schema: { type: "integer" } } }
        : {}),
    },
    content: { "application/json": { schema } },
  };
}
