import type { Ending } from './terminal-script.ts'

/** Written without knowing the rules: checked work that ends well. */
export const EIGHTH_SET: readonly Ending[] = [
  {
    name: 'pytest green, then committed',
    shape: 'claude',
    outcome: 'success',
    why: 'Green and committed.',
    script: `
      you: the CSV import drops rows whose amount has a comma as decimal separator. fix it and commit
      run rg -n "Decimal\\(" importer
      | importer/rows.py:41:        amount = Decimal(raw)
      read importer/rows.py
      edit importer/rows.py
      edit tests/test_rows.py
      run python -m pytest -q
      | ........................................                                 [100%]
      | 40 passed in 1.92s
      run git add -A && git commit -m "importer: accept decimal commas"
      | [main 3f9e2b1] importer: accept decimal commas
      |  2 files changed, 19 insertions(+), 3 deletions(-)
      says: Fixed and committed as 3f9e2b1. Amounts like \`1.234,50\` are now parsed by locale.`,
  },
  {
    name: 'jest green, nothing committed',
    shape: 'codex',
    outcome: 'success',
    why: 'Green at the end; nobody asked for a commit.',
    script: `
      you: useDebounce fires once more after unmount. Write a test for that and make it pass.
      read src/hooks/useDebounce.ts
      edit src/hooks/useDebounce.test.ts
      run npx jest useDebounce
      | FAIL src/hooks/useDebounce.test.ts
      |   ● useDebounce › does not fire after unmount
      | Tests:       1 failed, 4 passed, 5 total
      exit 1
      edit src/hooks/useDebounce.ts
      run npx jest useDebounce
      | PASS src/hooks/useDebounce.test.ts
      | Tests:       5 passed, 5 total
      | Snapshots:   0 total
      says: The timer is now cleared in the effect's cleanup. The new test failed before and passes now.`,
  },
  {
    name: 'vitest red then green',
    shape: 'claude',
    outcome: 'success',
    why: 'Mended and green.',
    script: `
      you: npm test is red on main, please fix
      run npm test
      | > vitest run
      |  FAIL  src/price.test.ts > rounds half to even
      | AssertionError: expected 2.4 to be 2.5
      |  Test Files  1 failed | 11 passed (12)
      |       Tests  1 failed | 88 passed (89)
      exit 1
      read src/price.ts
      edit src/price.ts
      run npm test
      | > vitest run
      |  Test Files  12 passed (12)
      |       Tests  89 passed (89)
      says: \`round()\` used Math.round, which rounds half up. It now rounds half to even, and all 89 tests pass.`,
  },
  {
    name: 'the one red test is deselected with a word about it and the rest is green',
    shape: 'grok',
    outcome: 'success',
    why: 'The last run, of everything the change can touch, is green.',
    script: `
      you: /api/health should also report the queue depth
      edit server/health.py
      run pytest tests -q
      | FAILED tests/test_s3.py::test_upload - botocore.exceptions.NoCredentialsError: Unable to locate credentials
      | 1 failed, 73 passed in 8.40s
      exit 1
      run git stash && pytest tests/test_s3.py -q; git stash pop
      | FAILED tests/test_s3.py::test_upload - botocore.exceptions.NoCredentialsError: Unable to locate credentials
      | 1 failed, 3 passed in 1.02s
      run pytest tests -q --deselect tests/test_s3.py::test_upload
      | 73 passed, 1 deselected in 7.91s
      says: Health now reports \`queue_depth\`. test_upload needs AWS credentials and fails without my change too; everything else passes.`,
  },
  {
    name: 'gradle build without tests',
    shape: 'claude',
    outcome: 'success',
    why: 'It builds and that was the wish.',
    script: `
      you: upgrade kotlin to 2.1 so that the build works again
      edit gradle/libs.versions.toml
      run ./gradlew assemble
      | > Task :app:compileKotlin FAILED
      | e: file:///home/sam/code/demo/app/src/main/kotlin/Main.kt:12:9 Unresolved reference 'toLowerCase'.
      | BUILD FAILED in 21s
      exit 1
      edit app/src/main/kotlin/Main.kt
      run ./gradlew assemble
      | BUILD SUCCESSFUL in 34s
      | 18 actionable tasks: 12 executed, 6 up-to-date
      says: Kotlin is at 2.1.0 and the project assembles again. \`toLowerCase()\` is gone in 2.1, I replaced it with \`lowercase()\`.`,
  },
  {
    name: 'maven with Failures: 0, Errors: 0',
    shape: 'codex',
    outcome: 'success',
    why: 'Zeroes are not failures.',
    script: `
      you: ErrorHandlerTest is missing a case for 404, add it
      edit src/test/java/web/ErrorHandlerTest.java
      run mvn -q -Dtest=ErrorHandlerTest,FailureModeTest test
      | [INFO] Running web.ErrorHandlerTest
      | [INFO] Tests run: 6, Failures: 0, Errors: 0, Skipped: 0, Time elapsed: 0.4 s -- in web.ErrorHandlerTest
      | [INFO] Running web.FailureModeTest
      | [INFO] Tests run: 3, Failures: 0, Errors: 0, Skipped: 0, Time elapsed: 0.1 s -- in web.FailureModeTest
      | [INFO] BUILD SUCCESS
      says: Added \`answers404ForUnknownRoutes\`; 9 tests run, none fail.`,
  },
  {
    name: 'dotnet test green in a headless run',
    shape: 'grok',
    by: 'program',
    outcome: 'success',
    why: 'Done and green, nobody needed.',
    script: `
      you: Add XML doc comments to every public type in src/Core. Run the build and the tests.
      edit src/Core/Clock.cs
      edit src/Core/Ledger.cs
      run dotnet build -warnaserror
      | Build succeeded.
      |     0 Warning(s)
      |     0 Error(s)
      run dotnet test --no-build
      | Passed!  - Failed:     0, Passed:    55, Skipped:     0, Total:    55, Duration: 2 s
      says: All public types in src/Core have doc comments. Build without warnings, 55 tests pass.`,
  },
  {
    name: 'phpunit green after the user was not content, in German',
    shape: 'claude',
    outcome: 'success',
    why: 'Complained, mended, green, thanked.',
    script: `
      you: Die Rechnungsnummern sollen pro Jahr neu bei 1 anfangen
      edit src/Invoice/NumberRange.php
      run vendor/bin/phpunit
      | OK (41 tests, 96 assertions)
      says: Die Nummern beginnen jetzt jedes Jahr bei 1.
      you: nein, das stimmt so nicht, Stornos müssen im selben Nummernkreis bleiben
      edit src/Invoice/NumberRange.php
      edit tests/NumberRangeTest.php
      run vendor/bin/phpunit
      | OK (43 tests, 101 assertions)
      says: Stornos nutzen jetzt denselben Nummernkreis wie die Rechnungen. 43 Tests sind grün.
      you: super, danke
      says: Gern!`,
  },
  {
    name: 'make with a test named for failure',
    shape: 'grok',
    outcome: 'success',
    why: 'Names are not verdicts.',
    script: `
      you: add a test for the case that the disk is full
      write tests/test_write_error.c
      edit Makefile
      run make check
      | PASS: test_read_error
      | PASS: test_write_error
      | PASS: test_fail_fast
      | # TOTAL: 3
      | # PASS:  3
      | # FAIL:  0
      | # ERROR: 0
      says: \`test_write_error\` simulates ENOSPC with a full tmpfs. All three tests pass.`,
  },
  {
    name: 'eslint with warnings only',
    shape: 'codex',
    outcome: 'success',
    why: 'Warnings are no errors.',
    script: `
      you: get rid of the eslint errors in src/cart
      run npx eslint src/cart
      | ✖ 9 problems (6 errors, 3 warnings)
      exit 1
      edit src/cart/total.ts
      edit src/cart/line.ts
      run npx eslint src/cart
      |   12:5  warning  Unexpected console statement  no-console
      | ✖ 3 problems (0 errors, 3 warnings)
      says: All six errors are fixed. Three no-console warnings remain, which I left since they are in the debug path.`,
  },
  {
    name: 'mypy and ruff clean, pushed',
    shape: 'grok',
    outcome: 'success',
    why: 'Clean and pushed.',
    script: `
      you: add type hints to scheduler/ until mypy --strict is happy, then push
      edit scheduler/queue.py
      edit scheduler/worker.py
      run mypy --strict scheduler
      | scheduler/worker.py:77: error: Missing return statement  [return]
      | Found 1 error in 1 file (checked 6 source files)
      exit 1
      edit scheduler/worker.py
      run mypy --strict scheduler && ruff check scheduler
      | Success: no issues found in 6 source files
      | All checks passed!
      run git commit -am "scheduler: type hints" && git push
      | [types 9c01d2e] scheduler: type hints
      | To github.com:acme/sched.git
      |    1a2b3c4..9c01d2e  types -> types
      says: scheduler/ passes mypy --strict and is pushed to \`types\`.`,
  },
  {
    name: 'terraform applied',
    shape: 'codex',
    outcome: 'success',
    why: 'Applied without an error.',
    script: `
      you: give the staging db 100 GB and apply
      edit staging/db.tf
      run terraform plan -out=tf.plan
      | Plan: 0 to add, 1 to change, 0 to destroy.
      run terraform apply tf.plan
      | aws_db_instance.main: Modifications complete after 2m41s [id=staging-main]
      | Apply complete! Resources: 0 added, 1 changed, 0 destroyed.
      says: The staging database now has 100 GB of storage.`,
  },
  {
    name: 'CI red, mended, CI green',
    shape: 'claude',
    outcome: 'success',
    why: 'CI is green in the end.',
    script: `
      you: why is CI red on my PR? fix it
      run gh pr checks 88
      | build	pass	1m2s	https://github.com/acme/web/actions/runs/1
      | lint	fail	22s	https://github.com/acme/web/actions/runs/2
      exit 1
      run npx prettier --write src
      | src/app.tsx 88ms
      run git commit -am "format" && git push
      | [fix-nav 5e5e5e5] format
      | To github.com:acme/web.git
      run gh pr checks 88 --watch
      | build	pass	1m1s	https://github.com/acme/web/actions/runs/3
      | lint	pass	25s	https://github.com/acme/web/actions/runs/4
      says: It was only formatting in app.tsx. Both checks are green now.`,
  },
  {
    name: 'a flaky test, green the second time',
    shape: 'codex',
    outcome: 'success',
    why: 'Nothing changed in between, and the last run is green.',
    script: `
      you: add a timeout option to connect()
      edit lib/connect.js
      run npm test
      |   1) reconnects after drop:
      |      Error: Timeout of 2000ms exceeded.
      |   57 passing (6s)
      |   1 failing
      exit 1
      run npm test
      |   58 passing (4s)
      says: \`connect({ timeout })\` works. "reconnects after drop" failed once and passed on the second run; it depends on a real timer and is flaky.`,
  },
  {
    name: 'nothing but a commit',
    shape: 'claude',
    outcome: 'success',
    why: 'Asked for a commit, got one.',
    script: `
      you: commit my changes with a good message
      run git diff --stat
      |  src/theme.css | 14 ++++++++------
      run git commit -am "theme: higher contrast in dark mode"
      | [main 0d0d0d0] theme: higher contrast in dark mode
      |  1 file changed, 8 insertions(+), 6 deletions(-)
      says: Committed as 0d0d0d0.`,
  },
  {
    name: 'a subagent finds nothing wrong',
    shape: 'claude',
    by: 'subagent',
    outcome: 'success',
    why: 'It was asked to look and reported.',
    script: `
      you: Review the diff of branch feature/limits for race conditions. Report findings with file and line.
      run git diff main...feature/limits
      | +	mu.Lock()
      read limits/bucket.go
      run go test -race ./limits/
      | ok  	example.com/api/limits	1.220s
      says: No race conditions found. bucket.go:40-71 takes the lock before every read and write of \`tokens\`, and the race detector is clean.`,
  },
]
