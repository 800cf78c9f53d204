import * as z from "zod";
import { openApiDocument } from "../../src/http/openapi.ts";
import { catalogue } from "../../src/operation/catalogue.ts";
import type { Reply } from "./http.ts";

type Described = Readonly<Record<string, unknown>>;

/** Checks real answers against the OpenAPI document. */
export class DescribedAnswers {
  readonly #document: z.core.JSONSchema.BaseSchema & {
    readonly paths: Readonly<Record<string, Record<string, { responses: Record<string, Described> }>>>;
    readonly components: {
      readonly schemas: Record<string, z.core.JSONSchema.BaseSchema>;
      readonly responses: Described;
    };
  };
  readonly #schemas = new Map<string, z.ZodType>();

  constructor() {
    const document = JSON.stringify(openApiDocument(catalogue, "", "memsvc"));
    this.#document = JSON.parse(document.replaceAll("#/components/schemas/", "#/$defs/"));
    // Clients only know an error's fields from the document, so an error must not have others.
    this.#document.components.schemas.Error = {
      ...this.#document.components.schemas.Error,
      additionalProperties: false,
    };
  }

  /** What in an answer differs from the document; nothing when it is as described. */
  faultsOf(method: string, path: string, { status, body }: Pick<Reply, "status" | "body">): unknown {
    const template = Object.keys(this.#document.paths).find(
      (one) => one === path || new RegExp(`^${one.replace(/\{\w+\}/gu, "[^/]+")}$`, "u").test(path),
    );
    const answer = this.#document.paths[template ?? ""]?.[method.toLowerCase()]?.responses[status];
    if (answer === undefined) return `${method} ${path} is not said to answer ${status}`;
    return this.#schemaOf(`${method} ${template} ${status}`, answer).safeParse(body).error?.issues ?? [];
  }

  #schemaOf(key: string, answer: Described): z.ZodType {
    const known = this.#schemas.get(key);
    if (known !== undefined) return known;
    const name = String(answer.$ref).split("/").at(-1) ?? "";
    const { content } = (answer.$ref === undefined ? answer : this.#document.components.responses[name]) as {
      readonly content: Readonly<Record<string, { readonly schema: z.core.JSONSchema.BaseSchema }>>;
    };
    const schema = z.fromJSONSchema({
      ...content["application/json"]?.schema,
      $defs: this.#document.components.schemas,
    });
    this.#schemas.set(key, schema);
    return schema;
  }
}
