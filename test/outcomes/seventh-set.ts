import type { Ending } from './terminal-script.ts'

/** Written after the sixth set had changed the rules, and judged before anything was changed for it. */
export const SEVENTH_SET: readonly Ending[] = [
  {
    name: 'swift package, one failing test mended',
    shape: 'claude',
    outcome: 'success',
    why: 'Green at the end.',
    script: `
      you: testRoundTrip fails since the last merge, have a look
      run swift test --filter testRoundTrip
      | Executed 1 test, with 1 failure (0 unexpected) in 0.031 seconds
      exit 1
      read Sources/Codec/Codec.swift
      edit Sources/Codec/Codec.swift
      run swift test
      | Executed 87 tests, with 0 failures (0 unexpected) in 2.114 seconds
      says: The merge had dropped the escape of the separator. Restored; all 87 tests pass.`,
  },
  {
    name: 'php tests red in the last run after a second wish',
    shape: 'grok',
    outcome: 'fail',
    ends: 'red',
    why: 'The last run is red.',
    script: `
      you: add soft deletes to the Post model
      edit app/Models/Post.php
      run cd backend && ./vendor/bin/phpunit
      | OK (58 tests, 140 assertions)
      says: Posts are soft deleted now.
      you: for comments too please
      edit app/Models/Comment.php
      run cd backend && ./vendor/bin/phpunit
      | FAILURES!
      | Tests: 58, Assertions: 139, Failures: 2.
      exit 1
      says: Comments are soft deleted as well; two tests that count comments need new expectations.`,
  },
  {
    name: 'explain this error',
    shape: 'codex',
    outcome: 'success',
    why: 'Explained.',
    script: `
      you: what does "borrowed value does not live long enough" mean here?
      read src/pool.rs
      says: The guard is created inside the loop and dropped at its end, but you keep a reference to its contents in the vector outside. Clone the value or move the guard out of the loop.`,
  },
  {
    name: 'gives up on the agent politely',
    shape: 'claude',
    outcome: 'abandoned',
    why: 'The person goes on without the agent.',
    script: `
      you: the gantt chart renders twice on resize
      edit src/Gantt.svelte
      says: I debounced the handler.
      you: still renders twice
      edit src/Gantt.svelte
      says: I moved the observer into onMount.
      you: ok I'll look into it myself, thanks anyway
      says: Sure. If it helps: I would start at the ResizeObserver.`,
  },
  {
    name: 'deploy script exits with an error',
    shape: 'codex',
    outcome: 'fail',
    ends: 'red',
    why: 'The deploy did not happen.',
    script: `
      you: ship it to production
      run git status --short
      run ./bin/release production
      | Uploading bundle... done
      | Health check 1/5 failed
      | Health check 5/5 failed
      | Aborting, previous release stays active
      exit 1
      says: The new release did not pass its health checks and the previous one stays active. The logs show a missing DATABASE_URL.`,
  },
  {
    name: 'interrupted with a question, and that was all',
    shape: 'claude',
    outcome: 'abandoned',
    ends: 'interrupted',
    why: 'The work was stopped and never taken up again; only a question about it was answered.',
    script: `
      you: replace all print statements by logging
      edit app/a.py
      edit app/b.py
      stop
      you: how many files would you have to touch?
      says: 46 files, about 300 print statements.`,
  },
  {
    name: 'two greens and a pull request from a program',
    shape: 'codex',
    by: 'program',
    outcome: 'success',
    why: 'Tests pass and a pull request was opened.',
    script: `
      you: Implement issue 312 and open a pull request.
      edit src/parse.ts
      edit src/parse.test.ts
      run pnpm test
      |  Test Files  12 passed (12)
      |       Tests  98 passed (98)
      run git checkout -b issue-312 && git commit -am "parse: keep comments" && git push -u origin issue-312
      | Switched to a new branch 'issue-312'
      | [issue-312 aa77aa7] parse: keep comments
      run gh pr create --title "Keep comments" --body "Closes #312"
      | https://github.com/acme/fmt/pull/313
      says: Opened #313.`,
  },
  {
    name: 'a program whose turn ran into the limit of the service',
    shape: 'grok',
    by: 'program',
    outcome: 'fail',
    why: 'The service refused.',
    script: `
      you: Summarise yesterday's incidents into docs/incidents.md
      run ls incidents
      | 2026-10-04.json
      crash rate_limit_exceeded: too many requests`,
  },
  {
    name: 'changed a setting as asked',
    shape: 'grok',
    outcome: 'success',
    why: 'A small change of configuration, done.',
    script: `
      you: set the line length to 100 in the formatter config
      read pyproject.toml
      edit pyproject.toml
      says: line-length is 100 now, for black and for isort.`,
  },
  {
    name: 'it was already like that',
    shape: 'claude',
    outcome: 'success',
    why: 'Nothing had to be done, and that was found out.',
    script: `
      you: make sure that the cookies are secure and httpOnly
      run rg -n "cookie" server
      | server/session.ts:14:  cookie: { secure: true, httpOnly: true, sameSite: 'lax' },
      says: They already are: server/session.ts sets secure, httpOnly and sameSite=lax, and no other place sets cookies.`,
  },
  {
    name: 'the tool for the check is missing, the code is written',
    shape: 'codex',
    outcome: 'unknown',
    why: 'Nobody ran it.',
    script: `
      you: write a lua filter for pandoc that numbers the figures
      write filters/figures.lua
      run pandoc -L filters/figures.lua test.md
      | /bin/bash: line 1: pandoc: command not found
      exit 127
      says: The filter is in filters/figures.lua. pandoc isn't available in this sandbox, so I haven't been able to run it.`,
  },
  {
    name: 'ends while the tests are running again',
    shape: 'grok',
    outcome: 'unknown',
    why: 'The log ends in the middle.',
    script: `
      you: fix the race in the pool
      edit pool.go
      run go test -race ./...
      open
      cut`,
  },
  {
    name: 'the person undoes the work of the agent',
    shape: 'codex',
    outcome: 'abandoned',
    why: 'The person wanted the work undone and nothing in its place.',
    script: `
      you: inline the helper functions in render.js
      edit render.js
      run npm test
      | Tests:       33 passed, 33 total
      says: Inlined four helpers.
      you: hm, I liked it better before. undo that please
      run git checkout render.js
      | Updated 1 path from the index
      says: render.js is back to what it was.`,
  },
  {
    name: 'lint red behind a pipe, then clean',
    shape: 'claude',
    outcome: 'success',
    why: 'The last run of the linter is clean.',
    script: `
      you: fix the eslint findings in src/forms
      run npx eslint src/forms | tail -3
      | ✖ 4 problems (4 errors, 0 warnings)
      edit src/forms/Input.tsx
      edit src/forms/Select.tsx
      run npx eslint src/forms | tail -3
      says: All four findings in src/forms are fixed.`,
  },
  {
    name: 'bad news that the person takes with an ok',
    shape: 'claude',
    outcome: 'fail',
    ends: 'red',
    why: 'It did not work, and the ok does not change that.',
    script: `
      you: publish the package
      run npm publish
      | npm error code E403
      | npm error 403 Forbidden - You cannot publish over the previously published versions: 2.0.1.
      exit 1
      says: The registry already has 2.0.1. The version has to be raised first.
      you: ok`,
  },
  {
    name: 'a comparison in a table',
    shape: 'grok',
    outcome: 'success',
    why: 'The comparison was made.',
    script: `
      you: compare our three HTTP clients: timeouts, retries, pooling
      read clients/a.go
      read clients/b.go
      read clients/c.go
      says: A has a timeout of 5 s, no retries and a pool of 10; B has 30 s, three retries and no pool; C has no timeout at all, which is the one to worry about.`,
  },
  {
    name: 'the migration fails on real data',
    shape: 'codex',
    outcome: 'fail',
    ends: 'red',
    why: 'The migration did not go through.',
    script: `
      you: make email unique on users
      write migrations/20261005_unique_email.sql
      run npx prisma migrate deploy
      | Error: P3018 A migration failed to apply. Database error: could not create unique index "users_email_key" Key (email)=(a@example.test) is duplicated.
      exit 1
      says: There are duplicate addresses in the table (at least a@example.test), so the index can't be created. They need to be merged before the migration runs.`,
  },
  {
    name: 'the person moves on to a question after an untested change',
    shape: 'claude',
    outcome: 'success',
    why: 'Both were done as far as one can tell, and the person had no complaint.',
    script: `
      you: add a loading spinner to the dashboard
      edit src/Dashboard.tsx
      says: Added a spinner that shows until the first response.
      you: which component library do we use for the icons?
      run rg -n "lucide" package.json
      | 31:    "lucide-react": "^0.400.0",
      says: lucide-react, version 0.400.`,
  },
  {
    name: 'an answer in the middle of which the person stopped it',
    shape: 'codex',
    outcome: 'abandoned',
    ends: 'interrupted',
    why: 'Stopped.',
    script: `
      you: describe the whole architecture in detail
      read ARCHITECTURE.md
      says: The system consists of
      stop`,
  },
  {
    name: 'a subagent whose tests are red',
    shape: 'claude',
    by: 'subagent',
    outcome: 'fail',
    ends: 'red',
    why: 'The report says green for one part, but the last run failed.',
    script: `
      you: Implement the LRU cache in src/lru.ts with tests and report.
      write src/lru.ts
      write src/lru.test.ts
      run bun test
      |  11 pass
      |  1 fail
      | Ran 12 tests across 1 file.
      exit 1
      says: Implemented with 12 tests, 11 of them pass. The eviction order after a get() is not right yet.`,
  },
]
