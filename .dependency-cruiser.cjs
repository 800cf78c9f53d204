const domain = "^src/(capture|knowledge|recall|graph|coordination|sharing|governance)/";
const faces = "^src/(cli|http|mcp|viewer|client)/";
const ground = "^src/(store|index|jobs|embedding|llm|net|paths|text|json|time|system|config)/";
const core = "^src/(core|open-core)\\.ts$";

/** The direction of imports: faces → operation → domain → ground, never back and never sideways between faces. */
module.exports = {
  forbidden: [
    {
      name: "no-cycles",
      comment:
        "A cycle that exists at run time has no order in which to load; types may refer to each other.",
      severity: "error",
      from: {},
      to: { circular: true, viaOnly: { dependencyTypesNot: ["dynamic-import"] } },
    },
    {
      name: "ground-knows-nothing-above",
      severity: "error",
      from: { path: ground, pathNot: "\\.test\\.ts$|^src/jobs/sweeps\\.ts$" },
      to: { path: `${domain}|${faces}|${core}` },
    },
    {
      name: "domain-knows-no-face",
      severity: "error",
      from: { path: domain, pathNot: "\\.test\\.ts$" },
      to: { path: `${faces}|${core}` },
    },
    {
      name: "faces-do-not-know-each-other",
      comment:
        "The command line starts the daemon and the MCP shim and uses the client; declarations are everybody's; nothing else crosses over.",
      severity: "error",
      from: { path: "^src/(cli|http|mcp|viewer|client)/", pathNot: "\\.test\\.ts$" },
      to: {
        path: "^src/(cli|http|mcp|viewer)/",
        pathNot: ["^src/$1/", "^src/http/daemon-process\\.ts$", "^src/mcp/(?:operations|stdio)\\.ts$"],
      },
    },
    {
      name: "the-page-stands-alone",
      comment: "The viewer runs in a browser: of the rest of the program it knows the types of records.",
      severity: "error",
      from: { path: "^src/viewer/", pathNot: "\\.test\\.ts$" },
      to: { pathNot: "^src/viewer/" },
    },
    {
      name: "tables-belong-to-their-family",
      comment: "A family uses another's service, never its tables.",
      severity: "error",
      from: { path: "^src/([^/]+)/([^/]+)/", pathNot: "\\.test\\.ts$" },
      to: { path: "/tables\\.ts$", pathNot: "^src/$1/($2/|tables\\.ts$)" },
    },
    {
      name: "text-and-index-know-no-records",
      severity: "error",
      from: { path: "^src/(text|index)/", pathNot: "\\.test\\.ts$" },
      to: { path: `${domain}|^src/operation/(?!errors\\.ts$)` },
    },
    {
      name: "only-the-store-knows-the-driver",
      severity: "error",
      from: { path: "^src/", pathNot: "^src/store/|\\.test\\.ts$|^src/index/index-fixture\\.ts$" },
      to: { path: "^(node_modules/)?(libsql|@libsql)" },
    },
    {
      name: "declarations-stay-light",
      comment: "What an operation offers is loaded without SQL, the HTTP server or a model runtime.",
      severity: "error",
      from: { path: "/operations\\.ts$" },
      to: { path: "node_modules/(drizzle-orm|libsql|hono|@hono)", reachable: true },
    },
    {
      name: "not-in-package",
      severity: "error",
      from: { path: "^src/" },
      to: { dependencyTypes: ["npm-no-pkg", "npm-unknown", "unknown"] },
    },
  ],
  options: {
    doNotFollow: { path: "node_modules" },
    // Imports of types are erased; only what is loaded has a direction.
    tsPreCompilationDeps: false,
    tsConfig: { fileName: "tsconfig.json" },
    enhancedResolveOptions: {
      exportsFields: ["exports"],
      conditionNames: ["import", "node", "default", "types"],
    },
  },
};
