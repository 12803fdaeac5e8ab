import { describe, expect, test } from 'vitest'
import { commitsIn, provenBy, pullRequestsIn, testVerdict, watchOf } from './result-proof.ts'

const GREEN: readonly (readonly [runner: string, output: string])[] = [
  [
    'vitest',
    ' ✓ src/a.test.ts (3 tests) 12ms\n\n Test Files  1 passed (1)\n      Tests  3 passed (3)\n   Duration  301ms',
  ],
  ['vitest in colour', '\u001b[2m      Tests \u001b[22m \u001b[1m\u001b[32m3 passed\u001b[39m\u001b[22m (3)'],
  [
    'jest',
    'PASS src/a.test.js\n\nTest Suites: 1 passed, 1 total\nTests:       5 passed, 5 total\nSnapshots:   0 total',
  ],
  ['mocha', '  parser\n    ✔ reads\n\n  12 passing (31ms)\n  1 pending'],
  ['pytest', '===== 12 passed, 1 skipped, 2 warnings in 0.34s ====='],
  ['pytest, expected failures', '===== 3 passed, 1 xfailed in 0.10s ====='],
  ['pytest -q', '....\n4 passed in 61.02s (0:01:01)'],
  ['unittest', '.....\n---------\nRan 5 tests in 0.001s\n\nOK'],
  ['go', 'ok  \texample.com/a\t0.012s\nok  \texample.com/b\t(cached)\n?   \texample.com/c\t[no test files]'],
  ['go -v', '=== RUN   TestA\n--- PASS: TestA (0.00s)\nPASS\nok  \texample.com/a\t0.1s'],
  ['cargo', 'running 12 tests\n............\ntest result: ok. 12 passed; 0 failed; 0 ignored; finished in 0.01s'],
  ['nextest', '     Summary [   0.030s] 12 tests run: 12 passed, 0 skipped'],
  ['node:test', '# tests 4\n# pass 4\n# fail 0\n# cancelled 0'],
  ['node:test, spec', 'ℹ tests 4\nℹ pass 4\nℹ fail 0'],
  ['rspec', '....\n\nFinished in 0.1 seconds\n12 examples, 0 failures, 1 pending'],
  ['minitest', '10 runs, 20 assertions, 0 failures, 0 errors, 0 skips'],
  ['phpunit', 'OK (5 tests, 10 assertions)'],
  ['maven', '[INFO] Tests run: 5, Failures: 0, Errors: 0, Skipped: 0\n[INFO] BUILD SUCCESS'],
  ['gradle', '> Task :test\n\nBUILD SUCCESSFUL in 4s'],
  ['dotnet', 'Passed!  - Failed:     0, Passed:    12, Skipped:     0, Total:    12'],
  ['ctest', '100% tests passed, 0 tests failed out of 5'],
  ['bats', ' ✓ adds\n\n3 tests, 0 failures'],
  ['tap', 'TAP version 13\nok 1 - adds\nnot ok 2 - later # TODO not yet\n1..2'],
  ['deno', 'ok | 5 passed | 0 failed (20ms)'],
  ['bun', ' 5 pass\n 0 fail\nRan 5 tests across 1 file.'],
  ['playwright', '  12 passed (5.2s)'],
  ['XCTest', 'Executed 5 tests, with 0 failures (0 unexpected) in 0.1 seconds\n** TEST SUCCEEDED **'],
  ['prove', 'All tests successful.\nResult: PASS'],
  ['busted', '3 successes / 0 failures / 0 errors / 0 pending : 0.01 seconds'],
  ['bazel', 'Executed 1 out of 12 tests: 12 tests pass.'],
  ['googletest', '[==========] 12 tests ran.\n[  PASSED  ] 12 tests.'],
  ['swift-testing', '✔ Test run with 12 tests passed after 0.2 seconds.'],
  ['flutter', '00:03 +12: All tests passed!'],
  ['sbt', '[info] Passed: Total 5, Failed 0, Errors 0, Passed 5'],
  ['clojure', 'Ran 4 tests containing 9 assertions.\n0 failures, 0 errors.'],
  ['meson', 'Ok:                 5\nFail:               0'],
  ['testthat', '[ FAIL 0 | WARN 0 | SKIP 0 | PASS 12 ]'],
  ['vstest', 'Total tests: 12. Passed: 12. Failed: 0. Skipped: 0.'],
  ['tox', '  py312: OK (2.10=setup[0.10]+cmd[2.00] seconds)'],
  ['zig', 'All 5 tests passed.'],
]

