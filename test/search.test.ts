import { describe, expect, test } from 'vitest'
import { resolveSettings, type Settings } from '../src/settings/settings.ts'
import { ClaudeLog, transcriptPath, uuid, write } from './kit/claude-log.ts'
import { query } from './kit/dump.ts'
import { NOW, productOn, tempDir } from './kit/home.ts'

/** A home with one session of this content a name. */
function homeOf(told: Readonly<Record<string, (log: ClaudeLog) => unknown>>): string {
  const home = tempDir()
  for (const [name, tell] of Object.entries(told)) {
    const log = new ClaudeLog(uuid(name))
    tell(log)
    write(transcriptPath(home, uuid(name)), log.text())
  }
  return home
}

async function asked(home: string, text: string, limit = 10) {
  const { recall } = productOn(home)
  await recall.index()
  const result = await recall.search({ text, filter: { limit }, now: NOW })
  await recall.close()
  return { ...result, sessions: result.hits.map(({ session }) => session.nativeId) }
}

describe('which session answers', () => {
  test('the one that tells most of the question, not the one that repeats a word of it', async () => {
    const home = homeOf({
      right: (log) => log.user('The kiln cracked because the glaze was wet.').say('Let it dry first.'),
      wrong: (log) => {
        for (let i = 0; i < 8; i++) log.user(`kiln kiln kiln number ${i}`).say('The kiln again.')
      },
    })
    const { sessions } = await asked(home, 'Why did the kiln crack under the wet glaze?')
    expect(sessions[0]).toBe(uuid('right'))
  })

  test('an irregular form finds the others', async () => {
    const home = homeOf({
      right: (log) => log.user('Petra threw the old ladder away.').say('At last.'),
      wrong: (log) => log.user('Petra has an old boat.').say('A fine one.'),
    })
    const { sessions, hits } = await asked(home, 'What old thing does Petra throw away?')
    expect(sessions[0]).toBe(uuid('right'))
    expect(hits[0]?.matched).toContainEqual({ term: 'throw', field: 'prompt' })
  })

  test('what the next exchange says counts a little', async () => {
    const filler = (log: ClaudeLog) => {
      for (let i = 0; i < 6; i++) log.user(`and what about number ${i}?`).say('Nothing new.')
    }
    const home = homeOf({
      apart: (log) => {
        log.user('the lighthouse is white').say('yes')
        filler(log)
        log.user('a keeper sings').say('does he')
      },
      together: (log) => {
        filler(log)
        log.user('the lighthouse is white').say('yes')
        log.user('a keeper sings').say('does he')
      },
    })
    const { sessions } = await asked(home, 'lighthouse keeper')
    expect(sessions[0]).toBe(uuid('together'))
  })

  test('the quotes of a command demand nothing, nor do the signs of what was pasted', async () => {
    const home = homeOf({
      one: (log) => log.user('rg -n ImageForm src | head fails').say('I see.'),
      two: (log) => log.user('what is this?\n\n-quokka left the pond\n"three of them" project:pond').say('A log.'),
    })
    expect((await asked(home, 'rg -n "ImageForm src" "| head"')).sessions).toContain(uuid('one'))
    const pasted = 'what is this?\n\n-quokka left the pond\n"three of those" project:pond'
    expect((await asked(home, pasted)).sessions[0]).toBe(uuid('two'))
  })

  test('a phrase quoted wrongly within a sentence is asked for by its words; alone it must be there', async () => {
    const home = homeOf({ one: (log) => log.user('"mock not found" is a bad message, say which').say('Done.') })
    expect((await asked(home, '"mock found" is a bad message say which')).sessions).toEqual([uuid('one')])
    expect((await asked(home, '"mock found" message')).sessions).toEqual([])
  })

  test('words that only say that something was talked about are not looked for', async () => {
    const home = homeOf({
      right: (log) => log.user('The ferry timetable is wrong.').say('Fixed.'),
      wrong: (log) => log.user('Talk to me: did the talk go well?').say('The answer is yes.'),
    })
    expect((await asked(home, 'where did we talk about the ferry?')).sessions).toEqual([uuid('right')])
    expect((await asked(home, 'what was the answer to the ferry timetable?')).sessions).toEqual([uuid('right')])
    expect((await asked(home, 'how did the talk go?')).sessions[0]).toBe(uuid('wrong'))
  })

  test('words that only say what is asked for are not looked for', async () => {
    const home = homeOf({
      right: (log) => log.user('The ferry takes forty minutes.').say('Good.'),
      wrong: (log) => log.user('A long long scarf, of a kind I like.').say('Kind of you.'),
    })
    expect((await asked(home, 'How long does the ferry take?')).sessions[0]).toBe(uuid('right'))
    expect((await asked(home, 'What kind of ferry?')).sessions).not.toContain(uuid('wrong'))
  })

  test('the options of a command exclude nothing; a minus before a word does', async () => {
    const home = homeOf({ one: (log) => log.user('go test -run TestFanout -v fails').say('I see.') })
    expect((await asked(home, 'that -run TestFanout -v command')).sessions).toEqual([uuid('one')])
    expect((await asked(home, 'fails -TestFanout')).sessions).toEqual([])
  })

  test('what is said of a command line is no part of it, and no option of it excludes', async () => {
    const home = homeOf({
      right: (log) => log.user('list them').call('c1', 'Bash', { command: 'find src/clock -name "*.go" -newer x' }),
      wrong: (log) => log.user('what does that go command find in src?').say('That command finds the clock.'),
    })
    expect((await asked(home, 'that find src/clock -name "*.go" command')).sessions[0]).toBe(uuid('right'))
    expect((await asked(home, 'src/clock -name "*.go" | wc')).sessions[0]).toBe(uuid('right'))
  })

  test('what was typed, pasted back, comes before a long exchange that holds all of its words', async () => {
    const typed = 'move the retry of the payment export behind the feature flag'
    const filler = 'The flag is behind. We retry. The payment waits, the export goes on, the feature moves. '
    const home = homeOf({
      long: (log) => log.user('payment feature').say(filler.repeat(30)).user('move the flag').say(filler.repeat(30)),
      short: (log) => log.user('hello').say('Hello.').user(typed).say('Done.'),
      other: (log) => log.user('export the payment feature flag').say(filler.repeat(20)),
    })
    const { sessions, hits } = await asked(home, typed)
    expect(sessions[0]).toBe(uuid('short'))
    expect(hits[0]?.event?.text).toBe(typed)
    expect(hits[0]?.confidence).toBe('sure')
    expect((await asked(home, 'move the rerty of payment export behind feature flag')).sessions[0]).toBe(uuid('short'))
  })

  test('what is found by the path of a file alone says so, shows it and stands behind text', async () => {
    const home = homeOf({
      path: (log) => log.user('look around').call('c1', 'Read', { file_path: '/w/shop/worktrees/two/a.ts' }),
      text: (log) => log.user('make a worktree for this').say('Made it.'),
    })
    const { hits, sessions } = await asked(home, 'worktree')
    expect(sessions).toEqual([uuid('text'), uuid('path')])
    expect(hits[1]?.matched).toEqual([{ term: 'worktree', field: 'file' }])
    expect(hits[1]?.snippet.text).toContain('/worktrees/two/')
    expect(hits[1]?.snippet.highlights).not.toEqual([])
  })

  test('a question of which no word is known still gets an answer, as a guess', async () => {
    const home = homeOf({ one: (log) => log.user('where is the spanner?').say('In the shed.') })
    const { hits } = await asked(home, 'Where did she bury the platypus?')
    expect(hits.map(({ confidence }) => confidence)).toEqual(['guess'])
    expect((await asked(home, 'platypus')).hits).toEqual([])
  })
})

