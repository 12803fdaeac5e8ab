import {
  appendFileSync,
  copyFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import path from 'node:path'
import { brotliDecompressSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import type { Digest } from '../src/model/digest.ts'
import { openForWriting } from '../src/store/open.ts'
import { ClaudeLog, subagentPath, transcriptPath, uuid, write } from './kit/claude-log.ts'
import { query } from './kit/dump.ts'
import { GrokLog, laySession } from './kit/grok-log.ts'
import { NOW, productOn, tempDir } from './kit/home.ts'

const ID = uuid('kept')
const HOUR = 3_600_000
const START = Date.parse('2026-10-01T09:00:00Z')
const NOTHING_STAYS = { rawSoftCapBytes: 0, rawHardCapBytes: 10 }

/** A home with a session that was analysed and evicted, and time that moves on. */
async function evicted() {
  const home = tempDir()
  const log = new ClaudeLog(ID, {}, START)
    .user('plan the aardvark bridge')
    .call('c1', 'Bash', { command: 'npm test' })
    .result('c1', 'Exit code 1\nboom', { is_error: true })
    .say('It is planned.')
  const file = write(transcriptPath(home, ID), log.text())
  const store = path.join(tempDir(), 'recall.db')
  let now = NOW
  const open = (settings = {}) => productOn(home, store, settings, () => (now += 1000)).recall
  const sweep = async (settings = NOTHING_STAYS) => {
    const recall = open(settings)
    const report = await recall.sweep()
    await recall.close()
    return report
  }
  expect((await sweep()).evicted).toHaveLength(1)
  return { home, file, store, open, sweep, text: log.text() }
}

async function stateOf(open: () => ReturnType<typeof productOn>['recall']) {
  const recall = open()
  const session = await recall.find(`claude:${ID}`)
  const events = await recall.events(session, { sidechains: true })
  const digest = JSON.parse((await recall.digest(session.uid)) ?? '{}') as Digest
  await recall.close()
  return { session, digest, words: events.map(({ text }) => text).filter((text) => text !== null) }
}

function numbersIn({ words }: { readonly words: readonly string[] }): string[] {
  return words.flatMap((text) => /word\d+/.exec(text)?.[0] ?? [])
}

/** What a store says that always had room for all of a transcript. */
async function undisturbed(text: string) {
  const home = tempDir()
  write(transcriptPath(home, ID), text)
  const { recall } = productOn(home)
  await recall.index()
  await recall.analyze({ all: true })
  return stateOf(() => recall)
}

/** True if a word stands anywhere in what the store keeps on disk. */
function onDisk(store: string, word: string): boolean {
  const dir = path.dirname(store)
  return readdirSync(dir, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .some((entry) => readFileSync(path.join(entry.parentPath, entry.name)).includes(word))
}

describe('an evicted session', () => {
  test('stays evicted whatever else in the same home changes', async () => {
    const { home, file, store, open, sweep, text } = await evicted()
    const before = await stateOf(open)
    const others = [
      () =>
        write(
          path.join(home, '.claude', 'history.jsonl'),
          [ID, uuid('other')]
            .map(
              (sessionId, n) =>
                `${JSON.stringify({ display: `typed ${n}`, timestamp: START + n, project: '/w', sessionId })}\n`,
            )
            .join(''),
        ),
      () =>
        appendFileSync(
          path.join(home, '.claude', 'history.jsonl'),
          `${JSON.stringify({ display: 'unrelated', timestamp: NOW, project: '/w', sessionId: uuid('third') })}\n`,
        ),
      () => utimesSync(file, new Date(), new Date()),
      () => writeFileSync(file, text),
      () => writeFileSync(file, text.split('\n').slice(0, 2).join('\n')),
      () => {
        mkdirSync(path.dirname(transcriptPath(home, ID, '-elsewhere')))
        renameSync(file, transcriptPath(home, ID, '-elsewhere'))
      },
    ]
    for (const change of others) {
      change()
      await sweep({ rawSoftCapBytes: 1e9, rawHardCapBytes: 2e9 })
      const after = await stateOf(open)
      expect(after.session.evictedAt).toBe(before.session.evictedAt)
      expect(after.session).toMatchObject({ promptCount: 1, toolCount: 1, startedAt: before.session.startedAt })
      expect(after.digest).toMatchObject({ event_count: before.digest.event_count, cost: before.digest.cost })
      expect(after.words).toEqual([])
      expect(onDisk(store, 'It is planned.'.repeat(2))).toBe(false)
    }
    expect(
      query(
        store,
        "SELECT count(*) AS n FROM event e JOIN lane l ON l.id = e.lane JOIN session s ON s.id = l.session WHERE s.uid = 'claude:" +
          ID +
          "'",
      ),
    ).toEqual([{ n: 0 }])
  })

  test.each(['appended', 'rewritten with more'])(
    'comes back with its new words only, its digest tells of all: %s',
    async (how) => {
      const { file, store, open, sweep, text } = await evicted()
      const before = await stateOf(open)
      const more = new ClaudeLog(ID, {}, START + HOUR).user('x').user('now the zebra tunnel').say('Dug.').text()
      const news = more.split('\n').slice(1).join('\n')
      if (how === 'appended') appendFileSync(file, news)
      else writeFileSync(file, `${text.split('\n').slice(2).join('\n')}${news}`)
      await sweep({ rawSoftCapBytes: 1e9, rawHardCapBytes: 2e9 })
      const after = await stateOf(open)
      expect(after.session).toMatchObject({
        evictedAt: null,
        promptCount: 2,
        toolCount: 1,
        startedAt: before.session.startedAt,
      })
      expect(after.session.partEvictedAt).toBe(before.session.evictedAt)
      expect(after.words).toEqual(['now the zebra tunnel', 'Dug.'])
      expect(after.digest).toMatchObject({
        first_prompt: 'plan the aardvark bridge',
        last_assistant: 'Dug.',
        exchanges: 2,
        tool_histogram: { Bash: 1 },
        markers: { errors: 1 },
      })
      const whole = await undisturbed(`${text}${news}`)
      expect(after.session.eventCount).toBe(whole.session.eventCount)
      expect({ ...after.digest, sources: [] }).toEqual({ ...whole.digest, sources: [] })
      expect(query(store, 'SELECT sum(count) AS n FROM called')).toEqual([{ n: 1 }])
      expect(query(store, "SELECT sum(count) AS n FROM signal WHERE kind = 'error'")).toEqual([{ n: 1 }])
      await sweep()
      const again = await stateOf(open)
      expect(again.words).toEqual([])
      expect(again.digest).toEqual(after.digest)
      expect(again.session).toMatchObject({ promptCount: 2, toolCount: 1 })
      expect(query(store, 'SELECT sum(count) AS n FROM called')).toEqual([{ n: 1 }])
      await sweep({ rawSoftCapBytes: 1e9, rawHardCapBytes: 2e9 })
      expect((await stateOf(open)).digest).toEqual(after.digest)
    },
  )

  test.each([
    ['older', START - HOUR],
    ['newer', START + HOUR],
  ])('keeps the words of a second transcript, %s than the first, that is read only after it went', async (_, start) => {
    const { home, open, sweep } = await evicted()
    const second = new ClaudeLog(ID, {}, start).user('aardvarks elsewhere')
    write(transcriptPath(home, ID, '-elsewhere'), second.text())
    const recall = open()
    await recall.index()
    await recall.close()
    const { session, words } = await stateOf(open)
    expect(session.evictedAt).toBeNull()
    expect(words).toEqual(['aardvarks elsewhere'])
    expect((await sweep()).evicted).toHaveLength(1)
    expect((await stateOf(open)).digest.kind_counts['user_msg']).toBe(2)
  })

  test('stays evicted when its transcript is copied', async () => {
    const { home, file, open } = await evicted()
    mkdirSync(path.dirname(transcriptPath(home, ID, '-elsewhere')))
    copyFileSync(file, transcriptPath(home, ID, '-elsewhere'))
    const recall = open()
    await recall.index()
    await recall.close()
    expect((await stateOf(open)).session.evictedAt).not.toBeNull()
  })

  test('that went while half of its transcript was read loses none of the other half, whatever its times', async () => {
    const home = tempDir()
    const log = new ClaudeLog(ID, {}, START)
    for (let n = 0; n < 12; n++)
      log.say(`word${n} ${'lorem '.repeat(170_000)}`, { timestamp: new Date(START - n * 1000).toISOString() })
    write(transcriptPath(home, ID), log.text())
    const file = path.join(tempDir(), 'recall.db')
    let now = NOW
    const open = () => productOn(home, file, {}, () => (now += 1000)).recall
    const between = () => Promise.reject(new Error('killed'))
    await expect(open().index({ between })).rejects.toThrow('killed')
    const before = numbersIn(await stateOf(open))
    const store = await openForWriting(file, () => (now += 1000))
    await store.keeping.evict([{ uid: `claude:${ID}`, reason: 'overflow' }], (now += 1000))
    await store.close()
    const recall = open()
    await recall.index()
    await recall.close()
    const after = numbersIn(await stateOf(open))
    expect(before.length).toBeGreaterThan(0)
    expect([...before, ...after]).toEqual(Array.from({ length: 12 }, (_, n) => `word${n}`))
  })

  test('that is told a body twice keeps it once, and comes back with it once', async () => {
    const { home, file, store, open, text } = await evicted()
    const picture = 'aardvarks seen from above '.repeat(100)
    const later = new ClaudeLog(ID, {}, START + HOUR)
    for (const call of ['p1', 'p2', 'p3']) later.call(call, 'Read', { file_path: `/w/${call}` }).result(call, picture)
    writeFileSync(file, `${text}${later.text()}`)
    const recall = open()
    await recall.index()
    const session = await recall.find(`claude:${ID}`)
    expect([...(await recall.bodies(session, null)).values()]).toEqual([picture, picture, picture])
    await recall.close()
    const whole = productOn(home)
    await whole.recall.index()
    const rawBytes = (kept: string) => query(kept, 'SELECT sum(raw_length) AS bytes FROM chunk')[0]?.['bytes']
    expect(rawBytes(store)).toBe(picture.length)
    expect(rawBytes(whole.store)).toBe(picture.length + 'Exit code 1\nboom'.length)
  })

  test('of which only a subagent was known counts its start once the transcript comes', async () => {
    const home = tempDir()
    const main = new ClaudeLog(ID, {}, START).user('plan the aardvark bridge').say('It is planned.').text()
    const agent = new ClaudeLog(ID, { isSidechain: true, agentId: 'ab12' }, START).user('look').say('Seen.').text()
    write(subagentPath(home, ID, 'ab12'), agent)
    const { recall } = productOn(home, undefined, NOTHING_STAYS)
    expect((await recall.sweep()).evicted).toHaveLength(1)
    write(transcriptPath(home, ID), main)
    await recall.index()
    const whole = productOn(home).recall
    await whole.index()
    expect((await recall.find(`claude:${ID}`)).eventCount).toBe((await whole.find(`claude:${ID}`)).eventCount)
  })

  test('of which a part is back is the same in a store that is made anew', async () => {
    const { file, open, sweep } = await evicted()
    const more = new ClaudeLog(ID, {}, START + HOUR).user('x').user('now the zebra tunnel').say('Dug.').text()
    appendFileSync(file, more.split('\n').slice(1).join('\n'))
    await sweep({ rawSoftCapBytes: 1e9, rawHardCapBytes: 2e9 })
    const before = await stateOf(open)
    const recall = open()
    await recall.index({ recreate: true })
    await recall.analyze({ all: true })
    await recall.close()
    const after = await stateOf(open)
    expect(after.words).toEqual(before.words)
    expect(after.digest).toEqual(before.digest)
    expect(after.session).toMatchObject({
      promptCount: 2,
      toolCount: 1,
      partEvictedAt: before.session.partEvictedAt,
    })
  })

  test('is back whole if it is asked for', async () => {
    const { open, file } = await evicted()
    appendFileSync(
      file,
      new ClaudeLog(ID, {}, START + HOUR).user('x').user('more').text().split('\n').slice(1).join('\n'),
    )
    const recall = open()
    await recall.restore(await recall.find(`claude:${ID}`))
    await recall.index()
    await recall.close()
    const { session, words } = await stateOf(open)
    expect(session).toMatchObject({ evictedAt: null, partEvictedAt: null, promptCount: 2, toolCount: 1 })
    expect(words).toContain('plan the aardvark bridge')
  })
})

test('a digest does not say less when its transcript does', async () => {
  const home = tempDir()
  const log = new ClaudeLog(ID, {}, START)
  for (let n = 0; n < 20; n++) log.user(`prompt ${n}`).say(`answer ${n}`)
  const file = write(transcriptPath(home, ID), log.text())
  const { recall } = productOn(home)
  await recall.index()
  await recall.analyze({ all: true })
  const before = JSON.parse((await recall.digest(`claude:${ID}`)) ?? '{}') as Digest
  writeFileSync(file, log.text().split('\n').slice(0, 4).join('\n') + '\n')
  await recall.index()
  await recall.analyze({ all: true })
  const after = JSON.parse((await recall.digest(`claude:${ID}`)) ?? '{}') as Digest
  expect(after.event_count).toBeGreaterThanOrEqual(before.event_count)
  expect(after).toMatchObject({ exchanges: 20, cost: { turns: 20 }, last_assistant: 'answer 19' })
})

test('the time of a session does not become less when its transcript does, charted or analysed', async () => {
  const home = tempDir()
  const log = new ClaudeLog(ID, {}, START).user('one').say('1').user('two').say('2')
  const short = log.text()
  write(transcriptPath(home, ID), log.user('three').say('3').text())
  const { recall, store } = productOn(home)
  const course = () => query(store, 'SELECT spans FROM course')
  await recall.index()
  await recall.analyze({ all: true })
  const before = course()
  write(transcriptPath(home, ID), short)
  await recall.index()
  expect(course()).toEqual(before)
  await recall.analyze({ all: true })
  expect(course()).toEqual(before)
  await recall.close()
})

test.each(['0', 'f'])(
  'what an evicted session was billed stays its own when a fork of it comes (%s…)',
  async (start) => {
    const { home, file, store, open, sweep, text } = await evicted()
    const before = await stateOf(open)
    const fork = start.repeat(8) + ID.slice(8)
    const copied = text.replaceAll(`"sessionId":"${ID}"`, `"sessionId":"${fork}"`)
    const own = new ClaudeLog(fork, {}, START + HOUR).user('another way').say('Yes.').text()
    write(transcriptPath(home, fork), copied + own)
    await sweep()
    appendFileSync(file, new ClaudeLog(ID, {}, START + 2 * HOUR).user('and then').say('Then that.').text())
    await sweep()
    const after = await stateOf(open)
    expect(after.digest.cost.input_tokens).toBeGreaterThanOrEqual(before.digest.cost.input_tokens ?? 0)
    expect(
      query(store, `SELECT 1 FROM ledger g JOIN session s ON s.id = g.session WHERE s.uid = 'claude:${ID}'`),
    ).toHaveLength(2)
  },
)

test('the last turn of an evicted session, read again because it may go on, stays evicted', async () => {
  const home = tempDir()
  const log = new GrokLog('01990000-0000-7000-8000-000000000001')
  const turn = (word: string) =>
    log
      .prompt(`plan the ${word} bridge`)
      .think(`${word} thought`)
      .call(word, 'run_terminal_command', { command: 'ls' })
      .result(word, `${word} output ${'x'.repeat(3000)}`)
      .say('Planned.')
      .done()
  const lay = () => laySession(path.join(home, '.grok'), log.session, { 'updates.jsonl': log.text() })
  for (const word of ['aardvark', 'badger']) turn(word)
  lay()
  const store = path.join(tempDir(), 'recall.db')
  let now = NOW
  const sweep = async (settings: object) => {
    const { recall } = productOn(home, store, settings, () => (now += 1000))
    const { evicted: gone } = await recall.sweep()
    await recall.close()
    return gone
  }
  expect(await sweep(NOTHING_STAYS)).toHaveLength(1)
  turn('civet')
  lay()
  expect(await sweep({})).toEqual([])
  const kept = query(store, 'SELECT text FROM event WHERE text IS NOT NULL').map(({ text }) => String(text))
  expect(kept).toContain('civet thought')
  expect(kept).not.toContain('badger thought')
  const { recall } = productOn(home, store)
  const bodies = await recall.bodies(await recall.find(`grok:${log.session}`), null)
  await recall.close()
  expect([...bodies.values()].join()).toContain('civet output')
  const pack = readdirSync(path.join(path.dirname(store), 'blobs')).map((name) =>
    readFileSync(path.join(path.dirname(store), 'blobs', name)),
  )
  const chunks = query(store, 'SELECT offset, length FROM chunk')
  const held = chunks.map(({ offset, length }) =>
    brotliDecompressSync(pack[0]?.subarray(Number(offset), Number(offset) + Number(length)) ?? ''),
  )
  expect(Buffer.concat(held).includes('badger output')).toBe(false)
})

test('new words that a transcript loses again are not taken from the digest', async () => {
  const { file, open, sweep, text } = await evicted()
  appendFileSync(file, new ClaudeLog(ID, {}, START + HOUR).user('and then').say('Then that.').text())
  const ROOM = { rawSoftCapBytes: 1e9, rawHardCapBytes: 2e9 }
  await sweep(ROOM)
  const before = await stateOf(open)
  writeFileSync(file, text)
  await sweep(ROOM)
  const after = await stateOf(open)
  expect(after.digest.event_count).toBe(before.digest.event_count)
  expect(after.digest.kind_counts).toEqual(before.digest.kind_counts)
})