const RED: readonly (readonly [runner: string, output: string])[] = [
  [
    'vitest',
    ' FAIL  src/a.test.ts > adds\n Test Files  1 failed | 3 passed (4)\n      Tests  1 failed | 41 passed (42)',
  ],
  ['jest', 'Tests:       1 failed, 20 passed, 21 total'],
  ['mocha', '  3 passing (20ms)\n  1 failing\n\n  1) parser'],
  ['pytest', 'FAILED tests/test_a.py::test_x - assert 1 == 2\n===== 1 failed, 12 passed in 0.12s ====='],
  ['pytest that cannot collect', 'ERROR tests/test_a.py\n==== 1 error in 0.08s ===='],
  ['unittest', 'Ran 5 tests in 0.001s\n\nFAILED (failures=1)'],
  ['go', '--- FAIL: TestA (0.00s)\n    a_test.go:5: no\nFAIL\nFAIL\texample.com/a\t0.1s\nok  \texample.com/b\t0.1s'],
  ['go that does not build', '# example.com/a\n./a.go:3:2: undefined: x\nFAIL\texample.com/a [build failed]'],
  ['cargo', 'test result: FAILED. 11 passed; 1 failed; 0 ignored'],
  ['cargo that does not compile', 'error[E0382]: borrow of moved value\nerror: could not compile `a` (lib test)'],
  ['nextest', '     Summary [   0.030s] 12 tests run: 11 passed, 1 failed, 0 skipped'],
  ['node:test', '# pass 3\n# fail 1'],
  ['rspec', '12 examples, 1 failure'],
  ['minitest', '10 runs, 20 assertions, 0 failures, 1 errors, 0 skips'],
  ['phpunit', 'FAILURES!\nTests: 5, Assertions: 10, Failures: 1.'],
  ['maven', '[ERROR] Tests run: 5, Failures: 0, Errors: 1, Skipped: 0\n[INFO] BUILD FAILURE'],
  ['gradle', '5 tests completed, 1 failed\n\nBUILD FAILED in 4s'],
  ['dotnet', 'Failed!  - Failed:     1, Passed:    11, Skipped:     0'],
  ['ctest', '67% tests passed, 1 tests failed out of 3'],
  ['bats', 'not ok 2 subtracts\n# (in test file a.bats, line 3)'],
  ['make', 'make: *** [Makefile:5: test] Error 1'],
  ['deno', 'FAILED | 4 passed | 1 failed (20ms)'],
  ['bun', ' 4 pass\n 1 fail'],
  ['playwright', '  1 failed\n    a.spec.ts:3\n  11 passed (5.2s)'],
  ['TypeScript before the tests', "src/a.ts(3,5): error TS2345: Argument of type 'string'"],
  ['Python before the tests', 'Traceback (most recent call last):\n  File "a.py"\nSyntaxError: invalid syntax'],
  ['bazel', 'Executed 12 out of 12 tests: 11 tests pass and 1 fails locally.'],
  ['googletest', '[  PASSED  ] 11 tests.\n[  FAILED  ] 1 test, listed below:'],
  ['swift-testing', '✘ Test run with 12 tests failed after 0.2 seconds with 1 issue.'],
  ['flutter', '00:03 +11 -1: Some tests failed.'],
  ['sbt', '[error] Failed: Total 5, Failed 1, Errors 0, Passed 4'],
  ['clojure', '1 failures, 0 errors.'],
  ['meson', 'Ok:                 4\nFail:               1'],
  ['testthat', '[ FAIL 1 | WARN 0 | SKIP 0 | PASS 11 ]'],
  ['vstest', 'Total tests: 12. Passed: 11. Failed: 1. Skipped: 0.'],
  ['tox', '  py312: FAIL code 1 (2.10 seconds)'],
]

describe('the verdict of a test run', () => {
  test.each(GREEN)('is green for %s', (_, output) => {
    expect(testVerdict(output, false)).toBe('passed')
  })

  test.each(RED)('is red for %s, whatever the exit code', (_, output) => {
    expect(testVerdict(output, true)).toBe('failed')
    expect(testVerdict(output, false)).toBe('failed')
  })

  test('is red after a bad exit without a summary, and after a bad exit in spite of one', () => {
    expect(testVerdict('Exit code 2\nsomething went wrong', true)).toBe('failed')
    expect(testVerdict('Tests  3 passed (3)\nUnhandled rejection', true)).toBe('failed')
  })

  test('is open where nothing ran or nothing was said', () => {
    expect(testVerdict('', true)).toBe(null)
    expect(testVerdict('Exit code 1\n', true)).toBe(null)
    expect(testVerdict('Exit code 127\nsh: vitest: command not found', true)).toBe(null)
    expect(testVerdict('no tests ran in 0.01s', true)).toBe(null)
    expect(testVerdict('started in the background', false)).toBe(null)
  })

  test('does not take what tests print for a summary', () => {
    expect(testVerdict('warn: 2 requests failed, retrying\nError: as expected\n Tests  3 passed (3)', false)).toBe(
      'passed',
    )
  })

  test('is found at the end of a long output', () => {
    const noise = 'a line of progress\n'.repeat(50_000)
    expect(testVerdict(`${noise}1 failed, 3 passed in 2.00s`, false)).toBe('failed')
    expect(testVerdict(`${noise}4 passed in 2.00s\n`, false)).toBe('passed')
  })
})

