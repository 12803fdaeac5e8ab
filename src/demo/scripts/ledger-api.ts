import { agent, bash, compact, edit, fails, grep, on, queued, read, rename, rest, say, session } from '../script.ts'
import { shell, think, together, unread, user, write, type Session } from '../script.ts'

const NO_POSTGRES = [
  'Error: connect ECONNREFUSED 127.0.0.1:5432',
  '    at TCPConnectWrap.afterConnect [as oncomplete] (node:net:1611:16)',
].join('\n')

export const ledgerApi = (): readonly Session[] => [
  session('rounding', on('fix/rounding', 3, '09:12', 'large'), 'Find the missing cent in invoice totals', [
    user(`
      Invoice 2093 shows 35.10 but the card was charged 35.11. One item, 29.50 plus 19% VAT. Where does the cent go?`),
    grep('Math\\.round|toFixed', 'src/money.ts:3:  return Math.round(net * (1 + rate) * 100) / 100'),
    read('src/money.ts', 'function gross(net, rate) {\n  return Math.round(net * (1 + rate) * 100) / 100\n}'),
    say('The invoice rounds a float: 29.50 × 1.19 is 35.10499… as a double, which rounds down. First a test for it.'),
    write('src/money.test.ts', "test('half a cent is rounded up', () => expect(gross(29.5, 0.19)).toBe(35.11))"),
    shell(`
      $ npm test -- src/money.test.ts
      FAIL  src/money.test.ts > half a cent is rounded up
      AssertionError: expected 35.1 to be 35.11
      [1]`),
    edit(
      'src/money.ts',
      'Math.round(net * (1 + rate) * 100) / 100',
      'Math.floor((cents * (10_000 + basisPoints) + 5_000) / 10_000)',
    ),
    edit('src/money.test.ts', 'gross(29.5, 0.19)).toBe(35.11)', 'gross(2950, 1900)).toBe(3511)'),
    bash('npm test', 'Test Files  31 passed (31)\n     Tests  214 passed (214)'),
    user('good. any other place that still does money in floats?'),
    grep('parseFloat', 'src/import/csv.ts:41:  const cents = parseFloat(cell) * 100'),
    edit('src/import/csv.ts', 'parseFloat(cell) * 100', 'centsFromText(cell)'),
    bash('npm test', 'Test Files  31 passed (31)\n     Tests  216 passed (216)'),
    bash('git status --short', ' M src/import/csv.ts\n M src/money.ts\n?? src/money.test.ts'),
    bash('git add -A && git commit -qm "money: integer cents everywhere"'),
    say('One more, the CSV import. Amounts are integer cents and rates basis points now: no float touches money.'),
  ]),

  session('flaky-webhook', on('fix/flaky-webhook', 11, '13:40'), 'Stop the webhook retry test from flaking', [
    user(`
      webhook.retry.test.ts fails in CI about once in ten runs and never on my machine. Fix the cause, do not just
      raise the timeout.`),
    together(
      agent(
        'Find every place under src/webhooks that reads the clock or sets a timer. Change nothing.',
        [grep('Date\\.now|setTimeout', 'retry.ts:18: setTimeout(send, backoff(n))\nbackoff.ts:7: jitter(Date.now())')],
        'Two: retry.ts:18 schedules with setTimeout, backoff.ts:7 takes its jitter from Date.now().',
      ),
      bash('git log --oneline -2 -- src/webhooks', '9c1f2aa webhooks: add jitter\n5d20b7e webhooks: retry five times'),
    ),
    fails('npm test -- webhook.retry', NO_POSTGRES),
    say('Postgres is not running here. Starting it.'),
    bash('docker compose up -d db', ' ✔ Container ledger-api-db-1  Started'),
    shell(`
      $ for i in $(seq 30); do npm test -- webhook.retry || exit 1; done
      FAIL  src/webhooks/webhook.retry.test.ts > gives up after five attempts
      AssertionError: expected 4 to be 5
      [1]`),
    think('Jitter can push the fifth attempt past the 2 s the test waits. The test must own the clock.'),
    unread('src/webhooks/webhook.retry.test.ts', 'await sleep(2000)', 'await vi.advanceTimersByTimeAsync(60_000)'),
    read('src/webhooks/webhook.retry.test.ts', 'await deliver(event)\nawait sleep(2000)\nexpect(attempts).toBe(5)'),
    edit('src/webhooks/webhook.retry.test.ts', 'await sleep(2000)', 'await vi.advanceTimersByTimeAsync(60_000)'),
    bash('for i in $(seq 30); do npm test -- webhook.retry || exit 1; done', 'Tests  4 passed (4)'),
    bash('git status --short', ' M src/webhooks/webhook.retry.test.ts'),
    say(`
      The jitter of 9c1f2aa sometimes put the fifth attempt after the two seconds the test slept. It now uses fake
      timers: thirty runs, all green, 40 ms each.`),
  ]),

  session('migration-lock', on('main', 7, '15:05', 'large'), 'Migration 0042 locked the payments table', [
    user(`
      Staging hangs since the deploy. Every request that writes to payments times out. Migration 0042 is still running,
      what is it doing?`),
    shell(`
      $ psql $STAGING -c "select pid, wait_event_type w, left(query, 44) from pg_stat_activity where state = 'active'"
        pid  |  w   | left
       30112 | IO   | create index payments_customer_idx on paymen
       30140 | Lock | insert into payments (id, customer_id, amoun
       30141 | Lock | insert into payments (id, customer_id, amoun`),
    think('A plain create index takes a SHARE lock: reads go on, writes wait until it is done. 48 million rows.'),
    say(`
      0042 builds an index without CONCURRENTLY. It holds a SHARE lock on payments, so every insert queues behind it.
      Cancelling is safe: the migration rolls back as a whole.`),
    user('do it'),
    bash('psql $STAGING -c "select pg_cancel_backend(30112)"', ' pg_cancel_backend\n t'),
    read('migrations/0042.sql', 'create index payments_customer_idx on payments (customer_id);'),
    edit('migrations/0042.sql', 'create index', "set lock_timeout = '3s';\ncreate index concurrently"),
    fails('npm run migrate -- --env staging', 'error: canceling statement due to lock timeout'),
    say('The timeout did its job: an old report still holds a snapshot. Waiting for it.'),
    rest(12),
    bash('npm run migrate -- --env staging', '0042.sql ... ok (6m 48s)'),
    say('The index is there and nobody had to wait. Every migration should set lock_timeout; I can add a lint rule.'),
  ]),

  session('rate-limit', on('feat/rate-limit', 5, '10:20'), 'Rate limit POST /charges with a token bucket', [
    user(`
      Add rate limiting to POST /charges: 20 per second per API key, bursts of 40, shared by all instances through
      Redis. 429 with Retry-After.`),
    think('Token bucket in a Lua script, so that check and take are atomic. The time must come from Redis.'),
    write('src/http/token-bucket.lua', "local b = redis.call('HMGET', KEYS[1], 'tokens', 'at')"),
    write('src/http/rate-limit.ts', 'function rateLimit(req, next) {\n  return take(req, next)\n}'),
    queued('also exempt the health checker please, its key is named "pulse"'),
    edit('src/http/rate-limit.ts', '  return take', "  if (req.apiKey.name === 'pulse') return next()\n  return take"),
    fails('npm test', NO_POSTGRES),
    bash('docker compose up -d db redis', ' ✔ Container db-1  Started\n ✔ Container redis-1  Started'),
    bash('npm test', 'Test Files  33 passed (33)\n     Tests  229 passed (229)'),
    bash('git status --short', '?? src/http/rate-limit.ts\n?? src/http/token-bucket.lua'),
    say('Charges are limited by a token bucket per API key in Redis, then 429 with Retry-After. `pulse` is exempt.'),
  ]),

  session('heap-leak', on('fix/worker-memory', 14, '08:50', 'large'), 'Memory leak in the settlement worker', [
    user('The settlement worker grows by 60 MB an hour until it is killed. Find the leak.'),
    bash('kubectl get pods -l app=settlement', 'settlement-6f7c9d5b8-2xkqp   1/1   Running   9 (41m ago)   3d'),
    fails('node --expose-gc scripts/soak.ts', NO_POSTGRES),
    bash('docker compose up -d db', ' ✔ Container ledger-api-db-1  Started'),
    shell(`
      $ node --expose-gc scripts/soak.ts
      MaxListenersExceededWarning: 11 settled listeners added to [Ledger]
      heapUsed: 88 MB -> 141 MB after gc, 51,204 closures retained by Ledger._events.settled`),
    say('Each batch subscribes to `settled` and never unsubscribes; every closure keeps its whole batch alive.'),
    compact(`
      The worker leaks: src/worker/batch.ts calls ledger.on("settled") for every batch and never off. scripts/soak.ts
      shows it: 88 to 141 MB. Next: fix it, run the soak again.`),
    user('go on with the fix'),
    read('src/worker/batch.ts', "ledger.on('settled', close)"),
    edit('src/worker/batch.ts', "ledger.on('settled', close)", "ledger.on('settled', close, { signal: batch.done })"),
    bash('node --expose-gc scripts/soak.ts', 'heapUsed: 87 MB -> 89 MB after gc'),
    bash('npm test', 'Test Files  31 passed (31)\n     Tests  212 passed (212)'),
    say('Flat at 89 MB. The listener now goes when its batch is done.'),
    rename('worker heap leak (the listener one)'),
  ]),
]