test('of a long exchange the part is shown that holds what was asked', async () => {
  const home = homeOf({
    long: (log) => {
      log.user('tell me about the islands')
      for (const word of ['puffin', 'gannet', 'kestrel', 'bittern']) log.say(`${'so it goes '.repeat(400)} ${word}`)
    },
  })
  const { hits, total } = await asked(home, 'kestrel')
  expect(total).toBe(1)
  expect(hits[0]?.event?.text).toMatch(/kestrel$/)
  expect(hits[0]?.snippet.text).toContain('kestrel')
  expect((await asked(home, 'puffin bittern')).total).toBe(2)
})

describe('how many there are', () => {
  const COUNT = 1700
  const home = homeOf({
    many: (log) => {
      for (let i = 0; i < COUNT; i++) log.user(`ordinary word ${i}`).say(i === 7 ? 'seldom' : 'and so on')
    },
  })

  test('a common word is counted whole, and all are shown if all are asked for', async () => {
    const few = await asked(home, 'ordinary')
    expect({ total: few.total, atLeast: few.atLeast, shown: few.hits.length }).toEqual({
      total: COUNT,
      atLeast: false,
      shown: 10,
    })
    const all = await asked(home, 'ordinary', 0)
    expect({ total: all.total, shown: all.hits.length }).toEqual({ total: COUNT, shown: COUNT })
  })

  test('where a common word only helps to order, the count says that there are more', async () => {
    const { total, atLeast, hits } = await asked(home, 'ordinary seldom')
    expect({ total, atLeast }).toEqual({ total: 1, atLeast: true })
    expect(new Set(hits[0]?.matched.map(({ term }) => term))).toEqual(new Set(['ordinary', 'seldom']))
  })

  test('a phrase that must be there is there, however common', async () => {
    const { hits } = await asked(home, '"ordinary word 7"')
    expect(hits[0]?.event?.text).toBe('ordinary word 7')
  })
})

