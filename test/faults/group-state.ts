import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { ClaudeLog, uuid } from '../kit/claude-log.ts'
import type { Place } from './workshop.ts'

/** Groups whose agents have asked for something: tasks that wait, one of them nobody's, and one that cannot be done. */
export async function writeGroups(place: Place, run: (...args: string[]) => Promise<unknown>): Promise<void> {
  const root = path.join(place.data, 'recall')
  for (const group of ['main', 'dev', 'solo']) {
    await run('group', 'add', group)
    for (const name of ['first', 'second']) {
      const id = uuid(`${group}-${name}`)
      const log = new ClaudeLog(id).user(`a question of ${group}`).say(`the ${name} answer`)
      put(path.join(root, `data/sessions/${group}/.claude/projects/-workspace-group/${id}.jsonl`), log.text())
    }
    await run('session', 'set', uuid(`${group}-first`), '--group', group)
  }
  await run('session', 'archive', 'The first', '--group', 'dev')
  await run('session', 'set', uuid('dev-second'), '--group', 'dev')
  const ask = (group: string, name: string, task: object) =>
    put(path.join(root, `data/ipc/${group}/tasks/${name}.json`), JSON.stringify(task))
  ask('main', '100-aaaaaa', { type: 'clear_session', name: 'Black tea', groupFolder: 'dev', timestamp: '' })
  ask('dev', '200-bbbbbb', { type: 'resume_session', sessionHistoryId: 1, saveName: 'Kept', groupFolder: 'dev' })
  ask('dev', '300-cccccc', { type: 'schedule_task', prompt: 'water the plants' })
  ask('main', '400-dddddd', { type: 'resume_session', sessionHistoryId: 99 })
}

function put(file: string, text: string): void {
  mkdirSync(path.dirname(file), { recursive: true })
  writeFileSync(file, text)
}
