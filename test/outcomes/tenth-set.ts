import type { Ending } from './terminal-script.ts'

/** Failures whose status a pipe or a list hides, of programs that are no well-known checkers. */
export const TENTH_SET: readonly Ending[] = [
  {
    name: 'bazel test red, fixed, green, pull request opened',
    shape: 'codex',
    outcome: 'success',
    why: 'Green and a pull request.',
    script: `
      you: bump protobuf to 29 and open a PR
      edit MODULE.bazel
      run bazel test //...
      | //proto:roundtrip_test                                           FAILED in 0.3s
      | Executed 12 out of 12 tests: 11 tests pass and 1 fails locally.
      exit 3
      edit proto/roundtrip_test.cc
      run bazel test //...
      | //proto:roundtrip_test                                           PASSED in 0.2s
      | Executed 1 out of 12 tests: 12 tests pass.
      run git commit -am "deps: protobuf 29"
      | [protobuf-29 81ab2f0] deps: protobuf 29
      run git push -u origin protobuf-29 && gh pr create --fill
      | https://github.com/acme/wire/pull/318
      says: Opened https://github.com/acme/wire/pull/318. All 12 tests pass.`,
  },
  {
    name: 'psql fails, then a look around',
    shape: 'claude',
    outcome: 'fail',
    ends: 'red',
    why: 'The output says that it failed.',
    script: `
      you: get the migrations to run on a fresh database
      edit db/001.sql
      run docker compose -f dev.yml exec db psql -f /db/001.sql
      | psql:/db/001.sql:14: ERROR:  relation "users" does not exist
      exit 3
      run docker compose -f dev.yml ps
      | db  running
      says: The second migration refers to users before it is created. The order of the files has to change.`,
  },
  {
    name: 'an upload that fails behind a pipe',
    shape: 'codex',
    outcome: 'unknown',
    ends: 'red',
    why: 'The output says that it failed; nothing was edited and the agent is silent about it.',
    script: `
      you: ship the ios build to testflight
      run fastlane beta 2>&1 | tail -5
      | [!] Error uploading ipa file: The provided entity includes an attribute with a value that has already been used
      | fastlane finished with errors
      says: The upload step was run for build 214.`,
  },
  {
    name: 'a playbook that fails behind a pipe',
    shape: 'claude',
    outcome: 'fail',
    ends: 'red',
    why: 'The output says that it failed.',
    script: `
      you: make the playbook idempotent
      edit site.yml
      run ansible-playbook site.yml | tail -3
      | PLAY RECAP *****
      | web1 : ok=12 changed=1 unreachable=0 failed=1
      says: The task now uses creates=, which makes it idempotent.`,
  },
  {
    name: 'swift testing red behind a pipe',
    shape: 'claude',
    outcome: 'fail',
    ends: 'red',
    why: 'The output says that it failed.',
    script: `
      you: port the tests to swift testing
      edit Tests/AppTests.swift
      run swift test 2>&1 | tail -2
      | ✘ Test run with 24 tests failed after 0.3 seconds with 2 issues.
      says: All tests are ported to the new framework.`,
  },
  {
    name: 'flutter red behind a pipe',
    shape: 'codex',
    outcome: 'fail',
    ends: 'red',
    why: 'The output says that it failed.',
    script: `
      you: fix the widget test
      edit test/widget_test.dart
      run flutter test | tail -1
      | 00:04 +8 -1: Some tests failed.
      says: The finder now uses the key.`,
  },
  {
    name: 'testthat red behind a pipe',
    shape: 'grok',
    outcome: 'fail',
    ends: 'red',
    why: 'The output says that it failed.',
    script: `
      you: speed up the aggregation
      edit R/agg.R
      run Rscript -e 'devtools::test()' 2>&1 | tail -1
      | [ FAIL 2 | WARN 0 | SKIP 0 | PASS 31 ]
      says: agg() is vectorised and about ten times faster.`,
  },
  {
    name: 'sbt red behind a pipe',
    shape: 'codex',
    outcome: 'fail',
    ends: 'red',
    why: 'The output says that it failed.',
    script: `
      you: speed up the indexer
      edit src/main/scala/Indexer.scala
      run sbt test 2>&1 | tail -4
      | [error] Failed: Total 18, Failed 1, Errors 0, Passed 17
      | [error] Failed tests:
      | [error] 	IndexerSpec
      says: The indexer batches its writes now.`,
  },
  {
    name: 'an image that does not build, behind a pipe',
    shape: 'claude',
    outcome: 'fail',
    ends: 'red',
    why: 'The output says that it failed.',
    script: `
      you: add arm64 to the image
      edit docker-bake.hcl
      run docker buildx bake --push 2>&1 | tail -2
      | ERROR: failed to solve: no match for platform in manifest
      says: linux/arm64 is in the bake file.`,
  },
  {
    name: 'a notebook that does not run, behind a pipe',
    shape: 'grok',
    outcome: 'fail',
    ends: 'red',
    why: 'The output says that it failed.',
    script: `
      you: make the notebook run end to end
      edit nb/train.ipynb
      run jupyter nbconvert --execute nb/train.ipynb --to notebook 2>&1 | tail -3
      | nbclient.exceptions.CellExecutionError: An error occurred while executing the following cell:
      | KeyError: 'label'
      says: The paths in the notebook are relative now.`,
  },
  {
    name: 'ninja red behind a pipe',
    shape: 'claude',
    outcome: 'fail',
    ends: 'red',
    why: 'The output says that it failed.',
    script: `
      you: fix the build
      edit CMakeLists.txt
      run ninja -C build 2>&1 | tail -3
      | FAILED: src/app.o
      | ninja: build stopped: subcommand failed.
      says: I added the missing include directory.`,
  },
  {
    name: 'a build that must not fail and does',
    shape: 'codex',
    outcome: 'fail',
    ends: 'red',
    why: 'The output says that it failed.',
    script: `
      you: bump next to 15
      run npm install next@15
      | added 3 packages
      run npm run build || true
      | Type error: Route "src/app/page.tsx" has an invalid "default" export
      | Next.js build worker exited with code: 1 and signal: null
      says: next is at 15.0.3.`,
  },
]
