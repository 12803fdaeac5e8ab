import type { Ending } from './terminal-script.ts'

/** Work with tools. Written by somebody who had not read the rules. */
export const FOURTH_SET: readonly Ending[] = [
  {
    name: 'cargo test is green and the fix is committed',
    shape: 'claude',
    outcome: 'success',
    why: 'The whole suite passes after the last edit and the work is committed.',
    script: `
      you: the tokenizer panics on an empty string literal, can you fix it?
      read src/lexer.rs
      edit src/lexer.rs
      run cargo test
      | running 48 tests
      | test lexer::tests::empty_literal ... ok
      | test result: ok. 48 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.31s
      run git add -A && git commit -m "lexer: accept empty string literals"
      | [main 4be1f0a] lexer: accept empty string literals
      |  1 file changed, 9 insertions(+), 2 deletions(-)
      says: Fixed and committed as 4be1f0a. An empty literal now gives an empty token instead of a slice out of bounds.`,
  },
  {
    name: 'go test still fails and the agent says what is left',
    shape: 'codex',
    outcome: 'fail',
    ends: 'red',
    why: 'The last run of the tests is red and nothing came after it.',
    script: `
      you: make the rate limiter work with a sliding window
      edit internal/limit/window.go
      run go test ./internal/limit/...
      | --- FAIL: TestBurst (0.02s)
      |     window_test.go:41: got 12, want 10
      | FAIL
      | FAIL	example.com/gate/internal/limit	0.214s
      | FAIL
      exit 1
      edit internal/limit/window.go
      run go test ./internal/limit/...
      | --- FAIL: TestBurst (0.02s)
      |     window_test.go:41: got 11, want 10
      | FAIL
      | FAIL	example.com/gate/internal/limit	0.209s
      | FAIL
      exit 1
      says: The window slides now, but TestBurst still lets one request too many through. I think the boundary is counted twice; I have not found where.`,
  },
  {
    name: 'pytest red, then green',
    shape: 'grok',
    outcome: 'success',
    why: 'The failure was mended and the last run passes.',
    script: `
      you: parse ISO weeks in the date column too
      edit etl/dates.py
      run pytest -q tests/test_dates.py
      | F..
      | FAILED tests/test_dates.py::test_week_53 - ValueError: Invalid week: 53
      | 1 failed, 2 passed in 0.12s
      exit 1
      edit etl/dates.py
      run pytest -q
      | ........................
      | 24 passed in 1.80s
      says: ISO weeks are parsed now, including week 53 in long years.`,
  },
  {
    name: 'gradle does not compile at the end',
    shape: 'claude',
    outcome: 'fail',
    ends: 'red',
    why: 'The project does not build any more.',
    script: `
      you: migrate the module from javax to jakarta
      run grep -rl javax src | xargs sed -i 's/javax.persistence/jakarta.persistence/'
      edit build.gradle.kts
      run ./gradlew build
      | > Task :compileJava FAILED
      | /home/sam/code/demo/src/main/java/shop/Cart.java:9: error: package jakarta.persistence does not exist
      | 61 errors
      | FAILURE: Build failed with an exception.
      | BUILD FAILED in 14s
      exit 1
      says: The imports are migrated, but the Hibernate version in the platform BOM is too old and does not ship the jakarta artifacts. You will need to upgrade the BOM first, which I can't do from this repository.`,
  },
  {
    name: 'docker image builds and the container answers',
    shape: 'codex',
    outcome: 'success',
    why: 'The image was built, run, and the service was seen to answer.',
    script: `
      you: write a Dockerfile for the api, multi stage, and check that it comes up
      write Dockerfile
      write .dockerignore
      run docker build -t api:dev .
      | #12 exporting to image
      | #12 naming to docker.io/library/api:dev done
      run docker run -d --rm -p 8080:8080 --name api-dev api:dev
      | 5f0c7c1c6f3d
      run curl -s localhost:8080/healthz
      | {"status":"ok"}
      run docker stop api-dev
      | api-dev
      says: The image builds in two stages (84 MB) and /healthz answers with ok.`,
  },
  {
    name: 'terraform apply stops half way',
    shape: 'grok',
    outcome: 'fail',
    ends: 'red',
    why: 'The apply failed and the resources are half made.',
    script: `
      you: roll out the new bucket and the replication rule
      edit infra/storage.tf
      run terraform plan -out=tf.plan
      | Plan: 3 to add, 1 to change, 0 to destroy.
      run terraform apply tf.plan
      | aws_s3_bucket.replica: Creation complete after 2s
      | Error: creating S3 Bucket Replication Configuration: AccessDenied: User is not authorized to perform: iam:PassRole
      exit 1
      says: The bucket exists now, the replication rule does not: the deploy role may not pass the replication role. Somebody with IAM rights has to allow iam:PassRole, then the apply can be repeated.`,
  },
  {
    name: 'a question to the database',
    shape: 'claude',
    outcome: 'success',
    why: 'The question was answered with figures from the database.',
    script: `
      you: how many users signed up last week but never confirmed their mail?
      run psql "$DATABASE_URL" -c "select count(*) from users where created_at > now() - interval '7 days' and confirmed_at is null"
      |  count
      | -------
      |    312
      | (1 row)
      says: 312 of the people who signed up in the last seven days have not confirmed their address. That is 18 % of all sign-ups of the week.`,
  },
  {
    name: 'merge conflicts resolved and the merge pushed',
    shape: 'codex',
    outcome: 'success',
    why: 'Conflicts were resolved, the tests pass, the merge is pushed.',
    script: `
      you: merge main into this branch and resolve the conflicts
      run git merge origin/main
      | Auto-merging src/router.ts
      | CONFLICT (content): Merge conflict in src/router.ts
      | Automatic merge failed; fix conflicts and then commit the result.
      exit 1
      edit src/router.ts
      run npx vitest run
      |  Test Files  31 passed (31)
      |       Tests  214 passed (214)
      run git commit -am "Merge main" && git push
      | [feature/routes 99ab120] Merge main
      | To github.com:acme/shop.git
      |    7d1c2aa..99ab120  feature/routes -> feature/routes
      says: Merged. The one conflict was in the router: both sides had added a route, I kept both.`,
  },
  {
    name: 'a rebase that is aborted',
    shape: 'claude',
    outcome: 'fail',
    why: 'The rebase was asked for, was given up by the agent, and the branch is where it was.',
    script: `
      you: rebase this branch onto main please
      run git rebase origin/main
      | CONFLICT (content): Merge conflict in db/schema.sql
      | CONFLICT (modify/delete): src/old/report.py deleted in HEAD and modified in 3c2f9a1
      | error: could not apply 3c2f9a1... reports: weekly totals
      exit 1
      read db/schema.sql
      run git rebase --abort
      says: I aborted the rebase. Main has deleted the module that 14 of your commits change, so nearly every commit conflicts and I would be guessing what you want. The branch is exactly as it was before.`,
  },
  {
    name: 'watching CI until it is green',
    shape: 'claude',
    outcome: 'success',
    why: 'The pull request exists and its checks are green.',
    script: `
      you: open a PR for this and wait for CI
      run git push -u origin fix/utf8-names
      |  * [new branch]      fix/utf8-names -> fix/utf8-names
      run gh pr create --fill
      | https://github.com/acme/mailer/pull/418
      run gh pr checks 418 --watch
      | build	pass	2m11s	https://github.com/acme/mailer/actions/runs/1
      | lint	pass	41s	https://github.com/acme/mailer/actions/runs/2
      | test	pass	3m02s	https://github.com/acme/mailer/actions/runs/3
      says: PR #418 is open and all three checks pass.`,
  },
  {
    name: 'CI is red and the session ends there',
    shape: 'grok',
    outcome: 'fail',
    ends: 'red',
    why: 'The checks of the pull request failed and were not mended.',
    script: `
      you: push and tell me how CI goes
      run git push
      |    41ac0de..c0d81f2  main -> main
      run gh run watch --exit-status
      | X main CI · 7719201
      | X test (windows-latest) in 4m12s
      |   ✓ Set up job
      |   X Run tests
      exit 1
      says: Linux and macOS are green, Windows fails: three path tests compare with forward slashes.`,
  },
  {
    name: 'a deploy that is checked',
    shape: 'grok',
    outcome: 'success',
    why: 'Deployed, and the new version was seen in production.',
    script: `
      you: deploy 2.4.1 to prod
      run fly deploy --image registry.fly.io/shop:2.4.1
      | --> v118 deployed successfully
      run curl -s https://shop.example.test/version
      | 2.4.1
      says: 2.4.1 is live, all 3 machines are healthy.`,
  },
  {
    name: 'docs only',
    shape: 'codex',
    outcome: 'success',
    why: 'A text was asked for and written; there is nothing to test.',
    script: `
      you: add a section on environment variables to the README
      read README.md
      read src/config.py
      edit README.md
      says: Added an "Environment" section to the README with the seven variables that config.py reads, their defaults and an example.`,
  },
  {
    name: 'a refactor that is claimed, never checked',
    shape: 'claude',
    outcome: 'unknown',
    why: 'Much code was moved, nothing was run, and nobody confirmed it.',
    script: `
      you: split the god class OrderService into smaller services
      read app/services/order_service.rb
      write app/services/pricing_service.rb
      write app/services/shipping_service.rb
      edit app/services/order_service.rb
      edit app/controllers/orders_controller.rb
      says: Done! OrderService is now split into three services. Everything should work as before.`,
  },
  {
    name: 'a config change without a way to test it',
    shape: 'grok',
    outcome: 'unknown',
    why: 'The agent says itself that it could not try it.',
    script: `
      you: our nginx should redirect /blog to the new host
      edit deploy/nginx.conf
      run nginx -t
      | bash: nginx: command not found
      exit 127
      says: I added the redirect. nginx is not installed here, so I could not check the syntax; please run nginx -t on the server before you reload.`,
  },
  {
    name: 'data analysis with a plot',
    shape: 'claude',
    outcome: 'success',
    why: 'The analysis ran and the result was told.',
    script: `
      you: plot weekly revenue from sales.csv and tell me if there is a trend
      write plot.py
      run python plot.py
      | Traceback (most recent call last):
      | KeyError: 'date'
      exit 1
      edit plot.py
      run python plot.py
      | slope=1284.22 p=0.003
      | saved revenue.png
      says: Revenue grows by about 1,280 a week and the trend is significant (p = 0.003). The plot is in revenue.png.`,
  },
  {
    name: 'tests pass and then the code is changed again',
    shape: 'codex',
    outcome: 'unknown',
    why: 'What was tested is not what is there at the end.',
    script: `
      you: cache the price lookups
      edit src/prices.py
      run pytest -q
      | 88 passed in 6.02s
      says: Cached with a TTL of five minutes, tests pass.
      you: use redis instead of a dict
      edit src/prices.py
      edit src/cache.py
      says: The lookups go through redis now.`,
  },
  {
    name: 'a flaky test passes at the third try',
    shape: 'claude',
    outcome: 'success',
    why: 'The flake was found and mended; twenty runs in a row pass.',
    script: `
      you: test_reconnect is flaky, find out why
      run pytest tests/test_ws.py -k reconnect
      | 1 passed in 2.10s
      run for i in $(seq 20); do pytest -q tests/test_ws.py -k reconnect || break; done
      | 1 passed in 2.08s
      | FAILED tests/test_ws.py::test_reconnect - TimeoutError
      | 1 failed in 5.01s
      exit 1
      edit tests/test_ws.py
      run for i in $(seq 20); do pytest -q tests/test_ws.py -k reconnect || exit 1; done
      | 1 passed in 2.05s
      | 1 passed in 2.07s
      says: It slept for a fixed second and sometimes lost the race. It now waits for the close event, and 20 runs in a row passed.`,
  },
  {
    name: 'failures that were there before',
    shape: 'codex',
    outcome: 'unknown',
    ends: 'red',
    why: 'The task may be done, but the suite is red; the reader cannot be sure and must not call it a success.',
    script: `
      you: add a --json flag to the list command
      edit cmd/list.go
      run go test ./...
      | ok  	example.com/tool/cmd	0.412s
      | --- FAIL: TestProxy (0.00s)
      | FAIL	example.com/tool/net	0.120s
      exit 1
      run git stash && go test ./net/... ; git stash pop
      | --- FAIL: TestProxy (0.00s)
      | FAIL	example.com/tool/net	0.118s
      exit 1
      says: --json is there and the tests of cmd pass. TestProxy fails with and without my change (it needs the network), so that is unrelated.`,
  },
  {
    name: 'partial success',
    shape: 'grok',
    outcome: 'fail',
    ends: 'red',
    why: 'Half of what was asked for is still red.',
    script: `
      you: get the four skipped tests to pass again
      edit test/skipped.test.js
      edit lib/session.js
      run npm test
      | Tests:       2 failed, 60 passed, 62 total
      | npm ERR! Test failed.  See above for more details.
      exit 1
      says: Two of the four pass now. The other two need a running SMTP server and I did not find a way to fake it.`,
  },
]
