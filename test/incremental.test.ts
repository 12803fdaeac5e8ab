import {
  appendFileSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import path from 'node:path'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { ClaudeLog, subagentPath, transcriptPath, uuid, write } from './kit/claude-log.ts'
import { dump, query } from './kit/dump.ts'
import { NOW, demoHome, productOn, tempDir } from './kit/home.ts'

const SESSION = uuid('incremental')

/** A session with everything that makes numbering hard: blocks of one message apart, retries, subagents, a compaction. */
function lively(): { main: string; agents: Record<string, string> } {
  const log = new ClaudeLog(SESSION)
  log.bare({ type: 'file-history-snapshot', messageId: 'x', snapshot: {} })
  log.user('please fix the flaky test — über-flaky, 日本語 too').think('let me look').say('Looking.')
  log.call('toolu_1', 'Bash', { command: 'npm test' })
  const { message } = log.records.at(-1) as { message: Record<string, unknown> }
  log.record({ type: 'progress', data: { type: 'bash_progress', output: 'x' } })
  log.record({
    type: 'assistant',
    requestId: 'req_late',
    message: {
      ...message,
      content: [{ type: 'tool_use', id: 'toolu_2', name: 'Read', input: { file_path: '/a' } }],
      usage: { input_tokens: 10, output_tokens: 90 },
    },
  })
  log.result('toolu_1', 'Error: boom at line 3', { is_error: true }).result('toolu_2', 'content of a')
  log
    .call('toolu_3', 'Bash', { command: 'npm test' })
    .result('toolu_3', 'ok', { toolUseResult: { stdout: 'ok'.repeat(400), stderr: '' } })
  log.call('toolu_4', 'Task', { description: 'look around', prompt: 'look around' })
  log.result('toolu_4', 'done', { toolUseResult: { agentId: 'a1b2', content: 'x'.repeat(600) } })
  log.record({
    type: 'system',
    subtype: 'compact_boundary',
    parentUuid: null,
    logicalParentUuid: log.records.at(-1)?.['uuid'],
    compactMetadata: { trigger: 'auto', preTokens: 1 },
  })
  log.user('This session is being continued from a previous conversation', { isCompactSummary: true })
  log.user([{ type: 'text', text: '[Request interrupted by user]' }])
  log.record({
    type: 'attachment',
    attachment: { type: 'queued_command', prompt: 'and the docs', commandMode: 'prompt' },
  })
  log.say('All done.').bare({ type: 'ai-title', aiTitle: 'Fix the flaky test', sessionId: SESSION })
  const agent = (id: string) =>
    new ClaudeLog(SESSION, { isSidechain: true, agentId: id })
      .user('look around')
      .call(`toolu_${id}`, 'Grep', { pattern: 'x' })
      .result(`toolu_${id}`, 'found')
      .say('I looked around.')
      .text()
  return { main: log.text(), agents: { a1b2: agent('a1b2'), c3d4: agent('c3d4') } }
}

async function onePass(files: Record<string, string>) {
  const home = tempDir()
  for (const [file, text] of Object.entries(files)) write(path.join(home, file), text)
  const { recall, store } = productOn(home)
  await recall.index()
  return stable(dump(store), home)
}

/** Ids derive from where a file lies; homes differ between runs. */
function stable(dumped: object, home: string): object {
  const text = JSON.stringify(dumped).replaceAll(home, '~')
  return JSON.parse(text, (key, value) => (['short_id', 'message_id', 'call_id'].includes(key) ? 'id' : value))
}

function filesOf({ main, agents }: ReturnType<typeof lively>): Record<string, string> {
  const files = { [path.relative('/h', transcriptPath('/h', SESSION))]: main }
  for (const [id, text] of Object.entries(agents)) files[path.relative('/h', subagentPath('/h', SESSION, id))] = text
  return files
}

describe('reading a transcript in pieces gives what reading it whole gives', () => {
  test('cut at every record', async () => {
    const { main } = lively()
    const file = transcriptPath('', SESSION).slice(1)
    const whole = await onePass({ [file]: main })
    const home = tempDir()
    const { recall, store } = productOn(home)
    write(path.join(home, file), '')
    for (const line of main.split(/(?<=\n)/)) {
      appendFileSync(path.join(home, file), line)
      await recall.index()
    }
    expect(stable(dump(store), home)).toEqual(whole)
  })

  test('cut at random bytes, also inside a character', async () => {
    const { main } = lively()
    const bytes = Buffer.from(main)
    const file = transcriptPath('', SESSION).slice(1)
    const whole = await onePass({ [file]: main })
    const cuts = fc.uniqueArray(fc.integer({ min: 1, max: bytes.length - 1 }), { minLength: 1, maxLength: 12 })
    await fc.assert(
      fc.asyncProperty(cuts, async (points) => {
        const home = tempDir()
        const { recall, store } = productOn(home)
        write(path.join(home, file), '')
        let from = 0
        for (const point of [...points.sort((a, b) => a - b), bytes.length]) {
          appendFileSync(path.join(home, file), bytes.subarray(from, point))
          from = point
          await recall.index()
        }
        expect(stable(dump(store), home)).toEqual(whole)
      }),
      { numRuns: 25 },
    )
  })

  test('main transcript and subagents in every order of arrival', async () => {
    const files = Object.entries(filesOf(lively()))
    const whole = await onePass(Object.fromEntries(files))
    for (const order of permutations(files)) {
      const home = tempDir()
      const { recall, store } = productOn(home)
      for (const [file, text] of order) {
        write(path.join(home, file), text)
        await recall.index()
      }
      expect(stable(dump(store), home)).toEqual(whole)
    }
  })

  test('the sessions of the demo, each cut in three', async () => {
    const home = demoHome()
    const { recall, store } = productOn(home)
    await recall.index()
    const whole = stable(dump(store), home)
    const again = tempDir()
    const pieces = query(store, 'SELECT path FROM file').map((row) => String(row['path']))
    const second = productOn(again)
    for (let third = 1; third <= 3; third++) {
      for (const file of pieces) {
        const bytes = readFileSync(file)
        write(
          path.join(again, path.relative(home, file)),
          bytes.subarray(0, Math.floor((bytes.length * third) / 3)).toString('latin1'),
        )
        writeFileSync(
          path.join(again, path.relative(home, file)),
          bytes.subarray(0, Math.floor((bytes.length * third) / 3)),
        )
      }
      await second.recall.index()
    }
    const lost = query(second.store, 'SELECT count(*) AS n FROM event WHERE flags & 2')[0]?.['n']
    expect(lost).toBe(0)
    expect(stable(dump(second.store), again)).toEqual(whole)
  })
})

function permutations<T>(items: readonly T[]): T[][] {
  if (items.length <= 1) return [[...items]]
  return items.flatMap((item, i) =>
    permutations([...items.slice(0, i), ...items.slice(i + 1)]).map((rest) => [item, ...rest]),
  )
}

describe('a transcript that changes otherwise than by growing', () => {
  async function started() {
    const home = tempDir()
    const bench = productOn(home)
    const file = write(transcriptPath(home, SESSION), lively().main)
    await bench.recall.index()
    return { ...bench, file }
  }

  test('shrunk: what it lost stays, marked, searchable and counted in tokens; the rest equals a fresh index', async () => {
    const { recall, store, file, home } = await started()
    const before = query(store, 'SELECT sum(output) AS n FROM ledger')[0]?.['n']
    const lines = readFileSync(file, 'utf8').split(/(?<=\n)/)
    const kept = lines.slice(6, 12).join('')
    writeFileSync(file, kept)
    await recall.index()
    const fresh = (await onePass({ [path.relative(home, file)]: kept })) as { events: object[] }
    const now = stable(dump(store), home) as { events: { lane: string; flags: number }[] }
    expect(now.events.filter((event) => !event.lane.endsWith('~lost'))).toEqual(fresh.events)
    const lost = now.events.filter((event) => event.lane.endsWith('~lost'))
    expect(lost.length).toBeGreaterThan(3)
    expect(lost.every((event) => event.flags & 2)).toBe(true)
    expect(query(store, 'SELECT sum(output) AS n FROM ledger')[0]?.['n']).toBe(before)
    expect(
      (await recall.search({ text: 'queued docs and the', filter: { limit: 5 }, now: NOW })).hits.length,
    ).toBeGreaterThan(0)
    expect(await recall.doctor()).toEqual([])
  })

  test('rewritten at equal size', async () => {
    const { recall, store, file } = await started()
    const text = readFileSync(file, 'utf8').replace('All done.', 'All gone.')
    writeFileSync(file, text)
    const report = await recall.index()
    expect(report.files.parsed).toBe(1)
    const said = query(store, "SELECT text FROM event WHERE kind = 'assistant_msg' AND flags & 2 = 0").map(
      (row) => row['text'],
    )
    expect(said).toContain('All gone.')
    expect(said).not.toContain('All done.')
  })

  test('replaced by rename with more in it', async () => {
    const { recall, store, file, home } = await started()
    const more = new ClaudeLog(SESSION).user('a wholly different start').say('yes').text() + readFileSync(file, 'utf8')
    write(`${file}.tmp`, more)
    renameSync(`${file}.tmp`, file)
    await recall.index()
    const fresh = (await onePass({ [path.relative(home, file)]: more })) as { events: object[] }
    const now = stable(dump(store), home) as { events: { lane: string }[] }
    expect(now.events.filter((event) => !event.lane.endsWith('~lost'))).toEqual(fresh.events)
  })

  test('grown in place after its beginning was changed', async () => {
    const { recall, file } = await started()
    const text = readFileSync(file, 'utf8').replace('please fix', 'PLEASE FIX')
    truncateSync(file, 0)
    appendFileSync(file, text + new ClaudeLog(uuid('x')).user('tail', { sessionId: SESSION }).text())
    const report = await recall.index()
    expect(report.bytesRead).toBeGreaterThan(text.length)
  })

  test('gone: everything stays', async () => {
    const { recall, store, file } = await started()
    const before = query(store, 'SELECT count(*) AS n FROM event')
    rmSync(file)
    await recall.index()
    expect(query(store, 'SELECT count(*) AS n FROM event')).toEqual(before)
    expect(query(store, 'SELECT status FROM file')).toEqual([{ status: 'gone' }])
    write(file, lively().main)
    const report = await recall.index()
    expect(report.sessions.new).toBe(0)
    expect(query(store, 'SELECT count(*) AS n FROM event')).toEqual(before)
  })

  test('moved to another directory: one session, found by both short ids', async () => {
    const { recall, store, file, home } = await started()
    const old = (await recall.list({ limit: 1 })).sessions[0]?.shortId ?? ''
    const moved = transcriptPath(home, SESSION, '-home-sam-elsewhere')
    mkdirSync(path.dirname(moved), { recursive: true })
    renameSync(file, moved)
    await recall.index()
    await recall.close()
    const { sessions } = await recall.list({ limit: 0 })
    expect(sessions).toHaveLength(1)
    expect(sessions[0]?.shortId).not.toBe(old)
    expect((await recall.find(old)).uid).toBe(`claude:${SESSION}`)
    expect(query(store, 'SELECT count(*) AS n FROM event WHERE flags & 2')).toEqual([{ n: 0 }])
  })

  test('read again in full after it was moved or shortened: nothing is kept twice', async () => {
    const { recall, store, file, home } = await started()
    const moved = transcriptPath(home, SESSION, '-home-sam-elsewhere')
    mkdirSync(path.dirname(moved), { recursive: true })
    renameSync(file, moved)
    await recall.index()
    const whole = stable(dump(store), home)
    for (const _ of [1, 2]) await recall.index({ full: true })
    expect(stable(dump(store), home)).toEqual(whole)
    truncateSync(moved, Math.floor(statSync(moved).size / 2))
    await recall.index()
    const shortened = stable(dump(store), home)
    for (const _ of [1, 2]) await recall.index({ full: true })
    expect(stable(dump(store), home)).toEqual(shortened)
    expect(await recall.doctor()).toEqual([])
  })

  test.each([
    ['emptied', () => ''],
    ['cut in half', (text: string) => text.slice(0, text.length / 2)],
    ['garbage for a while', () => 'not a log\n'],
  ])('%s and then as it was before: nothing is kept twice', async (_, spoil) => {
    const { recall, store, file, home } = await started()
    const text = readFileSync(file, 'utf8')
    const [before] = (await recall.list({ limit: 1 })).sessions
    const whole = stable(dump(store), home) as { events: object[] }
    writeFileSync(file, spoil(text))
    await recall.index()
    writeFileSync(file, text)
    await recall.index()
    await recall.close()
    const [after] = (await recall.list({ limit: 1 })).sessions
    expect([after?.messageCount, after?.toolCount]).toEqual([before?.messageCount, before?.toolCount])
    expect((stable(dump(store), home) as { events: object[] }).events).toEqual(whole.events)
    expect(await recall.doctor()).toEqual([])
  })

  test('a last line without its newline that is completed loses nothing that the file had lost before', async () => {
    const { recall, store, file } = await started()
    const lines = readFileSync(file, 'utf8').split(/(?<=\n)/)
    writeFileSync(file, lines.slice(0, 4).join('') + (lines[4] ?? '').trimEnd())
    await recall.index()
    const lost = query(store, 'SELECT count(*) AS n FROM event WHERE flags & 2')
    appendFileSync(file, '\n')
    await recall.index()
    expect(query(store, 'SELECT count(*) AS n FROM event WHERE flags & 2')).toEqual(lost)
  })

  test('the log of prompts read again in full: sessions that only it knows keep their prompts', async () => {
    const home = tempDir()
    const { recall, store } = productOn(home)
    const prompt = (display: string) => JSON.stringify({ display, timestamp: NOW, project: '/p', sessionId: SESSION })
    write(path.join(home, '.claude', 'history.jsonl'), `${prompt('first of all')}\n${prompt('and then')}\n`)
    await recall.index()
    const before = (await recall.list({ limit: 0 })).sessions
    expect(before).toMatchObject([{ title: 'first of all', messageCount: 2, isComplete: false }])
    await recall.index({ full: true })
    await recall.close()
    expect((await recall.list({ limit: 0 })).sessions).toMatchObject([
      { title: 'first of all', messageCount: 2, isComplete: false },
    ])
    expect(query(store, 'SELECT count(*) AS n FROM event WHERE flags & 6')).toEqual([{ n: 0 }])
  })

  test('the same transcript in two directories is shown once', async () => {
    const { recall, file, home } = await started()
    const [alone] = (await recall.list({ limit: 1 })).sessions
    if (alone === undefined) throw new Error('no session')
    const seen = (await recall.events(alone, { sidechains: true })).map((event) => event.text)
    write(transcriptPath(home, SESSION, '-home-sam-elsewhere'), readFileSync(file, 'utf8'))
    await recall.index()
    await recall.close()
    const [twice] = (await recall.list({ limit: 1 })).sessions
    if (twice === undefined) throw new Error('no session')
    expect((await recall.events(twice, { sidechains: true })).map((event) => event.text)).toEqual(seen)
    expect(twice.messageCount).toBe(alone.messageCount)
  })

  test('touched only: read again, nothing changes', async () => {
    const { recall, store, file, home } = await started()
    const before = stable(dump(store), home)
    utimesSync(file, new Date(), new Date(statSync(file).mtimeMs + 5000))
    await recall.index()
    expect(stable(dump(store), home)).toEqual(before)
  })
})

describe('work is counted', () => {
  test('a second index parses nothing and reads nothing', async () => {
    const { recall } = productOn(demoHome())
    await recall.index()
    const report = await recall.index()
    expect(report.files.parsed).toBe(0)
    expect(report.bytesRead).toBe(0)
  })

  test('a line appended to a 33 MB transcript costs less than 1 MB of reading', async () => {
    const home = tempDir()
    const { recall } = productOn(home)
    const log = new ClaudeLog(SESSION)
    const big = 'lorem ipsum dolor sit amet '.repeat(4000)
    for (let i = 0; i < 310; i++) log.call(`toolu_${i}`, 'Bash', { command: `echo ${i}` }).result(`toolu_${i}`, big)
    const file = write(transcriptPath(home, SESSION), log.text())
    expect(statSync(file).size).toBeGreaterThan(33_000_000)
    await recall.index()
    const more = new ClaudeLog(SESSION, {}).user('one more thing').text()
    appendFileSync(file, more)
    const report = await recall.index()
    expect(report.bytesRead).toBeLessThan(1_000_000)
    expect(report.events).toBe(1)
  })
})