describe('tests that were all skipped', () => {
  test.each([
    ['rspec', '9 examples, 0 failures, 9 pending'],
    ['ExUnit', '3 tests, 0 failures, 3 excluded'],
    ['minitest', '10 runs, 0 assertions, 0 failures, 0 errors, 10 skips'],
    ['maven', '[INFO] Tests run: 3, Failures: 0, Errors: 0, Skipped: 3\n[INFO] BUILD SUCCESS'],
    ['dotnet', 'Passed!  - Failed:     0, Passed:     0, Skipped:     3, Total:     3'],
    ['go', 'ok  \texample.com/a\t0.012s [no tests to run]'],
  ])('prove nothing: %s', (_, output) => expect(testVerdict(output, false)).toBe(null))

  test('take nothing from those that passed', () => {
    expect(testVerdict('9 examples, 0 failures, 8 pending', false)).toBe('passed')
    expect(testVerdict('ok  \ta\t0.01s [no tests to run]\nok  \tb\t0.02s', false)).toBe('passed')
  })
})

describe('commits', () => {
  test('are read from what git commit prints', () => {
    expect(commitsIn('[main 1a2b3c4] keep the zone\n 1 file changed')).toEqual(['1a2b3c4'])
    expect(commitsIn('[main (root-commit) abcdef0] first')).toEqual(['abcdef0'])
    expect(commitsIn('[feature/x-1 0123abc] a\n[feature/x-1 0123abd] b')).toEqual(['0123abc', '0123abd'])
    expect(commitsIn('lint ok\n[detached HEAD 9999999] c')).toEqual(['9999999'])
  })

  test('are not read from a push or a log', () => {
    expect(commitsIn('   1a2b3c4..5d6e7f8  main -> main\n1a2b3c4 keep the zone\n[info] 1a2b3c4')).toEqual([])
  })
})

describe('pull requests', () => {
  test('are read as addresses', () => {
    expect(pullRequestsIn('Creating pull request\nhttps://github.com/a/b/pull/12\n')).toEqual([
      'https://github.com/a/b/pull/12',
    ])
    expect(pullRequestsIn('!3 title (x)\n https://gitlab.com/a/b/-/merge_requests/3')).toHaveLength(1)
    expect(pullRequestsIn('{"html_url":"https://git.example.org/a/b/pulls/7"}')).toHaveLength(1)
  })

  test('are not what a push proposes', () => {
    expect(pullRequestsIn('remote: https://github.com/a/b/pull/new/topic')).toEqual([])
    expect(pullRequestsIn('https://gitlab.com/a/b/-/merge_requests/new?x=1')).toEqual([])
  })
})

describe('what is watched for', () => {
  const watch = (command: string, kind = 'tool_call') => watchOf({ tool: 'Bash', kind, command })

  test('follows from the commands within', () => {
    expect(watch('npm test', 'test_run')).toEqual(['tests'])
    expect(watch('git add -A && git -C app commit -m "gh pr create"')).toEqual(['commit'])
    expect(watch('npm test && git commit -am x && gh pr create --fill', 'test_run')).toEqual(['tests', 'commit', 'pr'])
    expect(watch('gh -R a/b pr create --title x')).toEqual(['pr'])
    expect(watch('glab mr create --fill')).toEqual(['pr'])
    expect(watchOf({ tool: 'mcp__github__create_pull_request', kind: 'tool_call', command: null })).toEqual(['pr'])
  })

  test('is nothing for what only speaks of it', () => {
    expect(watch('git log --grep commit')).toEqual([])
    expect(watch('git push')).toEqual([])
    expect(watch('gh pr view 12')).toEqual([])
    expect(watch('echo "git commit"')).toEqual([])
  })

  test('a result proves only what its call is watched for', () => {
    const output = 'Tests  3 passed (3)\n[main 1a2b3c4] x\nhttps://github.com/a/b/pull/12'
    expect(provenBy([], output, false)).toEqual({ tests: null, made: [] })
    expect(provenBy(['tests', 'commit', 'pr'], output, false)).toEqual({
      tests: 'passed',
      made: [
        { kind: 'commit', value: '1a2b3c4' },
        { kind: 'pr', value: 'https://github.com/a/b/pull/12' },
      ],
    })
    expect(provenBy(['pr'], output, true).made).toEqual([])
  })
})

describe('a check behind a pipe', () => {
  const judged = (command: string, output: string) =>
    provenBy(watchOf({ tool: 'Bash', kind: 'tool_call', command }), output, false).tests

  test('is red where its output says so, and never more than that', () => {
    const red = "src/a.ts(3,10): error TS2305: Module has no exported member 'Switch'.\nFound 1 error."
    expect(judged('cd web && npm run build 2>&1 | tail -5', red)).toBe('failed')
    expect(judged('npx eslint src | tail -3', '✖ 4 problems (4 errors, 0 warnings)')).toBe('failed')
    expect(judged('npx eslint src | tail -3', '✖ 4 problems (0 errors, 4 warnings)')).toBe(null)
    expect(judged('npm run build | tail', 'built in 2s')).toBe(null)
    expect(judged('grep -n "error: " log | tail', 'error: old')).toBe(null)
  })
})