describe('fts.fields', () => {
  const home = homeOf({
    one: (log) => {
      log.user('prompted').think('pondered').say('answered')
      log.call('toolu_1', 'Bash', { command: 'executed --now' }).result('toolu_1', 'ok')
    },
  })
  /** Blocks of the index that hold these letters. */
  const holding = (store: string, letters: string) =>
    query(store, `SELECT id FROM exchange_fts_data WHERE instr(block, CAST('${letters}' AS BLOB))`).length
  const WORDS = ['prompted', 'pondered', 'answered', 'executed']
  const found = async (store: string | undefined, settings: Partial<Settings>) => {
    const bench = productOn(home, store, settings)
    const { files } = await bench.recall.index()
    const hits: number[] = []
    for (const text of WORDS)
      hits.push((await bench.recall.search({ text, filter: { limit: 10 }, now: NOW })).hits.length)
    await bench.recall.close()
    return { found: WORDS.filter((_, i) => hits[i]), parsed: files.parsed, store: bench.store }
  }

  test('only what was chosen is findable', async () => {
    expect((await found(undefined, { ftsFields: ['content', 'bash'] })).found).toEqual([
      'prompted',
      'answered',
      'executed',
    ])
    expect((await found(undefined, { ftsFields: ['thinking'] })).found).toEqual(['pondered'])
  })

  test('another choice takes effect at the next index, from what is stored, and leaves no old word behind', async () => {
    const first = await found(undefined, {})
    expect(first.found).toEqual(WORDS)
    expect(holding(first.store, 'onder')).toBe(1)
    const second = await found(first.store, { ftsFields: ['bash'] })
    expect(second).toMatchObject({ found: ['executed'], parsed: 0 })
    expect(holding(second.store, 'onder')).toBe(0)
    expect(await found(first.store, {})).toMatchObject({ found: WORDS, parsed: 0 })
  })

  test('by environment and by config; a strange name is an error that says what there is', () => {
    const read = (env: Record<string, string>, config: unknown) =>
      resolveSettings({ env, config, configPath: 'config.toml', sourceNames: [], flags: {} }).ftsFields
    expect(read({}, null)).toEqual(['content', 'thinking', 'bash'])
    expect(read({}, { fts: { fields: ['bash', 'content'] } })).toEqual(['content', 'bash'])
    expect(read({ RECALL_FTS_FIELDS: 'thinking, bash' }, { fts: { fields: ['content'] } })).toEqual([
      'thinking',
      'bash',
    ])
    expect(() => read({ RECALL_FTS_FIELDS: 'contents' }, null)).toThrow('some of content, thinking, bash')
    expect(() => read({}, { fts: { fields: [] } })).toThrow('some of')
  })
})
