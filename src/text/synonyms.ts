import { synonymsByToken } from "./synonyms.generated.ts";
import { tiedTokens } from "./tied-tokens.ts";
import { indexTokens } from "./tokens.ts";

/*
 * Words of one line mean much the same to developers. They are looked for only when a query has found nothing that
 * matches well, because most of them also have other meanings.
 */
const synonyms = `
  abort cancel
  absent lost missing
  access permission privilege
  account user
  addon extension plugin
  alert notification pager
  allow enable permit
  answer reply response
  approve confirm
  argument parameter
  audit review
  backoff retry
  ban block forbid prevent
  basket cart
  batch bulk
  big huge large
  bill invoice
  blank empty
  boot launch start
  breach leak
  break broken fail
  bug defect
  build compile
  bump update upgrade
  buy checkout order purchase
  buyer client customer
  call request
  callback handler listener
  canary rollout
  cap limit quota
  certificate ssl tls
  chart graph plot
  check validate verify
  checksum digest hash
  choice decision
  choose decide pick
  chunk part piece
  cipher encrypt
  cleanup prune purge
  clone copy
  colleague coworker teammate
  color theme
  column field
  combine join merge
  compare diff
  compress gzip zip
  concurrency race
  concurrent parallel
  convention guideline rule
  cookie session
  cost price
  coupon discount voucher
  crash panic segfault
  credential secret
  cron schedule timer
  cut decrease lower reduce shrink
  dashboard report
  deadlock lock mutex
  dedupe duplicate
  delay wait
  delete drop erase remove
  delivery shipping
  deny refuse reject
  dependency library package
  deploy rollout ship
  dialog modal popup
  directory folder
  display render show
  divide separate split
  documentation manual readme
  double duplicate twice
  downtime incident outage
  dump backup snapshot
  email mail
  endpoint route url
  error exception failure fault
  event message
  everyday daily
  expire ttl
  expose leak
  fake mock stub
  fast quick speed
  find lookup search
  fix repair resolve
  flag switch toggle
  flaky intermittent unstable
  freeze hang
  gdpr pii privacy
  grow increase raise
  halt kill shutdown stop terminate
  hang stuck timeout
  heap memory oom ram
  holiday vacation
  hook trigger
  host machine server
  hotfix patch
  i18n localize translate
  id identifier
  image photo picture
  incorrect invalid wrong
  interceptor middleware
  interval period
  inventory stock
  job task
  jwt token
  keep persist save store
  latency slow sluggish
  legacy old outdated stale
  link url
  live production
  log trace
  login logon sign-in signin
  logout sign-out signout
  machine vm
  maintainer owner responsible
  meeting standup
  menu navigation
  mobile phone
  move relocate
  nightly overnight
  oncall pager
  option preference setting
  page pagination paging
  page screen view
  passphrase password
  path route
  performance speed throughput
  postmortem retrospective
  preview staging
  provider supplier vendor
  publish release
  rate-limit throttle
  reboot restart
  record row
  recover restore
  register registration sign-up signup
  renew rotate
  replace swap
  revert rollback undo
  small tiny
  spec test
  subscribe subscription
  thread worker
  typo misspelling`;

/** Index tokens of words that mean much the same as a word, by its token. */
export function synonymsOf(token: string): readonly string[] {
  return synonymsByToken.get(token) ?? [];
}

/** The lines above by index token, for the generated module. */
export function readSynonyms(): Map<string, string[]> {
  return tiedTokens(
    synonyms
      .trim()
      .split("\n")
      .map((line) =>
        line
          .trim()
          .split(" ")
          .flatMap((word) => indexTokens(word).slice(0, 1)),
      )
      .flatMap((tokens) => tokens.flatMap((from) => tokens.map((to): [string, string] => [from, to]))),
  );
}
