import type { Ending } from './terminal-script.ts'

/** Written after the fifth set had changed the rules, with more endings that look better than they are. */
export const SIXTH_SET: readonly Ending[] = [
  {
    name: 'a pipe hides the exit code of red tests',
    shape: 'claude',
    outcome: 'fail',
    ends: 'red',
    why: 'The output counts failures although the command as a whole ended with zero.',
    script: `
      you: make the scheduler honour time zones
      edit scheduler/cron.rs
      run cargo test 2>&1 | tail -4
      | failures:
      |     cron::tests::dst_gap
      | test result: FAILED. 63 passed; 1 failed; 0 ignored; 0 measured; 0 filtered out
      says: Time zones are honoured now. One edge case around DST is left for later.`,
  },
  {
    name: 'a pipe hides the exit code of a broken build',
    shape: 'codex',
    outcome: 'fail',
    ends: 'red',
    why: 'The build prints errors and was not repeated.',
    script: `
      you: switch the frontend to react-router 7
      edit src/routes.tsx
      run npm run build 2>&1 | tail -5
      | src/routes.tsx(3,10): error TS2305: Module '"react-router"' has no exported member 'Switch'.
      | src/app.tsx(18,9): error TS2304: Cannot find name 'Redirect'.
      | Found 2 errors.
      says: The routes are converted to the new API. There are two leftovers in the old files.`,
  },
  {
    name: 'docker compose does not come up',
    shape: 'grok',
    outcome: 'fail',
    ends: 'red',
    why: 'The stack does not start.',
    script: `
      you: get the dev stack running
      edit docker-compose.yml
      run docker compose up -d
      | Error response from daemon: driver failed programming external connectivity on endpoint db: Bind for 0.0.0.0:5432 failed: port is already allocated
      exit 1
      run docker compose ps
      | NAME   IMAGE   STATUS
      says: Port 5432 is taken by the Postgres that runs on your machine. Either stop that one or map the container to another port.`,
  },
  {
    name: 'green, but the person interrupted the commit',
    shape: 'claude',
    outcome: 'abandoned',
    ends: 'interrupted',
    why: 'The person refused the commit and left; what is there was not accepted.',
    script: `
      you: fix the null check and commit
      edit src/Check.java
      run mvn -q test
      | Tests run: 44, Failures: 0, Errors: 0, Skipped: 0
      run git commit -am "fix null check"
      denied`,
  },
  {
    name: 'a hook of the client stops the turn',
    shape: 'grok',
    outcome: 'abandoned',
    ends: 'interrupted',
    why: 'The turn was cancelled.',
    script: `
      you: delete the stale feature flags
      edit flags.yaml
      run ./scripts/sync-flags.sh
      open
      stop hook_denied`,
  },
  {
    name: 'the turn was replaced and the new one finished',
    shape: 'codex',
    outcome: 'success',
    why: 'The second prompt took the place of the first and was carried out.',
    script: `
      you: write a script that lists all large files in the history
      thinks: I could use git rev-list.
      stop replaced
      you: write it in python, and only for blobs over 5 MB
      write tools/large_blobs.py
      run python tools/large_blobs.py
      | 5.8 MB  assets/intro.mp4
      | 9.1 MB  data/dump.sql
      says: tools/large_blobs.py lists two blobs over 5 MB: assets/intro.mp4 and data/dump.sql.`,
  },
  {
    name: 'ok as the last word',
    shape: 'claude',
    outcome: 'success',
    why: 'The change was shown and the person said ok to it.',
    script: `
      you: shorten the onboarding mail
      edit templates/welcome.txt
      says: Down from 320 to 140 words; the three links are kept.
      you: ok`,
  },
  {
    name: 'thanks, but for something else',
    shape: 'codex',
    outcome: 'fail',
    ends: 'red',
    why: 'The thanks are for the first task; the second ended red.',
    script: `
      you: rename User to Account in the models
      edit models/user.py
      run pytest -q
      | 61 passed in 3.3s
      says: Renamed, tests pass.
      you: great, thanks! now do the same for the serializers
      edit serializers/user.py
      run pytest -q
      | 5 failed, 56 passed in 3.6s
      exit 1
      says: The serializers are renamed as well. Five tests compare with the old names in fixtures.`,
  },
  {
    name: 'helm upgrade fails and is rolled back by the agent',
    shape: 'codex',
    outcome: 'fail',
    why: 'The upgrade was asked for and the old release runs again.',
    script: `
      you: upgrade ingress-nginx to 4.11 on the test cluster
      run helm upgrade ingress ingress-nginx/ingress-nginx --version 4.11.0 --atomic
      | Error: UPGRADE FAILED: release ingress failed, and has been rolled back due to atomic being set: timed out waiting for the condition
      exit 1
      run helm history ingress
      | 7  deployed  ingress-nginx-4.10.1  Rollback to 5
      says: The upgrade did not become healthy within five minutes and helm put 4.10.1 back. The admission webhook times out, most likely a firewall rule.`,
  },
  {
    name: 'a long session with red in the middle and a good end',
    shape: 'grok',
    outcome: 'success',
    why: 'All of the later work is green and merged.',
    script: `
      you: try to upgrade to webpack 6
      edit package.json
      run npm run build
      | ERROR in ./src/index.js Module build failed
      exit 1
      run git checkout package.json
      says: webpack 6 needs Node 22, which we do not have. I put it back.
      you: ok. then upgrade only the loaders
      edit package.json
      run npm run build && npm test
      | webpack 5.99 compiled successfully in 8114 ms
      | Tests:       301 passed, 301 total
      run git commit -am "loaders" && gh pr create --fill && gh pr merge --squash
      | [up/loaders 3f3f3f3] loaders
      | https://github.com/acme/web/pull/90
      | ✓ Squashed and merged pull request #90
      says: The loaders are upgraded and merged.`,
  },
  {
    name: 'still running: a background job was started',
    shape: 'claude',
    outcome: 'unknown',
    why: 'The log stops while the agent waits for the job.',
    script: `
      you: train the small model and tell me the loss
      run nohup python train.py --config small.yaml > train.log 2>&1 &
      says: Training has started. I'll check on it.
      run sleep 300; tail -1 train.log
      | epoch 2/40 loss 3.114
      run sleep 600; tail -1 train.log
      open
      cut`,
  },
  {
    name: 'an answer was cut off by the limit of the day',
    shape: 'codex',
    outcome: 'fail',
    why: 'The limit ended the work.',
    script: `
      you: write integration tests for the webhooks
      write tests/webhooks.test.ts
      run npx vitest run tests/webhooks.test.ts
      |  Tests  2 failed | 3 passed (5)
      exit 1
      crash You've hit your usage limit. Upgrade to Pro or try again in 2 days 3 hours.`,
  },
  {
    name: 'a script without tests that runs through',
    shape: 'grok',
    outcome: 'success',
    why: 'It was run and did what was wanted.',
    script: `
      you: write a bash script that rotates the backups, keep 14 days
      write scripts/rotate.sh
      run bash -n scripts/rotate.sh && scripts/rotate.sh --dry-run
      | would delete backup-2026-09-01.tar.gz
      | would keep 14 files
      says: scripts/rotate.sh keeps the last 14 days; a dry run shows that it would delete one file.`,
  },
  {
    name: 'the person corrects a detail and it is done',
    shape: 'claude',
    outcome: 'success',
    why: 'The correction was carried out and checked.',
    script: `
      you: add a favicon
      write public/favicon.svg
      edit index.html
      says: Added a favicon.
      you: no, use the logo from assets
      run cp assets/logo.svg public/favicon.svg
      run npm run build
      | ✓ built in 1.92s
      says: The favicon is the logo now and the build includes it.`,
  },
  {
    name: 'a subagent that found the answer',
    shape: 'grok',
    by: 'subagent',
    outcome: 'success',
    why: 'It was asked to look something up and did.',
    script: `
      you: Find the function that computes VAT and describe its inputs.
      run rg -n "vat" src
      | src/tax/vat.go:18:func Rate(country string, at time.Time) float64
      read src/tax/vat.go
      says: Rate in src/tax/vat.go takes an ISO country code and a date, because rates change over time, and returns a fraction.`,
  },
  {
    name: 'a subagent that was broken off',
    shape: 'claude',
    by: 'subagent',
    outcome: 'unknown',
    why: 'There is work but no report, and nothing says why.',
    script: `
      you: Port the helpers in test/util to TypeScript.
      read test/util/a.js
      write test/util/a.ts
      run npx tsc --noEmit
      open
      cut`,
  },
  {
    name: 'the review of a program that found problems',
    shape: 'claude',
    by: 'program',
    outcome: 'success',
    why: 'A review was asked for; that it found errors is its result.',
    script: `
      you: Review PR 77 and post your findings as a comment.
      run gh pr diff 77
      | diff --git a/pay.ts b/pay.ts
      run gh pr comment 77 --body-file review.md
      | https://github.com/acme/pay/pull/77#issuecomment-1
      says: I posted three findings: the retry can charge twice, the amount is a float, and the error is swallowed. The first should block the merge.`,
  },
  {
    name: 'asked for one try, it does not work, and both accept it',
    shape: 'codex',
    outcome: 'abandoned',
    why: 'The person drops the idea after the failure.',
    script: `
      you: can we get rid of the polyfills?
      edit src/polyfills.ts
      run npx playwright test
      | 3 failed
      | 40 passed (1.2m)
      exit 1
      says: Without them three tests fail in Safari 15.
      you: ok then let's leave it, put the file back
      run git checkout src/polyfills.ts
      | Updated 1 path from the index
      says: The file is back as it was.`,
  },
  {
    name: 'hoping is no proof',
    shape: 'grok',
    outcome: 'unknown',
    why: 'The last edit answers a failed run and was not run.',
    script: `
      you: fix the segfault in the decoder
      run ./decoder sample.bin
      | Segmentation fault (core dumped)
      exit 139
      read src/decoder.c
      edit src/decoder.c
      says: The length was read before the bounds check. I moved the check up, which removes the crash.`,
  },
  {
    name: 'the commit is refused by its hook',
    shape: 'claude',
    outcome: 'fail',
    ends: 'red',
    why: 'Nothing was committed, and the linter is red.',
    script: `
      you: commit my changes with a sensible message
      run git diff --stat
      |  src/a.py | 12 +++++-----
      run git commit -am "a: simplify the parser"
      | ruff.....................................................................Failed
      | - hook id: ruff
      | src/a.py:8:5: F841 Local variable 'x' is assigned to but never used
      exit 1
      says: The pre-commit hook found an unused variable in src/a.py, so there is no commit yet.`,
  },
]
