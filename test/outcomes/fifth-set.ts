import type { Ending } from './terminal-script.ts'

/** Written after the fourth set had changed the rules, and judged before anything was changed for it. */
export const FIFTH_SET: readonly Ending[] = [
  {
    name: 'kubernetes rollout that never becomes ready',
    shape: 'claude',
    outcome: 'fail',
    ends: 'red',
    why: 'The rollout timed out and the new version does not serve.',
    script: `
      you: roll out the new image to staging
      edit k8s/staging/deployment.yaml
      run kubectl apply -f k8s/staging/
      | deployment.apps/api configured
      run kubectl rollout status deploy/api --timeout=120s
      | Waiting for deployment "api" rollout to finish: 1 out of 3 new replicas have been updated...
      | error: timed out waiting for the condition
      exit 1
      run kubectl logs deploy/api --tail=20
      | panic: dial tcp 10.0.3.7:5432: connect: connection refused
      says: The new pods crash on start because they can't reach the database on 10.0.3.7. The old replicas keep serving. Someone needs to open the network policy first.`,
  },
  {
    name: 'elixir umbrella, all green after a dialyzer complaint',
    shape: 'codex',
    outcome: 'success',
    why: 'Tests and dialyzer are clean at the end.',
    script: `
      you: add typespecs to the billing context
      edit lib/billing/invoice.ex
      run mix test
      | Finished in 2.1 seconds (1.4s async, 0.7s sync)
      | 93 tests, 0 failures
      run mix dialyzer
      | lib/billing/invoice.ex:31:invalid_contract
      | done (warnings were emitted)
      exit 2
      edit lib/billing/invoice.ex
      run mix dialyzer
      | done (passed successfully)
      run mix test
      | 93 tests, 0 failures
      says: All public functions of Billing have specs, dialyzer is quiet.`,
  },
  {
    name: 'reading code only',
    shape: 'grok',
    outcome: 'success',
    why: 'The explanation that was asked for was given.',
    script: `
      you: walk me through what happens between a click on "buy" and the mail to the customer
      read web/checkout.tsx
      read api/orders.go
      read workers/mailer.go
      says: The button posts to /orders, which writes the order and an outbox row in one transaction. The relay publishes the row to NATS, and the mailer picks it up, renders the template and sends it through SES. Failed sends are retried five times.`,
  },
  {
    name: 'that is fine, leave it',
    shape: 'codex',
    outcome: 'success',
    why: 'The person accepts what is there.',
    script: `
      you: the sidebar should remember whether it is collapsed
      edit src/sidebar.vue
      says: It is kept in localStorage now. Should I sync it to the server as well?
      you: no that's fine like this, thank you
      says: Great, then we're done here.`,
  },
  {
    name: 'two interrupts and a shrug',
    shape: 'claude',
    outcome: 'abandoned',
    ends: 'interrupted',
    why: 'Both attempts were broken off and nothing came of it.',
    script: `
      you: set up sentry for the worker
      run npm i @sentry/node
      | added 31 packages in 4s
      stop
      you: no new dependencies please
      thinks: Without a dependency I would have to post to the envelope endpoint.
      write src/sentry.js
      stop for tool use`,
  },
  {
    name: 'a headless run that fixes the lint',
    shape: 'claude',
    by: 'program',
    outcome: 'success',
    why: 'The linter is clean at the end and the work is pushed.',
    script: `
      you: Fix all ruff findings and push to the current branch.
      run ruff check .
      | app/x.py:3:1: F401 'os' imported but unused
      | Found 1 error.
      exit 1
      edit app/x.py
      run ruff check .
      | All checks passed!
      run git commit -am "lint" && git push
      | [bot/lint 77e01ab] lint
      |    11aa22b..77e01ab  bot/lint -> bot/lint
      says: Removed one unused import; pushed 77e01ab.`,
  },
  {
    name: 'a headless run that only says what it would do',
    shape: 'grok',
    by: 'program',
    outcome: 'abandoned',
    why: 'It asked a question that nobody could answer and stopped.',
    script: `
      you: Upgrade the database driver.
      read go.mod
      says: There are two majors to choose from: v5 drops support for Postgres 11, v4 is only patched. Which one should I use?`,
  },
  {
    name: 'a subagent of Codex that could not build',
    shape: 'codex',
    by: 'subagent',
    outcome: 'fail',
    ends: 'red',
    why: 'The build that the subagent was to mend is still broken.',
    script: `
      you: Make the wasm target compile. Report what you changed.
      edit crates/core/Cargo.toml
      run cargo build --target wasm32-unknown-unknown
      | error[E0463]: can't find crate for 'std'
      | error: could not compile 'core' (lib) due to 1 previous error
      exit 101
      says: The features are gated now. The target itself is not installed in this environment, so the build stops at std.`,
  },
  {
    name: 'context too long, and it does not go on',
    shape: 'codex',
    outcome: 'fail',
    why: 'The session died of its own length in the middle of the work.',
    script: `
      you: go through all 300 migrations and squash them
      read db/migrate/001.rb
      read db/migrate/002.rb
      compacted
      read db/migrate/140.rb
      crash Codex ran out of room in the model's context window. Start a new conversation or clear earlier history before retrying.`,
  },
  {
    name: 'the service hiccups, continue, done',
    shape: 'claude',
    outcome: 'success',
    why: 'It was taken up again and the tests pass.',
    script: `
      you: implement RFC 7807 errors in the api
      edit src/errors.kt
      crash API Error: 500 {"type":"error","error":{"type":"api_error","message":"Internal server error"}}
      you: continue
      edit src/errors.kt
      run ./gradlew test
      | BUILD SUCCESSFUL in 21s
      | 5 actionable tasks: 3 executed, 2 up-to-date
      says: All error responses are problem+json now.`,
  },
  {
    name: 'push is refused by a hook',
    shape: 'grok',
    outcome: 'fail',
    ends: 'red',
    why: 'What was asked for, a release, did not happen.',
    script: `
      you: tag 3.0.0 and release it
      edit version.txt
      run git commit -am "3.0.0" && git tag v3.0.0
      | [main 5510fa0] 3.0.0
      run git push --follow-tags
      | remote: error: GH006: Protected branch update failed for refs/heads/main.
      | ! [remote rejected] main -> main (protected branch hook declined)
      exit 1
      says: main is protected, so the push was declined. The commit and the tag exist only here.`,
  },
  {
    name: 'sql migration, dry run and real run',
    shape: 'claude',
    outcome: 'success',
    why: 'The migration ran and the result was looked at.',
    script: `
      you: add an index on orders(customer_id) without locking the table
      write migrations/0042_orders_customer_idx.sql
      run psql -f migrations/0042_orders_customer_idx.sql
      | CREATE INDEX
      run psql -c "\\d orders"
      | "orders_customer_idx" btree (customer_id)
      says: The index was built concurrently and is valid.`,
  },
  {
    name: 'the wrong thing was built and the person says so',
    shape: 'grok',
    outcome: 'fail',
    why: 'The last word of the person is that it is not what they wanted.',
    script: `
      you: add an export button to the report page
      edit src/report.tsx
      run npx vitest run
      |  Tests  41 passed (41)
      says: There is an export button now that saves a PDF.
      you: I wanted csv, not pdf. this isn't what I asked for`,
  },
  {
    name: 'one more thing, and that is not finished',
    shape: 'claude',
    outcome: 'unknown',
    why: 'The first task is done, the second was still under way when the log ends.',
    script: `
      you: bump axios
      run npm i axios@latest && npm test
      | Tests:       77 passed, 77 total
      says: axios is at 1.9.0 and the tests pass.
      you: and now migrate the interceptors to the new api
      read src/http.ts
      edit src/http.ts
      cut`,
  },
  {
    name: 'a benchmark that shows no gain',
    shape: 'codex',
    outcome: 'success',
    why: 'The question was whether it is faster; it was measured and answered.',
    script: `
      you: is simd-json actually faster for our payloads? measure it
      write benches/json.rs
      run cargo bench --bench json
      | serde_json  time: [412.10 us 413.02 us 414.11 us]
      | simd_json   time: [409.88 us 411.40 us 412.97 us]
      says: No: on your payloads the difference is within the noise (413 against 411 microseconds). The documents are too small to profit, I would not switch.`,
  },
  {
    name: 'permission for an edit refused, told to stop',
    shape: 'claude',
    outcome: 'abandoned',
    ends: 'interrupted',
    why: 'The person refused the change and called it off.',
    script: `
      you: tidy up the ci config
      read .github/workflows/ci.yml
      call Edit {"file_path":"/home/sam/code/demo/.github/workflows/ci.yml","old_string":"a","new_string":"b"}
      denied
      you: stop. leave it as it is
      says: OK, I left the workflow unchanged.`,
  },
  {
    name: 'tests were green, then the agent polished on and broke the types',
    shape: 'grok',
    outcome: 'fail',
    ends: 'red',
    why: 'The last check is red.',
    script: `
      you: replace moment by date-fns
      edit src/time.ts
      run npm test
      | Tests:       120 passed, 120 total
      edit src/calendar.tsx
      run npx tsc --noEmit
      | src/calendar.tsx(12,7): error TS2322: Type 'Date' is not assignable to type 'Moment'.
      exit 2
      says: moment is gone from the runtime code. One type in the calendar still refers to it.`,
  },
  {
    name: 'an edit after the last run, and the person is content',
    shape: 'codex',
    outcome: 'success',
    why: 'The person tried it and says that it works.',
    script: `
      you: the csv import chokes on a BOM
      edit import.py
      run pytest -q
      | 17 passed in 0.80s
      edit import.py
      says: The BOM is stripped, and I also made the error message clearer.
      you: nice, just tried it with the customer file and it works
      says: Good to hear.`,
  },
  {
    name: 'research that found nothing',
    shape: 'grok',
    outcome: 'success',
    why: 'The honest answer to the question is no.',
    script: `
      you: do we use the deprecated v1 endpoints anywhere?
      run rg -n "api/v1" --type ts
      exit 1
      run rg -n "/v1/" .
      exit 1
      says: No, there is no call to a v1 endpoint left in the repository.`,
  },
  {
    name: 'installing fails again and again',
    shape: 'claude',
    outcome: 'fail',
    ends: 'red',
    why: 'The environment was never set up.',
    script: `
      you: set up the python env for this repo
      run pip install -r requirements.txt
      | error: subprocess-exited-with-error
      | ERROR: Failed building wheel for psycopg2
      exit 1
      run pip install psycopg2-binary
      | ERROR: Could not find a version that satisfies the requirement psycopg2-binary
      exit 1
      run pip download psycopg2-binary
      | ERROR: No matching distribution found for psycopg2-binary
      exit 1
      says: The index behind your proxy has no wheels for Python 3.14. With 3.12 it would install.`,
  },
]
