import { mkdirSync } from 'node:fs'
import path from 'node:path'
import { write } from './claude-log.ts'
import { cleanEnv } from './cli.ts'
import { tempDir } from './home.ts'

export interface Place {
  readonly home: string
  readonly env: Record<string, string>
  readonly queue: string
}

export function newPlace(): Place {
  const home = tempDir()
  const data = path.join(home, 'data')
  for (const dir of ['.claude', '.codex', '.grok']) mkdirSync(path.join(home, dir))
  return { home, env: cleanEnv(home, data), queue: path.join(data, 'recall', 'queue') }
}

export function setCadence({ home }: Place, cadence: string): void {
  write(path.join(home, '.config/recall/config.toml'), `[session_memory.retention]\ncadence = "${cadence}"\n`)
}
