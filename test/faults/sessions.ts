import { createHash } from 'node:crypto'
import { mkdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { claudeFiles, type LogFile } from '../../src/demo/claude.ts'
import { codexFiles } from '../../src/demo/codex.ts'
import { grokFiles } from '../../src/demo/grok.ts'
import { bash, edit, on, say, think, user, type Script, type Step } from '../../src/demo/script.ts'

export type Agent = 'claude' | 'codex' | 'grok'

/** A session that can be written up to any of its turns. Every text in it has a word that is nowhere else. */
export interface Saga {
  readonly agent: Agent
  readonly name: string
  readonly turns: number
  /** When it began. */
  readonly start: number
}

/** Where in a turn a word stands: what is stored of each differs. */
export const PARTS = ['prompt', 'answer', 'thought', 'output'] as const
export type Part = (typeof PARTS)[number]

const FILES = { claude: claudeFiles, codex: codexFiles, grok: grokFiles }
const PROJECT = '~/code/faults'
const LINES = 40

/** A word that stands in this part of this turn and nowhere else. It has no ending that a stemmer would cut. */
export function wordOf(saga: Saga, turn: number, part: Part): string {
  const seed = `${saga.agent} ${saga.name} ${turn} ${part}`
  return `k${createHash('sha256').update(seed).digest('hex').slice(0, 14)}k`
}

export function uidOf(saga: Saga): string {
  const [transcript] = filesOf(saga, saga.turns)
  const id = /([0-9a-f]{8}-[0-9a-f-]{27})(?:\.jsonl|\/updates\.jsonl)$/.exec(transcript?.path ?? '')?.[1]
  return `${saga.agent}:${id}`
}

/** Every file of the session when so many of its turns were over. More turns only add lines. */
export function filesOf(saga: Saga, turns: number): LogFile[] {
  const next = turns < saga.turns ? wordOf(saga, turns, 'prompt') : null
  return FILES[saga.agent](scriptOf(saga), saga.start).map((file) => {
    if (next === null || !file.path.endsWith('.jsonl')) return file
    const cut = file.lines.findIndex((line) => JSON.stringify(line).includes(next))
    const lines = cut === -1 ? file.lines.slice(0, Math.ceil((file.lines.length * turns) / saga.turns)) : null
    return { ...file, lines: lines ?? file.lines.slice(0, cut) }
  })
}

export function writeSaga(home: string, saga: Saga, turns = saga.turns, at = saga.start): void {
  for (const file of filesOf(saga, turns)) {
    const text = file.lines.map((line) => `${JSON.stringify(line)}\n`).join('')
    put(path.join(home, file.path), text, at)
  }
}

export function removeSaga(home: string, saga: Saga): void {
  for (const { path: file } of filesOf(saga, saga.turns)) rmSync(path.join(home, file), { force: true })
}

export interface Prompt {
  readonly saga: Saga
  readonly turn: number
}

export function promptsOf(saga: Saga, turns = saga.turns): Prompt[] {
  return Array.from({ length: turns }, (_, turn) => ({ saga, turn }))
}

/** The log of all prompts that each of the agents keeps, in this order. */
export function writeHistories(home: string, told: readonly Prompt[]): void {
  const prompts = told.map(({ saga, turn }) => ({ saga, at: saga.start + turn * 60_000, text: promptOf(saga, turn) }))
  const of = (agent: Agent) => prompts.filter(({ saga }) => saga.agent === agent)
  const id = (saga: Saga) => uidOf(saga).slice(saga.agent.length + 1)
  const cwd = PROJECT.replace('~', '/home/sam')
  put(
    path.join(home, '.claude', 'history.jsonl'),
    lines(
      of('claude').map(({ saga, at, text }) => ({ display: text, timestamp: at, project: cwd, sessionId: id(saga) })),
    ),
  )
  put(
    path.join(home, '.codex', 'history.jsonl'),
    lines(of('codex').map(({ saga, at, text }) => ({ session_id: id(saga), ts: Math.floor(at / 1000), text }))),
  )
  put(
    path.join(home, '.grok', 'sessions', encodeURIComponent(cwd), 'prompt_history.jsonl'),
    lines(
      of('grok').map(({ saga, at, text }) => ({
        session_id: id(saga),
        prompt: text,
        timestamp: new Date(at).toISOString(),
      })),
    ),
  )
}

export function put(file: string, text: string, at?: number): void {
  mkdirSync(path.dirname(file), { recursive: true })
  writeFileSync(file, text)
  if (at !== undefined) utimesSync(file, at / 1000, at / 1000)
}

function lines(records: readonly object[]): string {
  return records.map((record) => `${JSON.stringify(record)}\n`).join('')
}

function promptOf(saga: Saga, turn: number): string {
  return `please look into ${wordOf(saga, turn, 'prompt')} of ${saga.name}, step ${turn}`
}

function scriptOf(saga: Saga): Script {
  const when = on('main', 1, '09:00')
  const turns = Array.from({ length: saga.turns }, (_, turn) => turnOf(saga, turn)).flat()
  return { project: PROJECT, name: saga.name, title: `The affair of ${saga.name}`, when, turns }
}

function turnOf(saga: Saga, turn: number): Step[] {
  const word = (part: Part) => wordOf(saga, turn, part)
  const output = Array.from({ length: LINES }, (_, line) => {
    const noise = createHash('sha256')
      .update(`${word('output')} ${line}`)
      .digest('base64')
    return `line ${line} ${noise}`
  })
  return [
    user(promptOf(saga, turn)),
    think(`the cause may be ${word('thought')}`),
    bash(turn % 2 === 0 ? 'git status --short' : 'ls -la src', [word('output'), ...output].join('\n')),
    edit(`src/${saga.name}.ts`, `const step = ${turn}`, `const step = ${turn + 1}`),
    say(`it was ${word('answer')}, mended now`),
  ]
}
