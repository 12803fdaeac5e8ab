import { createRedactor } from '../../src/ingest/redact.ts'
import { serveOnce, type Host, type TaskOutcome } from '../../src/groups/host.ts'
import { groupAgent } from '../../src/sources/group-agents.ts'
import { claimFile, SqlitePointers } from '../../src/store/sqlite/pointers.ts'

/** A host on a root of its own, with a clock that stands still. */
export function hostOn(root: string, onStep: (step: string) => void = () => undefined, now = Date.now): Host {
  const redactor = createRedactor()
  return {
    root,
    agent: groupAgent,
    assistantName: 'G2',
    now,
    redact: (text) => redactor.text(text),
    pointers: new SqlitePointers(`${root}/groups.db`),
    claim: () => claimFile(`${root}/groups.db.lock`),
    onStep,
  }
}

/** One pass that ends for good before the step with this number. */
export function serveAndDie(root: string, step: number, now: number): TaskOutcome[] {
  let count = 0
  const onStep = () => {
    if (count++ === step) process.kill(process.pid, 'SIGKILL')
  }
  return serveOnce(hostOn(root, onStep, () => now))
}
