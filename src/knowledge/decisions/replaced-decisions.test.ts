import { expect, test } from "vitest";
import { processorTimer } from "../../../test/support/processor-time.ts";
import { standing } from "./replaced-decisions.ts";

const isReplaced = (earlier: string, later: string): boolean =>
  standing([{ text: earlier, at: 1, place: 0 }], [{ text: later, at: 2, place: 0 }]).length === 0;

test.each([
  ["We decided to keep sessions in Redis.", "Sessions are kept in Postgres instead of Redis."],
  ["Use Redis for sessions, because it expires keys.", "Switch from Redis to Postgres for sessions."],
  ["Sessions are kept in Redis.", "We decided to switch from Redis to Postgres."],
  ["We'll use express for the API.", "The API no longer uses express, it is served by fastify."],
  ["Let's use Moment.js for dates.", "We replaced Moment.js with date-fns."],
  ["Use tabs for indentation.", "From now on, indentation is two spaces rather than tabs."],
  ["We chose MongoDB for orders.", "MongoDB is out: orders go to SQLite."],
  ["Use npm.", "Use pnpm instead of npm."],
  ["Use Redis for sessions.", "Move sessions from Redis to Postgres."],
  ["Use Redis for sessions.", "Use Postgres instead of Redis for sessions."],
  ["Use winston for logging.", "We decided to use pino instead of winston for logging."],
  ["The cart lives in localStorage.", "The cart is kept on the server instead of localStorage."],
  ["Deploy from main.", "Deploy from tags instead of main."],
  ["Background jobs: go with Celery and a broker.", "Replace Celery with arq."],
  ["Use YAML instead of TOML for the config.", "Back to TOML: use TOML instead of YAML for the config."],
  ["Wir haben uns für Yjs entschieden, also CRDTs.", "Yjs kommt wieder raus."],
  ["Wir nehmen Celery.", "Wir nehmen arq statt Celery."],
  ["Wir bleiben bei Jest.", "Wir wechseln von Jest zu Vitest."],
  ["Sessions liegen auf Redis.", "Sessions liegen in Postgres statt in Redis."],
  ["Ab jetzt nehmen wir Moment.js.", "Wir verwenden Moment.js nicht mehr."],
  ["On va utiliser Celery.", "Utilise arq au lieu de Celery."],
  ["Vamos a usar Celery.", "Usa arq en lugar de Celery."],
  ["Vamos a usar Celery.", "Ya no usamos Celery."],
  ["Wir nehmen Elasticsearch.", "Wir nehmen Meilisearch statt Elasticsearch."],
  ["Vamos usar Celery.", "Usamos arq em vez de Celery."],
  ["Vamos usar Celery.", "Não usamos mais o Celery."],
  ["Usiamo Celery.", "Usiamo arq invece di Celery."],
  ["Usiamo Celery.", "Non usiamo più Celery."],
  ["Используем Redis.", "Используем Postgres вместо Redis."],
  ["Храним сессии в Redis.", "Храним сессии в Postgres вместо Redis."],
  ["Решили использовать Moment.js.", "Больше не используем Moment.js."],
  ["Используем Jest.", "Переходим с Jest на Vitest."],
  ["Беремо Redis.", "Замість Redis беремо Postgres."],
  ["Використовуємо Jest.", "Більше не використовуємо Jest."],
  ["我们用Redis。", "我们不再使用Redis。"],
  ["我们决定采用Celery。", "用arq代替Celery。"],
  ["使用 Jest。", "使用 Vitest，而不是 Jest。"],
  ["Use Redis for locks.", "Use non-blocking locks in Postgres instead of Redis."],
  [
    "We decided to use pg-boss for mails, because Postgres is there and no other server is needed.",
    "Use BullMQ on Redis 7 for mails instead of pg-boss: it could not keep up during the sale.",
  ],
  ["Use Redis for sessions, since it never loses them.", "Use Postgres for sessions instead of Redis."],
  ["Wir nehmen Celery, weil es keinen Broker braucht.", "Wir nehmen arq statt Celery."],
  [
    "Wir nehmen Liquibase 4.27 für die Migrationen.",
    "Wir nehmen Flyway statt Liquibase für die Migrationen.",
  ],
  ["Redisを使います。", "Redisの代わりにPostgresを使う。"],
  ["Jestを採用します。", "JestからVitestに移行します。"],
])("%j is replaced by %j", (earlier, later) => {
  expect(isReplaced(earlier, later)).toBe(true);
  expect(isReplaced(later, earlier)).toBe(false);
});

