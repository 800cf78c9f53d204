import type { Resource, ResourceTemplate } from "@modelcontextprotocol/sdk/types.js";

const mimeType = "application/json";

/** The resources. A URI with a name in braces is a template. */
const resources = [
  {
    uri: "memsvc://status",
    name: "Status",
    description: "How many sessions and memories there are, and whether the service is healthy",
    mimeType,
  },
  {
    uri: "memsvc://project/{name}/profile",
    name: "Profile of a project",
    description: "Concepts, files, conventions and errors of a project; its name percent-encoded",
    mimeType,
  },
  {
    uri: "memsvc://project/{name}/recent",
    name: "Recent sessions of a project",
    description: "The summaries of the five newest sessions of a project that have one",
    mimeType,
  },
  {
    uri: "memsvc://memories/latest",
    name: "Latest memories",
    description: "The ten newest memories, in their latest versions",
    mimeType,
  },
  {
    uri: "memsvc://graph/stats",
    name: "Knowledge graph",
    description: "How many nodes and edges the knowledge graph has, by type and origin",
    mimeType,
  },
  {
    uri: "memsvc://team/{id}/profile",
    name: "Profile of a team",
    description: "How much the team of this service shares",
    mimeType,
  },
] as const satisfies readonly Resource[];

export type ResourceUri = (typeof resources)[number]["uri"];

export function listResources(): readonly Resource[] {
  return resources;
}

export function listResourceTemplates(): ResourceTemplate[] {
  return resources
    .filter(({ uri }) => uri.includes("{"))
    .map(({ uri, ...described }) => ({ uriTemplate: uri, ...described }));
}
