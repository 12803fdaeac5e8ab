import type { Ending } from './terminal-script.ts'

/** Written after the eighth set had changed the rules, and judged before anything was changed for it. */
export const NINTH_SET: readonly Ending[] = [
  {
    name: 'elixir, a warning, green, committed',
    shape: 'codex',
    outcome: 'success',
    why: 'Green and committed.',
    script: `
      you: broadcast the presence diff only to the room it belongs to
      read lib/chat/presence.ex
      edit lib/chat/presence.ex
      run mix test
      | warning: variable "socket" is unused (if the variable is not meant to be used, prefix it with an underscore)
      | Finished in 0.9 seconds (0.4s async, 0.5s sync)
      | 71 tests, 0 failures
      run git commit -qam "presence: diff per room" && git log -1 --oneline
      | 7de1c20 presence: diff per room
      says: Presence diffs now go to the topic of their room only. 71 tests pass; committed as 7de1c20.`,
  },
  {
    name: 'googletest red, behind a pipe',
    shape: 'claude',
    outcome: 'fail',
    ends: 'red',
    why: 'One test failed; grep hides the status.',
    script: `
      you: make RingBuffer::push lock free
      edit src/ring_buffer.h
      run cmake --build build -j8 && ctest --test-dir build --output-on-failure 2>&1 | grep -E "PASSED|FAILED|tests passed"
      | [  PASSED  ] 17 tests.
      | [  FAILED  ] 1 test, listed below:
      | [  FAILED  ] RingBuffer.WrapAround
      | 95% tests passed, 1 tests failed out of 18
      says: push() uses a CAS loop now instead of the mutex.`,
  },
  {
    name: 'tests by a script of the project, red in its own words',
    shape: 'grok',
    outcome: 'fail',
    ends: 'red',
    why: 'The script ended with an error.',
    script: `
      you: the invoice totals are off by a cent, find out why and fix it
      read billing/money.rb
      edit billing/money.rb
      run ./script/test
      | Checking rounding... wrong: expected 19.99, got 20.00
      | 1 of 14 checks did not pass
      exit 1
      says: The cent came from rounding each line before adding. I moved the rounding to the end; one check still expects the old rounding.`,
  },
  {
    name: 'pre-commit hooks first fix, then pass',
    shape: 'claude',
    outcome: 'success',
    why: 'Committed in the end.',
    script: `
      you: commit this please
      run git commit -am "docs: how to run the worker"
      | trim trailing whitespace.................................................Failed
      | - hook id: trailing-whitespace
      | - files were modified by this hook
      exit 1
      run git add -u && git commit -m "docs: how to run the worker"
      | trim trailing whitespace.................................................Passed
      | [main 1b2c3d4] docs: how to run the worker
      |  1 file changed, 12 insertions(+)
      says: Committed. The hook had to trim a line first.`,
  },
  {
    name: 'kubernetes pods do not start',
    shape: 'codex',
    outcome: 'fail',
    ends: 'red',
    why: 'The rollout did not happen.',
    script: `
      you: roll out 1.9.2 to staging
      run kubectl -n staging set image deploy/api api=registry.local/api:1.9.2
      | deployment.apps/api image updated
      run kubectl -n staging rollout status deploy/api --timeout=120s
      | Waiting for deployment "api" rollout to finish: 1 out of 3 new replicas have been updated...
      | error: timed out waiting for the condition
      exit 1
      run kubectl -n staging get pods
      | api-6f7d   0/1   ImagePullBackOff   0   2m
      says: The new pods are in ImagePullBackOff: tag 1.9.2 does not exist in the registry. The old replicas keep serving.`,
  },
  {
    name: 'wrong in French, nothing more',
    shape: 'grok',
    outcome: 'fail',
    why: 'The last word is a complaint.',
    script: `
      you: ajoute la traduction française des emails
      write locales/fr/mail.json
      says: J'ai ajouté les traductions dans locales/fr/mail.json.
      you: ça ne marche toujours pas, les mails partent encore en anglais
      cut`,
  },
  {
    name: 'given up in Portuguese',
    shape: 'claude',
    outcome: 'abandoned',
    why: 'The person gave up.',
    script: `
      you: o layout quebra no firefox, arruma pra mim
      edit src/grid.css
      says: Ajustei o grid, deve funcionar no Firefox agora.
      you: deixa pra lá, eu resolvo sozinho
      says: Tudo bem! Estou aqui se precisar.`,
  },
  {
    name: 'content in Korean',
    shape: 'codex',
    outcome: 'success',
    why: 'Done, built and thanked.',
    script: `
      you: 로그인 버튼 색상을 브랜드 색으로 바꿔줘
      edit src/login.css
      run npm run build
      | ✓ built in 2.02s
      says: 로그인 버튼을 브랜드 색상으로 변경했고 빌드도 통과했습니다.
      you: 고마워 완벽해
      says: 천만에요!`,
  },
  {
    name: 'a research question with a web search',
    shape: 'claude',
    outcome: 'success',
    why: 'Asked and answered.',
    script: `
      you: is there a maintained fork of node-ffi for node 22?
      call WebSearch {"query":"node-ffi maintained fork node 22"}
      | koffi, ffi-rs
      says: node-ffi itself is unmaintained. The usual choices are \`koffi\` (prebuilt, fast, actively maintained) and \`ffi-rs\`. I would take koffi for Node 22.`,
  },
  {
    name: 'two of three done, stopped on the third',
    shape: 'claude',
    outcome: 'abandoned',
    ends: 'interrupted',
    why: 'Stopped in the middle of the third.',
    script: `
      you: 1) add a health route 2) add metrics 3) move config to env
      edit src/health.ts
      edit src/metrics.ts
      run npx vitest run
      |       Tests  30 passed (30)
      edit src/config.ts
      run npx vitest run
      |       Tests  4 failed | 26 passed (30)
      exit 1
      stop`,
  },
  {
    name: 'sorry, wrong window',
    shape: 'codex',
    outcome: 'abandoned',
    why: 'It was a mistake and nothing was wanted.',
    script: `
      you: deploy the landing page
      run ls
      | Cargo.toml src
      stop
      you: sorry, wrong window, ignore that
      says: No problem, nothing was changed.`,
  },
  {
    name: 'done by sed and checked by the compiler',
    shape: 'grok',
    outcome: 'success',
    why: 'It compiles and the tests pass.',
    script: `
      you: rename the crate from fastq to quickq
      run rg -l fastq | xargs sed -i 's/fastq/quickq/g'
      run cargo check
      | error[E0432]: unresolved import \`fastq_core\`
      exit 101
      run sed -i 's/fastq_core/quickq_core/' src/lib.rs
      run cargo check && cargo test -q
      | test result: ok. 41 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.51s
      says: Renamed everywhere; it compiles and the 41 tests pass.`,
  },
  {
    name: 'changed by a script after the last green run',
    shape: 'codex',
    outcome: 'unknown',
    why: 'What was changed last was not run.',
    script: `
      you: tidy up the handlers, tests must stay green
      edit api/handlers.py
      run pytest -q
      | 64 passed in 2.20s
      run sed -i 's/get_user(/fetch_user(/g' api/handlers.py api/users.py
      says: The handlers are tidied up, and I also renamed get_user to fetch_user for consistency.`,
  },
  {
    name: 'the agent hands the last step to the person',
    shape: 'claude',
    outcome: 'success',
    why: 'All that was asked is there; logging in is the person’s part.',
    script: `
      you: write a script that uploads the build to our sftp server
      write scripts/upload.sh
      run bash -n scripts/upload.sh && shellcheck scripts/upload.sh
      says: scripts/upload.sh uploads dist/ and checks the checksum afterwards. Put SFTP_USER and SFTP_KEY into .env before you run it.`,
  },
  {
    name: 'a scheduled program finds nothing to do',
    shape: 'grok',
    by: 'program',
    outcome: 'success',
    why: 'Nothing to do is a good end.',
    script: `
      you: Check for outdated dependencies with security advisories and open a PR if there are any.
      run npm audit --omit=dev
      | found 0 vulnerabilities
      says: No vulnerable dependencies; no pull request was needed.`,
  },
  {
    name: 'a program that could not reach what it needs',
    shape: 'claude',
    by: 'program',
    outcome: 'fail',
    ends: 'red',
    why: 'It could not do what it was asked.',
    script: `
      you: Generate the weekly report from the warehouse and write it to report.md
      run python report.py --week 41
      | psycopg2.OperationalError: could not connect to server: Connection refused
      exit 1
      run python report.py --week 41
      | psycopg2.OperationalError: could not connect to server: Connection refused
      exit 1
      says: The report could not be generated because the warehouse refuses connections from this machine.`,
  },
  {
    name: 'a subagent stopped by the service',
    shape: 'codex',
    by: 'subagent',
    outcome: 'fail',
    why: 'The service failed.',
    script: `
      you: Translate the docs in docs/guide to German.
      write docs/guide/de/start.md
      crash stream disconnected before completion: error sending request for url`,
  },
  {
    name: 'accepted although a linter still warns',
    shape: 'grok',
    outcome: 'success',
    why: 'Clean but for warnings, and accepted.',
    script: `
      you: fix the clippy errors
      run cargo clippy
      | error: this loop never actually loops
      | error: could not compile \`app\` (lib) due to 1 previous error; 2 warnings emitted
      exit 101
      edit src/scan.rs
      run cargo clippy
      | warning: unused variable: \`n\`
      | warning: \`app\` (lib) generated 1 warning
      |     Finished \`dev\` profile [unoptimized + debuginfo] target(s) in 0.88s
      says: The error is gone; one warning about an unused variable remains.
      you: good enough`,
  },
  {
    name: 'the person finds the fault themselves',
    shape: 'claude',
    outcome: 'abandoned',
    why: 'The person solved it; the agent’s way was dropped.',
    script: `
      you: websocket closes after 60s in prod, why?
      read nginx.conf
      edit nginx.conf
      says: I raised proxy_read_timeout to 300s. Deploy it and check again.
      you: no dice
      edit src/socket.ts
      says: I added a heartbeat every 30 seconds.
      you: nvm found it, it was the load balancer. undo your changes
      run git checkout nginx.conf src/socket.ts
      | Updated 2 paths from the index
      says: Both files are back to their committed state.`,
  },
  {
    name: 'a merge with conflicts, resolved and green',
    shape: 'codex',
    outcome: 'success',
    why: 'Resolved, green, merged.',
    script: `
      you: merge main into this branch and resolve the conflicts
      run git merge origin/main
      | Auto-merging src/router.go
      | CONFLICT (content): Merge conflict in src/router.go
      | Automatic merge failed; fix conflicts and then commit the result.
      exit 1
      read src/router.go
      edit src/router.go
      run go build ./... && go test ./...
      | ok  	example.com/app/src	0.210s
      run git add -A && git commit --no-edit
      | [feature 5f6a7b8] Merge remote-tracking branch 'origin/main' into feature
      says: Merged. The conflict in router.go was two new routes at the same place; both are kept. Tests pass.`,
  },
]
