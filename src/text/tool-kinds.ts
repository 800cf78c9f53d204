import { tiedTokens } from "./tied-tokens.ts";
import { indexTokens } from "./tokens.ts";
import { namesByKind } from "./tool-kinds.generated.ts";

/*
 * Who asks which database is used finds the note that only says Postgres. Each line: words for a kind of tool, of up to
 * three words each, and after the colon names of that kind. Names that usually mean something else (Go, Chroma, Render)
 * are left out.
 */
const kinds = `
  accessibility checker, a11y checker: axe pa11y lighthouse
  alerting, on-call: pagerduty opsgenie alertmanager
  analytics: posthog mixpanel amplitude matomo plausible
  api gateway: kong tyk apigee
  api style, api protocol, rpc: graphql grpc rest soap trpc openapi
  auth provider, identity provider, sso, single sign-on: auth0 okta keycloak cognito saml oidc
  authentication library: devise passport nextauth
  authorization library: pundit cancancan casl casbin
  background job, job queue, queue, task queue: bullmq celery sidekiq resque
  branching model: gitflow trunk-based
  browser automation, browser test, end-to-end test, e2e: playwright cypress selenium puppeteer detox
  browser: chrome chromium firefox safari webkit
  build system, build tool: webpack vite rollup esbuild tsup gradle maven bazel cmake ninja turborepo
  bundler: webpack vite rollup esbuild rolldown parcel turbopack tsdown tsup swc
  business intelligence, bi tool: metabase looker tableau superset powerbi
  cache, caching: redis memcached valkey varnish
  cdn: cloudfront cloudflare fastly akamai
  chart library, charting: d3 recharts echarts highcharts plotly
  chat: slack discord mattermost
  ci, continuous integration: github-actions circleci jenkins gitlab buildkite teamcity travis codemagic bitrise
  cloud, cloud provider, hosting, hoster: aws azure gcp heroku vercel netlify cloudflare digitalocean hetzner
  cluster, orchestration, orchestrator: kubernetes k8s k3s eks gke aks nomad ecs
  component library, ui library, ui framework: react vue svelte angular preact solidjs shadcn radix chakra
  connection pool, connection pooler: pgbouncer hikaricp
  container registry, image registry: ecr ghcr harbor
  container: docker podman containerd kubernetes
  crash reporting, error tracking: sentry rollbar bugsnag crashlytics
  credential store, secret manager, secret store: vault doppler sops
  css framework, styling: tailwind bootstrap sass scss styled-components
  dashboard: grafana metabase looker superset
  data access, query builder: sqlc pgx gorm jooq knex kysely
  data warehouse, warehouse: bigquery snowflake redshift clickhouse databricks
  database, datastore, db: duckdb clickhouse libsql turso neo4j supabase firestore bigquery redshift mssql
  database, datastore, db: postgres postgresql mysql mariadb sqlite mongodb dynamodb cassandra cockroachdb
  dataframe: pandas polars
  dependency injection, di framework: inversify guice dagger
  design tool: figma sketch
  dns, dns provider: cloudflare route53
  editor, ide: vscode vim neovim emacs intellij webstorm pycharm xcode
  email provider, email service, mail provider, transactional email: sendgrid mailgun postmark mailchimp
  feature flag, feature toggle: launchdarkly unleash flagsmith
  file format: parquet avro orc csv
  formatter: prettier biome gofmt rustfmt ruff autopep8 dprint
  framework, frontend framework: react vue svelte angular nextjs nuxt remix sveltekit
  framework, web framework: express fastify hono koa nestjs django flask fastapi rails laravel axum phoenix
  git hook: husky lefthook pre-commit
  hash algorithm, hash function, password hashing: bcrypt argon2 scrypt
  http client: axios undici httpx okhttp
  id format, identifier: uuid ulid nanoid cuid
  infrastructure as code, iac, provisioning: terraform pulumi cloudformation ansible opentofu
  issue tracker, ticket system: jira linear youtrack
  language, programming language: typescript javascript python rust golang java kotlin swift ruby php scala
  license: mit apache gpl agpl bsd
  linter, linting, static analysis: eslint biome oxlint ruff flake8 pylint clippy rubocop stylelint golangci-lint
  llm, model provider: openai anthropic gemini ollama mistral claude
  load balancer, proxy, reverse proxy, web server: nginx caddy traefik haproxy envoy apache
  load test: k6 locust jmeter gatling
  log aggregation, logging, logger: pino winston zerolog log4j logback loki kibana fluentd structlog
  machine learning, ml: pytorch tensorflow scikit-learn lightgbm xgboost
  map library: mapbox leaflet maplibre openlayers
  message broker, message bus, event bus, queue: rabbitmq kafka sqs nats pubsub activemq kinesis redpanda
  metrics, monitoring, observability: prometheus grafana datadog newrelic opentelemetry cloudwatch sentry
  mobile framework: flutter react-native expo swiftui
  mobile test, device test: appium detox maestro
  monorepo tool: turborepo nx lerna
  object storage, file storage, blob storage: s3 r2 minio gcs
  operating system, os: linux windows macos ubuntu debian alpine android ios
  orm: prisma drizzle sequelize typeorm hibernate sqlalchemy knex mongoose kysely activerecord gorm
  package manager: npm pnpm yarn bun pip poetry uv conda cargo maven gradle composer bundler nuget homebrew
  payment, payment provider: stripe paypal adyen braintree paddle klarna
  push notification, notification service: fcm apns onesignal firebase twilio
  routing engine: osrm valhalla graphhopper
  runtime: nodejs bun deno jvm
  schema validation, validation library: zod yup joi valibot ajv pydantic
  search engine, search index: elasticsearch opensearch meilisearch typesense algolia solr lucene
  serialization: protobuf avro msgpack json
  service mesh: istio linkerd envoy
  shell: bash zsh powershell
  sms, sms provider: twilio vonage
  state management: redux zustand mobx pinia vuex jotai riverpod
  static site generator: hugo jekyll astro eleventy docusaurus
  template engine, templating: handlebars jinja mustache liquid ejs
  test framework, test library, test runner: vitest jest mocha jasmine pytest unittest junit rspec minitest
  tracing: jaeger opentelemetry zipkin honeycomb
  type checker: mypy pyright tsc
  vector database, vector store: pgvector pinecone qdrant weaviate milvus faiss
  version control, vcs: git mercurial subversion
  version manager: nvm asdf mise volta pyenv
  vulnerability scanner, security scanner: trivy snyk grype dependabot
  wiki: confluence notion mediawiki
  workflow engine, workflow orchestrator, scheduler: airflow dagster prefect temporal cron
  datenbank: postgres postgresql mysql mariadb sqlite mongodb
  paketmanager: npm pnpm yarn pip poetry cargo
  programmiersprache: typescript javascript python rust golang java kotlin
  warteschlange: rabbitmq kafka sqs nats
  zahlungsanbieter: stripe paypal adyen klarna`;

const mostWords = 3;

/** Names of tools of the kinds that a query mentions, by each token that is part of the mention. */
export function toolNames(sequence: readonly string[]): Map<string, readonly string[]> {
  const found = new Map<string, readonly string[]>();
  for (const at of sequence.keys()) {
    for (let end = at + 1; end <= Math.min(at + mostWords, sequence.length); end += 1) {
      const kind = sequence.slice(at, end);
      const names = namesByKind.get(kind.join(" "));
      if (names === undefined) continue;
      for (const token of kind) found.set(token, [...(found.get(token) ?? []), ...names]);
    }
  }
  return found;
}

/** The lines above by index token, for the generated module. */
export function readToolKinds(): Map<string, string[]> {
  return tiedTokens(
    kinds
      .trim()
      .split("\n")
      .flatMap((line) => {
        const [words = "", names = ""] = line.split(":");
        return words
          .split(",")
          .map((word) => indexTokens(word).join(" "))
          .flatMap((kind) =>
            names
              .trim()
              .split(" ")
              .map((name): [string, string] => [kind, indexTokens(name)[0] ?? ""]),
          );
      }),
  );
}