test.each([
  ["Keep a list of orders in memory.", "Prices are a table instead of a list."],
  ["Use Redis for sessions.", "Images are cached on disk instead of Redis."],
  ["Sessions are kept in Postgres instead of Redis.", "Use Postgres instead of Redis for sessions."],
  ["Use Redis for sessions.", "Should we switch from Redis to Postgres for sessions?"],
  ["Use Redis for sessions.", "We could switch sessions from Redis to Postgres later."],
  ["Never use Redis for sessions.", "Sessions are kept in Postgres instead of Redis."],
  ["Use Postgres for sessions.", "Never use Redis instead of Postgres for sessions."],
  ["Use Redis for sessions. They end after an hour.", "Sessions are kept in Postgres instead of Redis."],
  ["Orders must be sorted by date.", "Orders must be sorted by number."],
  ["Use two spaces for indentation.", "The old style is gone, indentation is two spaces."],
  ["Use Redis for the job queue.", "Sessions are kept in Postgres instead of Redis."],
  ["Use Redis for the job queue.", "Move sessions from Redis to Postgres."],
  ["Use Redis for the job queue.", "Keep sessions in Postgres instead of Redis."],
  ["Use Redis for the job queue.", "Use Postgres instead of Redis for sessions."],
  ["Redis caches sessions and the rate limit.", "The rate limit is in memory instead of Redis."],
  ["Use TypeScript for the API.", "Scripts are written in Bash instead of TypeScript."],
  ["Use Docker for local development.", "CI no longer uses Docker."],
  ["Use Redis for sessions.", "Use Postgres for sessions instead of Redis; only if it is fast enough."],
  ["Do not use Redis for sessions, because it forgets.", "Use Postgres for sessions instead of Redis."],
  ["Use HTTP for health checks.", "Use HTTP 2 for uploads instead of HTTP."],
  ["Use SQLite.", "Tests use a store in memory instead of SQLite."],
  ["Use SQLite.", "Use a fake for tests instead of SQLite."],
  ["Sessions are kept in Redis.", "Sessions are kept in memory instead of Redis in tests."],
  ["Use Tailwind.", "For emails, use inline styles instead of Tailwind."],
  ["Use Tailwind.", "Emails: inline styles instead of Tailwind."],
  ["Use YAML instead of TOML for the config.", "Tests: use TOML instead of YAML for the config."],
  ["Log to stdout.", "Access logs go to files rather than stdout."],
  ["Keep prices in cents.", "Prices are shown in euros instead of cents."],
  ["Wir nehmen SMTP.", "Für Rechnungen nehmen wir SES statt SMTP."],
  ["Kein Redis für Sessions.", "Sessions liegen in Postgres statt Redis."],
  ["Wir nehmen MapLibre statt Google Maps.", "Wir nehmen Vitest statt Jest."],
  ["Webhooks laufen über GraphQL.", "Mails laufen über REST statt GraphQL."],
  ["Wir nehmen Redis.", "Redis 8 ist raus."],
  ["Vamos usar SMTP.", "Para as faturas usamos SES em vez de SMTP."],
  ["Não usamos Redis.", "Usamos Postgres em vez de Redis."],
  ["Берём SMTP.", "Для счетов берём SES вместо SMTP."],
  ["Не используем Redis.", "Используем Postgres вместо Redis."],
  ["Используем Redis.", "Используем Postgres вместо Redis?"],
  ["Используем Redis для очереди.", "Храним сессии в Postgres вместо Redis."],
  ["不要使用Redis。", "用Postgres代替Redis。"],
  ["我们用Redis。", "会话用Postgres代替Redis。"],
  ["Redisを使います。", "セッションはRedisの代わりにPostgresを使う。"],
])("%j is not replaced by %j", (earlier, later) => {
  expect(isReplaced(earlier, later)).toBe(false);
});

test.each(["Redis ", "вместо ", "ニキ", "Redisから", "non usiamo più "])(
  "reads 64 KiB of %j in linear time",
  (unit) => {
    const spent = processorTimer();
    isReplaced("Используем Redis.", `Больше не ${unit.repeat(65_536 / unit.length)}`);
    expect(spent()).toBeLessThan(1_000);
  },
);
