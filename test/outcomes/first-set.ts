import type { Labelled } from './script.ts'

/** Written before there were rules: what people mean by these endings. */
export const FIRST_SET: readonly Labelled[] = [
  {
    name: 'tests green and committed',
    shape: 'claude',
    outcome: 'success',
    script: `
      you: the date parser drops the time zone, please fix it
      says: I'll look at the parser first.
      read src/dates.ts
      edit src/dates.ts
      run npm test => passed
      run git commit -am "keep the zone" => commit 1a2b3c4
      says: Fixed: the zone is kept now. All 42 tests pass and the change is committed.`,
  },
  {
    name: 'tests green, nothing committed',
    shape: 'codex',
    outcome: 'success',
    script: `
      you: add a --json flag to the list command
      read src/list.ts
      edit src/list.ts
      edit test/list.test.ts
      run npx vitest run => passed
      says: Added the flag and a test for it. The suite is green.`,
  },
  {
    name: 'pull request opened',
    shape: 'grok',
    outcome: 'success',
    script: `
      you: bump the base image and open a PR
      edit Dockerfile
      run docker build . => ok
      run git commit -am bump => commit 77aa001
      run gh pr create --fill => pr https://github.com/acme/shop/pull/12
      says: Opened https://github.com/acme/shop/pull/12.`,
  },
  {
    name: 'tests red at the end',
    shape: 'claude',
    outcome: 'fail',
    ends: 'red',
    script: `
      you: make the importer handle empty rows
      edit src/import.py
      run pytest -q => failed
      edit src/import.py
      run pytest -q => failed
      says: Two tests still fail. The fixture seems to expect the old behaviour.`,
  },
  {
    name: 'tests red at the end although the agent is cheerful',
    shape: 'codex',
    outcome: 'fail',
    ends: 'red',
    script: `
      you: speed up the matcher
      edit src/matcher.rs
      run cargo test => failed
      says: Great, the matcher is now twice as fast! Everything is done.`,
  },
  {
    name: 'red, then green',
    shape: 'grok',
    outcome: 'success',
    script: `
      you: fix the rounding bug in totals
      edit lib/totals.rb
      run bundle exec rspec => failed
      edit lib/totals.rb
      run bundle exec rspec => passed
      says: Rounding is fixed; the specs pass.`,
  },
  {
    name: 'interrupted and never taken up again',
    shape: 'claude',
    outcome: 'abandoned',
    ends: 'interrupted',
    script: `
      you: rewrite the storage layer on top of sqlite
      says: I'll start with the schema.
      edit src/store.ts
      edit src/schema.ts
      stop`,
  },
  {
    name: 'interrupted in Codex',
    shape: 'codex',
    outcome: 'abandoned',
    ends: 'interrupted',
    script: `
      you: find out why the build is slow
      run npm run build => ok
      thinks: Maybe the type checker.
      stop`,
  },
  {
    name: 'cancelled in Grok after the tests were green',
    shape: 'grok',
    outcome: 'abandoned',
    ends: 'interrupted',
    script: `
      you: clean up the logging
      edit src/log.go
      run go test ./... => passed
      says: Now I will rename the package everywhere.
      edit src/main.go
      stop`,
  },
  {
    name: 'interrupted, redirected, finished',
    shape: 'claude',
    outcome: 'success',
    script: `
      you: add retries to the client
      edit src/server.ts
      stop
      you: no, only in the client, leave the server alone
      run git checkout src/server.ts => ok
      edit src/client.ts
      run npm test => passed
      says: Retries are now in the client only. Tests pass.`,
  },
  {
    name: 'the user gives up',
    shape: 'claude',
    outcome: 'abandoned',
    script: `
      you: get the e2e tests running in docker
      edit docker-compose.yml
      run docker compose up -d => error Cannot connect to the Docker daemon
      says: The daemon does not seem to run. Could you start it?
      you: it is running. forget it, I'll do it myself
      says: Understood. Let me know if I can help with anything else.`,
  },
  {
    name: 'the user gives up in German',
    shape: 'codex',
    outcome: 'abandoned',
    script: `
      you: Bitte den Export auf CSV umstellen
      edit export.py
      says: Der Export schreibt jetzt CSV.
      you: die Umlaute sind kaputt
      edit export.py
      says: Jetzt sollte es gehen.
      you: vergiss es, ich mach das selbst
      says: In Ordnung.`,
  },
  {
    name: 'a question answered',
    shape: 'claude',
    outcome: 'success',
    script: `
      you: where do we decide which cache to use?
      read src/cache/index.ts
      read src/config.ts
      says: In src/cache/index.ts: the function pick() reads the setting cache.kind and falls back to memory.`,
  },
  {
    name: 'a question answered without looking anywhere',
    shape: 'codex',
    outcome: 'success',
    script: `
      you: what does git rebase --onto do?
      says: It replays the commits of one range on top of another base.`,
  },
  {
    name: 'the service broke off',
    shape: 'claude',
    outcome: 'fail',
    script: `
      you: migrate the tests to vitest
      edit package.json
      edit vitest.config.ts
      crash API Error: 529 {"type":"overloaded_error"}`,
  },
  {
    name: 'usage limit reached in the middle of work',
    shape: 'codex',
    outcome: 'fail',
    script: `
      you: port the parser to rust
      edit src/lib.rs
      crash You've hit your usage limit. Try again in 3 hours.`,
  },
  {
    name: 'the turn failed in Grok',
    shape: 'grok',
    outcome: 'fail',
    script: `
      you: summarise the open tickets
      call mcp__tracker__list => ok
      crash rate_limit_exceeded`,
  },
  {
    name: 'still running: a call without an answer',
    shape: 'claude',
    outcome: 'unknown',
    script: `
      you: run the long benchmark and tell me the numbers
      says: Starting it now.
      run npm run bench => open`,
  },
  {
    name: 'still running: the log stops after a result',
    shape: 'codex',
    outcome: 'unknown',
    script: `
      you: refactor the reader into smaller files
      read src/reader.ts
      edit src/reader.ts
      run npx tsc => ok`,
  },
  {
    name: 'opened and closed',
    shape: 'claude',
    outcome: 'unknown',
    script: `
      auto: /clear
      note Set model to opus`,
  },
  {
    name: 'a prompt that nobody answered',
    shape: 'grok',
    outcome: 'abandoned',
    script: `
      you: can you look at the failing deploy`,
  },
  {
    name: 'automated run that did its job',
    shape: 'codex',
    outcome: 'success',
    script: `
      auto: Review the diff and write the findings to review.md
      run git diff HEAD~1 => ok
      edit review.md
      says: I wrote four findings to review.md.`,
  },
  {
    name: 'automated run that could not',
    shape: 'claude',
    outcome: 'fail',
    script: `
      auto: Update the lock file and make the build pass
      run npm install => error npm ERR! code ERESOLVE
      run npm install --force => error npm ERR! code ENOTFOUND
      run npm ping => error npm ERR! network
      says: I was unable to update the lock file because the registry cannot be reached.`,
  },
  {
    name: 'subagent that reports back',
    shape: 'grok',
    outcome: 'success',
    script: `
      note subagent of grok:0199 (explore: find the callers) completed, 3 tool calls
      auto: Find all callers of openStore and list them
      call grep => ok
      call grep => ok
      read src/main.ts
      says: There are three callers: main.ts, doctor.ts and the tests.`,
  },
  {
    name: 'the agent asks and nobody answers',
    shape: 'claude',
    outcome: 'abandoned',
    script: `
      you: set up the deployment
      read README.md
      says: Before I start: which cloud should this run on, and do you have credentials for it?`,
  },
  {
    name: 'thanked',
    shape: 'grok',
    outcome: 'success',
    script: `
      you: rename the flag to --dry-run everywhere
      edit src/cli.ts
      edit README.md
      says: Renamed in both places.
      you: perfect, thanks!
      says: You're welcome!`,
  },
  {
    name: 'it still does not work',
    shape: 'claude',
    outcome: 'fail',
    script: `
      you: the page is blank after login, fix it
      edit src/login.tsx
      says: Fixed the redirect.
      you: still blank
      edit src/login.tsx
      says: The guard was wrong; it should work now.
      you: still doesn't work, same error`,
  },
]
