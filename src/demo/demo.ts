import { mkdirSync, utimesSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { claudeFiles, type LogFile } from './claude.ts'
import { codexFiles } from './codex.ts'
import { keiFiles, keiScripts, traceFiles } from './kei.ts'
import type { Script } from './script.ts'
import { grokFiles } from './grok.ts'
import { grokScripts } from './scripts/grok-index.ts'
import { codexScripts } from './scripts/codex-index.ts'
import { claudeScripts } from './scripts/index.ts'

/** An agent that takes part in the demo: the sessions it had and the files it leaves of one. */
interface Player {
  readonly scripts: () => readonly Script[]
  readonly files: (script: Script, start: number) => readonly LogFile[]
}

const players: readonly Player[] = [
  { scripts: claudeScripts, files: (script, start) => [...claudeFiles(script, start), ...traceFiles(script, start)] },
  { scripts: codexScripts, files: codexFiles },
  { scripts: grokScripts, files: grokFiles },
  { scripts: keiScripts, files: keiFiles },
]

/**
 * Lays made-up sessions under `dir` as the agents would have left them in a home, the newest on the last
 * workday before `now`. The same `now` gives the same bytes; nothing that lies there already is removed.
 */
export function writeDemoHome(dir: string, now: number): { sessions: number } {
  let sessions = 0
  for (const { scripts, files } of players) {
    for (const script of scripts()) {
      for (const file of files(script, startOf(script.when, now))) writeLog(dir, file)
      sessions += 1
    }
  }
  return { sessions }
}

function writeLog(dir: string, file: LogFile): void {
  const target = path.join(dir, file.path)
  mkdirSync(path.dirname(target), { recursive: true })
  writeFileSync(target, file.lines.map((line) => `${JSON.stringify(line)}\n`).join(''))
  utimesSync(target, file.endedAt / 1000, file.endedAt / 1000)
}

const DAY_MS = 86_400_000

function startOf(when: Script['when'], now: number): number {
  let day = Math.floor(now / DAY_MS) * DAY_MS
  for (let left = when.workdaysAgo; left > 0;) {
    day -= DAY_MS
    const weekday = new Date(day).getUTCDay()
    if (weekday !== 0 && weekday !== 6) left -= 1
  }
  const [hours = 0, minutes = 0] = when.at.split(':').map(Number)
  return day + (hours * 60 + minutes) * 60_000
}
