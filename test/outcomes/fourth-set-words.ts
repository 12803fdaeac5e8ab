import type { Ending } from './terminal-script.ts'

/** What people say and do, and how logs end. Written by somebody who had not read the rules. */
export const FOURTH_SET_WORDS: readonly Ending[] = [
  {
    name: 'thanks after a change nobody tested',
    shape: 'claude',
    outcome: 'success',
    why: 'The person looked at it and thanked for it.',
    script: `
      you: make the header sticky
      edit src/styles/header.css
      says: The header has position: sticky now and a shadow when you scroll.
      you: perfect, thanks!
      says: You're welcome!`,
  },
  {
    name: 'ok go on, and it goes on to the end',
    shape: 'codex',
    outcome: 'success',
    why: 'The ok is a go-ahead; what followed was tested.',
    script: `
      you: how would you add retries to the uploader?
      read uploader/client.ts
      says: I would wrap put() with three tries and a backoff, and leave 4xx alone. Shall I do that?
      you: ok
      edit uploader/client.ts
      edit uploader/client.test.ts
      run npx jest uploader
      | Tests:       19 passed, 19 total
      says: Retries are in, with tests for 500, 429 and 404.`,
  },
  {
    name: 'stop, said in words',
    shape: 'claude',
    outcome: 'abandoned',
    ends: 'interrupted',
    why: 'The person broke it off and did not come back.',
    script: `
      you: upgrade all dependencies
      run npx npm-check-updates -u && npm install
      | npm ERR! ERESOLVE unable to resolve dependency tree
      exit 1
      edit package.json
      stop
      you: stop, this is getting out of hand. I'll do it by hand tomorrow
      says: Understood, I'm stopping here. package.json has been changed; git checkout package.json takes it back.`,
  },
  {
    name: 'never mind',
    shape: 'grok',
    outcome: 'abandoned',
    why: 'The person no longer wants it.',
    script: `
      you: why does the importer take so long on the big files
      run time ./import big.xml
      | real	4m11.201s
      says: It takes a little over four minutes. Do you want me to profile it?
      you: never mind, we are dropping that format anyway
      says: All right.`,
  },
  {
    name: 'no, that is wrong, and then nothing',
    shape: 'codex',
    outcome: 'fail',
    why: 'The last thing a person said is that it does not work, and the last try was not checked.',
    script: `
      you: the total in the cart is wrong when a coupon is applied
      edit src/cart.ts
      says: Fixed: the discount is now subtracted before tax.
      you: no that's wrong, the total is still off by the tax of the discount
      edit src/cart.ts
      says: You're right. The tax base is reduced as well now.
      you: still wrong
      says: I'm sorry. I don't see where the remaining difference comes from; without the tax rules of your shop I can't go further.`,
  },
  {
    name: 'the agent admits that it failed',
    shape: 'claude',
    outcome: 'fail',
    why: 'The agent says that it did not get there.',
    script: `
      you: find the memory leak in the worker
      run node --inspect --expose-gc worker.js
      | heap 212 MB
      read src/worker.js
      run node --expose-gc scripts/heapdiff.js
      | no growth between snapshots
      says: I wasn't able to reproduce the leak, and I could not find anything in the code that would explain it. I have changed nothing.`,
  },
  {
    name: 'the plan is turned down',
    shape: 'claude',
    outcome: 'abandoned',
    ends: 'interrupted',
    why: 'The person rejected the plan and left.',
    script: `
      you: plan how we could move the queue from redis to postgres
      read src/queue.ts
      call ExitPlanMode {"plan":"1. Add a jobs table 2. Poll with SKIP LOCKED 3. Dual write 4. Switch"}
      denied`,
  },
  {
    name: 'the plan was all that was asked for',
    shape: 'codex',
    outcome: 'success',
    why: 'A plan was asked for and given; the person is content.',
    script: `
      you: don't write code yet. Give me a plan for moving the queue from redis to postgres
      read src/queue.ts
      read src/worker.ts
      says: 1. Add a jobs table with a partial index on pending rows. 2. Poll with FOR UPDATE SKIP LOCKED. 3. Write to both for a week. 4. Switch the readers, then drop redis. The risky step is 3, because the redis client has no transactions.
      you: great, I'll take that to the team
      says: Good luck with it!`,
  },
  {
    name: 'the command was not allowed',
    shape: 'grok',
    outcome: 'abandoned',
    ends: 'interrupted',
    why: 'The person refused the command and did not go on.',
    script: `
      you: clean up the old branches
      run git branch --merged main
      |   fix/a
      |   fix/b
      run git push origin --delete fix/a fix/b
      denied`,
  },
  {
    name: 'a usage limit in the middle of the work',
    shape: 'claude',
    outcome: 'fail',
    why: 'The service refused to go on and the work is half done.',
    script: `
      you: port the CLI from argparse to click
      edit cli/main.py
      edit cli/users.py
      crash Claude AI usage limit reached|1761998400`,
  },
  {
    name: 'the context overflows, the session goes on and is finished',
    shape: 'claude',
    outcome: 'success',
    why: 'After the continuation the tests pass and the work is committed.',
    script: `
      you: convert the test suite from mocha to vitest
      edit test/a.test.js
      edit test/b.test.js
      compacted
      summary: The user wants mocha replaced by vitest. 12 of 40 files are converted.
      edit test/c.test.js
      run npx vitest run
      |  Test Files  40 passed (40)
      |       Tests  512 passed (512)
      run git commit -qam "test: vitest instead of mocha" && git log --oneline -1
      | 08d7c41 test: vitest instead of mocha
      says: All 40 files run under vitest now.`,
  },
  {
    name: 'interrupted, told what to do instead, and finished',
    shape: 'codex',
    outcome: 'success',
    why: 'The interruption was a correction; the corrected work is tested.',
    script: `
      you: add pagination to the API
      edit api/list.py
      stop
      you: use cursors, not offsets
      edit api/list.py
      run uv run pytest -q
      | 131 passed, 2 skipped in 9.77s
      says: The list endpoints take a cursor now.`,
  },
  {
    name: 'the person moves on and the second task is broken off',
    shape: 'codex',
    outcome: 'abandoned',
    ends: 'interrupted',
    why: 'The first task is done, but the session ends with a turn that was aborted.',
    script: `
      you: fix the lint errors
      edit src/a.ts
      run npm run lint
      | ✔ No problems found
      says: Lint is clean.
      you: now generate the openapi client
      run npx openapi-typescript spec.yaml -o src/client.ts
      open
      stop`,
  },
  {
    name: 'the person moves on and both tasks are done',
    shape: 'grok',
    outcome: 'success',
    why: 'Both were checked.',
    script: `
      you: rename the package to @acme/format
      edit package.json
      run npm pack --dry-run
      | npm notice name: @acme/format
      says: Renamed.
      you: good. publish a beta
      run npm publish --tag beta
      | + @acme/format@1.3.0-beta.0
      says: Published 1.3.0-beta.0 under the tag beta.`,
  },
  {
    name: 'the log ends in a call without a result',
    shape: 'claude',
    outcome: 'unknown',
    why: 'It may be running still or have been killed; nothing tells.',
    script: `
      you: run the load test for me
      run k6 run load.js --duration 2h
      open
      cut`,
  },
  {
    name: 'codex exec in a pipeline, red',
    shape: 'codex',
    by: 'program',
    outcome: 'fail',
    ends: 'red',
    why: 'The automated run could not make the build pass.',
    script: `
      you: The build on main is broken. Fix it and commit. Do not ask questions.
      run make
      | src/io.c:88:5: error: implicit declaration of function 'strlcpy'
      | make: *** [Makefile:14: io.o] Error 1
      exit 2
      edit src/io.c
      run make
      | /usr/bin/ld: io.o: undefined reference to 'strlcpy'
      | make: *** [Makefile:9: tool] Error 1
      exit 2
      says: The declaration is there now but linking fails: libbsd is not installed on this runner.`,
  },
  {
    name: 'a review by a program',
    shape: 'codex',
    by: 'program',
    outcome: 'success',
    why: 'A review was asked for and given.',
    script: `
      you: Review the diff against origin/main. Report bugs only.
      run git diff origin/main...HEAD
      | diff --git a/app/mail.py b/app/mail.py
      says: One bug: app/mail.py:40 opens the attachment in text mode, so binary files will raise UnicodeDecodeError. No others found.`,
  },
  {
    name: 'a turn that ended with an error of the service',
    shape: 'grok',
    outcome: 'fail',
    why: 'The turn died before anything was done.',
    script: `
      you: translate the error messages to German
      read locales/en.json
      crash 503 Service Unavailable`,
  },
  {
    name: 'cancelled by the person in the middle',
    shape: 'grok',
    outcome: 'abandoned',
    ends: 'interrupted',
    why: 'The turn was cancelled and nothing came after it.',
    script: `
      you: reformat the whole repository with black
      run black .
      | reformatted 212 files
      run pytest -q
      | 340 passed in 31.2s
      says: Now I will also sort the imports
      stop mid_turn_abort`,
  },
  {
    name: 'only the work of a subagent is there',
    shape: 'claude',
    by: 'subagent',
    outcome: 'success',
    why: 'The subagent was asked a question and reported.',
    script: `
      you: Find every place where the session cookie is set and report file and line.
      run rg -n "Set-Cookie|set_cookie" src
      | src/auth/login.py:77:    resp.set_cookie("sid", sid)
      | src/auth/refresh.py:31:    resp.set_cookie("sid", new)
      says: The cookie is set in two places: src/auth/login.py:77 and src/auth/refresh.py:31. Both lack SameSite.`,
  },
]
