import { appendFileSync, truncateSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { claude } from '../src/sources/claude/claude.ts'
import { keiTraces } from '../src/sources/kei/kei.ts'
import { resolveSettings } from '../src/settings/settings.ts'
import { createRecall, type Recall } from '../src/recall.ts'
import { files, openForReading, openForWriting } from '../src/store/open.ts'
import { sourceConformance } from './conformance.ts'
import { transcriptPath, write } from './kit/claude-log.ts'
import { query } from './kit/dump.ts'
import { copyInto, corpusHome, noCorpus, NOW, tempDir } from './kit/home.ts'
import { FLAT_LINES, jsonl, SESSION, tracedLog, tracePath } from './kit/kei-trace.ts'

const kei = keiTraces(claude)

function fixture(stem: string, text: string) {
  return {
    lay() {
      const file = write(tracePath(tempDir(), stem), text)
      return {
        unit: { path: file, root: path.dirname(file) },
        bytes: Buffer.from(text),
        append: (bytes: Uint8Array) => appendFileSync(file, bytes),
        truncate: (bytes: number) => truncateSync(file, bytes),
      }
    },
  }
}

const mixed = tracedLog().records.flatMap((record, i) => {
  const own = FLAT_LINES[i % FLAT_LINES.length]
  return i % 2 === 0 || own === undefined
    ? [record]
    : [record, own, { type: 'result', sessionId: SESSION, result: 'x' }]
})

describe('a copied transcript', () => sourceConformance(kei, fixture(SESSION, tracedLog().text())))
describe('a trace of flat lines', () => sourceConformance(kei, fixture('flat', jsonl(FLAT_LINES))))
describe('a trace of both', () => sourceConformance(kei, fixture(SESSION, jsonl(mixed))))

interface Product {
  readonly home: string
  readonly store: string
  readonly recall: Recall
}

function product(home = tempDir()): Product {
  const store = path.join(tempDir(), 'recall.db')
  const settings = resolveSettings({
    env: {},
    config: null,
    configPath: '',
    sourceNames: [],
    flags: { '--store': store },
  })
  const parts = { settings, sources: [claude, kei], env: { HOME: home }, now: () => NOW }
  return { home, store, recall: createRecall({ ...parts, openForReading, openForWriting, files }) }
}

const COUNTS = `uid, flavor, source, title, cwd, git_branch, model, started_at, ended_at, message_count, prompt_count, tool_count,
  event_count, retry_count, responses, input_tokens, output_tokens, cache_read, cache_write_5m, is_complete`

/** What the store says of its sessions as wholes. */
async function told({ recall, store }: Product): Promise<Record<string, unknown>[]> {
  await recall.index()
  await recall.close()
  return query(store, `SELECT ${COUNTS} FROM session WHERE event_count > 0 ORDER BY uid`)
}

async function hits({ recall }: Product, text: string): Promise<number> {
  const { total } = await recall.search({ text, filter: { limit: 10 }, now: NOW })
  await recall.close()
  return total
}

async function fromLogAlone(text = tracedLog().text()): Promise<Record<string, unknown>[]> {
  const alone = product()
  write(transcriptPath(alone.home, SESSION), text)
  return told(alone)
}

describe('a trace of a session', () => {
  test('whose transcript is gone tells all of it, under the same name', async () => {
    const traced = product()
    write(tracePath(traced.home, SESSION), tracedLog().text())
    expect(await told(traced)).toEqual(await fromLogAlone())
    expect(await hits(traced, 'heron')).toBe(1)
  })

  test.each(['the transcript', 'the trace'])('adds nothing to its transcript, when %s comes first', async (first) => {
    const both = product()
    const log = () => write(transcriptPath(both.home, SESSION), tracedLog().text())
    const trace = () => write(tracePath(both.home, SESSION), tracedLog().text())
    const [now, later] = first === 'the trace' ? [trace, log] : [log, trace]
    now()
    await both.recall.index()
    later()
    expect(await told(both)).toEqual(await fromLogAlone())
    expect(await hits(both, 'heron')).toBe(1)
  })

  test('has the short id of its transcript as soon as that is there', async () => {
    const both = product()
    write(tracePath(both.home, SESSION), tracedLog().text())
    await both.recall.index()
    const early = await both.recall.find(SESSION)
    write(transcriptPath(both.home, SESSION), tracedLog().text())
    await both.recall.index()
    const late = await both.recall.find(`claude:${SESSION}`)
    expect(late.sourcePath).toBe(transcriptPath(both.home, SESSION))
    expect((await both.recall.find(early.shortId)).uid).toBe(late.uid)
  })

  test('tells what its transcript has lost', async () => {
    const both = product()
    const lines = tracedLog().text().split('\n')
    write(transcriptPath(both.home, SESSION), `${lines.slice(0, 4).join('\n')}\n`)
    write(tracePath(both.home, SESSION), tracedLog().text())
    expect(await told(both)).toEqual(await fromLogAlone())
  })

  test('does not double records that have no id', async () => {
    const bare = jsonl(tracedLog().records.map((record) => ({ ...record, uuid: undefined, parentUuid: undefined })))
    const both = product()
    write(transcriptPath(both.home, SESSION), bare)
    write(tracePath(both.home, SESSION), bare)
    expect(await told(both)).toEqual(await fromLogAlone(bare))
  })

  test('does not double what flat lines repeat', async () => {
    const both = product()
    const flat = FLAT_LINES.map((line) => ({ ...line, session_id: SESSION }))
    write(transcriptPath(both.home, SESSION), tracedLog().text())
    write(tracePath(both.home, 'flat'), jsonl(flat))
    write(tracePath(both.home, 'mixed'), jsonl([...tracedLog().records, ...flat]))
    expect(await told(both)).toEqual(await fromLogAlone())
  })

  test('copied anew while the session goes on, it is read on', async () => {
    const traced = product()
    const text = tracedLog().text()
    const half = text.indexOf('\n', text.length / 2) + 1
    const file = write(tracePath(traced.home, SESSION), text.slice(0, half))
    await traced.recall.index()
    writeFileSync(file, text)
    const report = await traced.recall.index()
    expect(report.bytesRead).toBeLessThan(half)
    expect(await told(traced)).toEqual(await fromLogAlone())
  })
})

describe('a trace of flat lines', () => {
  test('is a session of its own, named by its file', async () => {
    const traced = product()
    write(tracePath(traced.home, 'walk-1'), jsonl(FLAT_LINES))
    expect(await told(traced)).toMatchObject([
      { uid: 'kei:walk-1', flavor: 'kei', tool_count: 4, message_count: 0, is_complete: 1, started_at: 1700000000000 },
    ])
    const session = await traced.recall.find('kei:walk-1')
    const events = await traced.recall.events(session, { sidechains: true })
    expect(events.filter((event) => event.kind === 'error').map((event) => event.tool)).toEqual(['Bash', 'Bash'])
    expect(events.filter((event) => event.callId !== null)).toHaveLength(4)
  })

  test('keeps the labels it gives, and gets the others from the classifier', async () => {
    const traced = product()
    write(tracePath(traced.home, 'walk-2'), jsonl(FLAT_LINES))
    await traced.recall.index()
    const labels = query(
      traced.store,
      "SELECT event_class FROM event e JOIN lane l ON l.id = e.lane WHERE l.name = '' ORDER BY e.pos",
    )
    expect(labels.map((row) => row['event_class'])).toEqual([
      'tool_use:Read',
      'tool_result',
      'tool_use:Bash',
      'tool_result',
      'tool_use:Bash',
      'tool_error:Bash',
      'tool_use:Bash',
      'worktree_denied',
      'user_correction',
      'other',
    ])
  })

  test('becomes part of the session that its later lines name', async () => {
    const traced = product()
    const file = write(tracePath(traced.home, SESSION), jsonl(FLAT_LINES))
    await traced.recall.index()
    appendFileSync(file, tracedLog().text())
    const sessions = await told(traced)
    expect(sessions.map(({ uid, tool_count }) => [uid, tool_count])).toEqual([[`claude:${SESSION}`, 6]])
  })
})

describe('recorded transcripts, copied as traces,', () => {
  const projects = path.join(corpusHome, '.claude', 'projects')
  const copyTraces = async (home: string): Promise<string[]> => {
    const original = product()
    copyInto(projects, path.join(original.home, '.claude', 'projects'))
    await original.recall.index()
    const files = query(original.store, "SELECT path FROM file WHERE path NOT LIKE '%agent-%'").map(
      (row) => `${row['path']}`,
    )
    for (const file of files) copyInto(file, tracePath(home, path.basename(file, '.jsonl')))
    return files
  }

  test('add nothing beside the originals', async ({ skip }) => {
    skip(noCorpus !== false, String(noCorpus))
    const [alone, both] = [product(), product()]
    for (const { home } of [alone, both]) copyInto(projects, path.join(home, '.claude', 'projects'))
    expect((await copyTraces(both.home)).length).toBeGreaterThan(50)
    expect(await told(both)).toEqual(await told(alone))
  })

  test('tell the same conversations without them', async ({ skip }) => {
    skip(noCorpus !== false, String(noCorpus))
    const [alone, traced] = [product(), product()]
    copyInto(projects, path.join(alone.home, '.claude', 'projects'))
    const copied = new Set((await copyTraces(traced.home)).map((file) => `claude:${path.basename(file, '.jsonl')}`))
    const conversation = ({
      uid,
      title,
      model,
      prompt_count: prompts,
      message_count: messages,
    }: Record<string, unknown>) => (copied.has(String(uid)) ? [{ uid, title, model, prompts, messages }] : [])
    expect((await told(traced)).flatMap(conversation)).toEqual((await told(alone)).flatMap(conversation))
  })
})
