import { CodexLog, threadId, TURN } from './codex-log.ts'

/** A session whose agent works by programs: the calls in them are told when they end. */
export function aProgrammedSession(): CodexLog {
  const test = 'const r = await tools.exec_command({ cmd: "npm test" });\ntext(r.output);'
  const mend =
    'await tools.apply_patch("*** Begin Patch");\nfor (const c of ["git status", "npm test"]) await tools.exec_command({ cmd: c });'
  const changes = {
    '/home/sam/code/demo/a.ts': { type: 'update', unified_diff: '@@ -1 +1 @@\n-1\n+2\n', move_path: null },
  }
  return new CodexLog(threadId(1), { history_mode: 'paginated', source: 'exec', originator: 'codex_exec' })
    .start(TURN[0])
    .context()
    .prompt('mend the test')
    .program('call_1', test)
    .ran('exec-1', 'npm test', 1, 'Tests: 1 failed, 1 total\n')
    .programOutput('call_1', 'Script completed', 'Tests: 1 failed, 1 total\n')
    .tokens(100, 0, 10)
    .program('call_2', mend)
    .completed({ type: 'FileChange', id: 'exec-2', changes, status: 'completed', stdout: 'Success.', stderr: '' })
    .ran('exec-3', 'git status', 0, 'clean\n')
    .ran('exec-4', 'npm test', 0, 'Tests: 1 passed, 1 total\n')
    .programOutput('call_2', 'Script completed', 'done')
    .say('Mended.')
    .tokens(120, 100, 12)
    .complete(TURN[0])
}
