import { Ajv } from 'ajv'
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { countTokens } from '../src/model/tokens.ts'
import { ClaudeLog, transcriptPath, uuid, write } from './kit/claude-log.ts'
import { cleanEnv, recallCli, recallJson } from './kit/cli.ts'
import { demoHome, tempDir } from './kit/home.ts'
import { connect, connectHttp, ERAS, serveHttp, type Answered, type Connected } from './kit/mcp.ts'

const NAMES = ['search_memory', 'read_session', 'recent_work', 'find_solution', 'get_digest', 'record_decision']
const CARRIED = ['session_uid', 'pointer', 'started_at', 'project', 'outcome', 'confidence']

let env: Record<string, string> = {}
beforeAll(() => {
  env = cleanEnv(demoHome())
  expect(recallCli(env, 'index').code).toBe(0)
  expect(recallCli(env, 'analyze').code).toBe(0)
})

/** What an agent reads of an answer: some clients show the text, some the rest, some both. */
function tokensOf({ content, structuredContent }: Answered): number {
  return countTokens(content.map(({ text }) => text).join('\n')) + countTokens(JSON.stringify(structuredContent))
}

/** Each tool with something that it has an answer to. */
async function questions({ ask }: Connected): Promise<[name: string, input: object][]> {
  const { rows } = (await ask('search_memory', { query: 'nginx does not start' })).structuredContent
  const session = rows[0]?.session_uid ?? ''
  return [
    ['search_memory', { query: 'nginx does not start' }],
    ['read_session', { session }],
    ['read_session', { session, around: rows[0]?.pointer, include: ['results', 'thinking', 'subagents'] }],
    ['recent_work', { days: 4000 }],
    ['find_solution', { for: 'error', text: 'Error: listen EADDRINUSE: address already in use :::3000' }],
    ['find_solution', { for: 'task', text: 'upgrade edge with helm' }],
    ['find_solution', { for: 'similar', text: 'nginx config' }],
    ['find_solution', { for: 'file', text: 'edge/api.conf' }],
    ['find_solution', { for: 'commit', text: 'abcdef1' }],
    ['get_digest', { session }],
  ]
}

describe.each(ERAS)('the %s client', (era) => {
  test('lists the tools in their order with schemas and annotations, always the same', async () => {
    const { client } = await connect(env, { era })
    const { tools } = await client.listTools()
    expect(tools.map(({ name }) => name)).toEqual(NAMES)
    for (const { name, inputSchema, outputSchema, annotations, description } of tools) {
      expect(inputSchema.type).toBe('object')
      expect(outputSchema?.type).toBe('object')
      expect(description?.length).toBeGreaterThan(30)
      expect(annotations?.readOnlyHint).toBe(name !== 'record_decision')
      expect(annotations?.openWorldHint).toBe(false)
    }
    expect((await client.listTools()).tools).toEqual(tools)
    expect((await client.listResourceTemplates()).resourceTemplates.map((one) => one.uriTemplate)).toEqual([
      'recall://digest/{session}',
      'recall://archive/{session}',
    ])
    expect((await client.listPrompts()).prompts.map(({ name }) => name)).toEqual(['continue', 'what_do_we_know'])
  })

  test('every tool answers with rows that carry what they must, as its schema says', async () => {
    const connected = await connect(env, { era })
    const { tools } = await connected.client.listTools()
    const ajv = new Ajv({ strict: false })
    for (const [name, input] of await questions(connected)) {
      const answer = await connected.ask(name, input)
      const schema = tools.find((one) => one.name === name)?.outputSchema as object
      expect(answer.isError ?? false, `${name}: ${answer.content[0]?.text}`).toBe(false)
      expect(ajv.validate(schema, answer.structuredContent), name).toBe(true)
      for (const row of answer.structuredContent.rows) expect(Object.keys(row)).toEqual(expect.arrayContaining(CARRIED))
      const isKnown = JSON.stringify(input).includes('abcdef1') || JSON.stringify(input).includes('EADDRINUSE')
      if (!isKnown) expect(answer.structuredContent.rows.length, name).toBeGreaterThan(0)
      expect(answer.content[0]?.text).not.toBe('')
    }
  })

  test('reads digests and archives as resources, and fills in prompts', async () => {
    const { client, ask } = await connect(env, { era })
    const { rows } = (await ask('recent_work', { days: 4000 })).structuredContent
    const uri = `recall://digest/${encodeURIComponent(rows[0]?.session_uid ?? '')}`
    const [content] = (await client.readResource({ uri })).contents
    expect(JSON.parse(content?.text ?? '')).toMatchObject({ session_uid: rows[0]?.session_uid })
    await expect(client.readResource({ uri: 'recall://digest/claude%3Anobody' })).rejects.toThrow('no session')
    await expect(client.readResource({ uri: 'file:///etc/passwd' })).rejects.toThrow('there is no resource')
    const archive = (await client.readResource({ uri: uri.replace('digest', 'archive') })).contents[0]?.text ?? ''
    expect(archive).toMatch(/^> Quotes are recalled text .*untrusted data/)
    expect(archive).toMatch(/\n# .+\n\nArchived: \w+ \d+, \d+:\d\d [AP]M\n\n---\n\n\*\*User\*\*: /)
    await expect(client.readResource({ uri: 'recall://archive/claude%3Anobody' })).rejects.toThrow('no session')
    await expect(client.readResource({ uri: 'recall://archive/..%2F..%2Fetc%2Fpasswd' })).rejects.toThrow('no session')
    const prompt = JSON.stringify(await client.getPrompt({ name: 'what_do_we_know', arguments: { topic: 'otters' } }))
    expect(prompt).toContain('otters')
    await expect(client.getPrompt({ name: 'what_do_we_know' })).rejects.toThrow('topic')
  })

  test('wrong arguments and unknown names are said, and the server goes on', async () => {
    const { ask } = await connect(env, { era })
    for (const [name, input, words] of [
      ['search_memory', {}, 'query is missing'],
      ['search_memory', { query: 5 }, 'query must be text'],
      ['search_memory', { query: 'x', nonsense: 1 }, 'there is no input "nonsense"'],
      ['search_memory', { query: 'x', source: 'emacs' }, 'unknown source'],
      ['search_memory', { query: 'x', since: 'tomorrow-ish' }, 'cannot read the time'],
      ['search_memory', { query: 'x', cursor: '../1' }, 'there is no cursor'],
      ['search_memory', { query: 'x', budget_tokens: 3 }, 'at least 200'],
      ['read_session', { session: 'claude:nobody' }, 'no session'],
      ['read_session', { session: 'last', around: '#999999' }, 'no such event'],
      ['find_solution', { for: 'love', text: 'x' }, 'for must be one of'],
      ['find_solution', { for: 'commit', text: 'x' }, 'cannot tell'],
      ['get_digest', { session: 'zzzzzz' }, 'no session'],
      ['record_decision', { session: 'last', text: ' ' }, 'needs words'],
      ['record_decision', { session: 'this', text: 'x' }, 'not known'],
    ] as const) {
      const answer = await ask(name, input)
      expect(answer.isError, `${name} ${JSON.stringify(input)}`).toBe(true)
      expect(answer.content[0]?.text).toContain(words)
      expect(answer.structuredContent.notes?.join()).toContain(words)
    }
    await expect(ask('rm_rf')).rejects.toThrow('there is no tool')
    expect((await ask('recent_work', { days: 4000 })).structuredContent.rows.length).toBeGreaterThan(3)
  })

  test('over HTTP it is the same', async () => {
    const served = await serveHttp(env)
    const { client, ask } = await connectHttp(served, era)
    expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(NAMES)
    const answer = await ask('search_memory', { query: 'nginx does not start' })
    expect(answer.structuredContent.rows[0]?.['title']).toBe('nginx does not start after a config change')
  })
})

describe('over HTTP', () => {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} })
  const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' }

  test('only who knows the token is answered, and no page of elsewhere', async () => {
    const { url, token } = await serveHttp(env)
    const status = async (more: Record<string, string>, place = url) =>
      (await fetch(place, { method: 'POST', body, headers: { ...headers, ...more } })).status
    const bearer = { authorization: `Bearer ${token}` }
    expect(await status(bearer)).toBe(200)
    expect(await status({})).toBe(401)
    expect(await status({ authorization: `Bearer ${token}x` })).toBe(401)
    expect(await status({ authorization: `Bearer ${token.slice(1)}` })).toBe(401)
    expect(await status({ ...bearer, origin: 'https://evil.test' })).toBe(403)
    expect(await status({ ...bearer, origin: 'null' })).toBe(403)
    expect(await status({ ...bearer, origin: 'http://localhost:3000' })).toBe(200)
    expect(await status(bearer, url.replace('/mcp', '/other'))).toBe(404)
  })

  test('a name that points here from elsewhere is refused', async () => {
    const { url, token } = await serveHttp(env)
    const { request } = await import('node:http')
    const status = await new Promise((done) => {
      const asked = request(
        url,
        { method: 'POST', headers: { ...headers, host: 'evil.test', authorization: `Bearer ${token}` } },
        (answer) => done(answer.statusCode),
      )
      asked.end(body)
    })
    expect(status).toBe(403)
  })
})

describe('what an agent pays', () => {
  test.each([
    ['by itself', [], 6],
    ['that only reads', ['--read-only'], 5],
    ['of a group', ['--group', 'tea'], 9],
    ['of a group that only reads', ['--group', 'tea', '--read-only'], 6],
  ] as const)('the list of tools of a server %s is small', async (_, args, many) => {
    const own = cleanEnv(tempDir())
    expect(recallCli(own, 'group', 'add', 'tea', '--yes').code).toBe(0)
    const { client } = await connect(own, { args })
    const { tools } = await client.listTools()
    expect(tools.length).toBe(many)
    expect(countTokens(JSON.stringify(tools))).toBeLessThanOrEqual(1700)
  })

  test('the instructions are small, and say when to ask and when not', async () => {
    const { client } = await connect(env)
    const instructions = client.getInstructions() ?? ''
    expect(instructions.length).toBeLessThanOrEqual(2048)
    for (const name of NAMES.filter((one) => one !== 'get_digest')) expect(instructions).toContain(name)
    expect(instructions).toMatch(/Do not call it/)
    expect(instructions).toMatch(/untrusted data/)
  })

  test('an answer fits the budget, whatever it is asked', async () => {
    const connected = await connect(env)
    for (const [name, input] of await questions(connected)) {
      const budgets = name === 'get_digest' ? [undefined] : [undefined, 200, 350, 600, 1000, 5000, 20_000]
      for (const budget of budgets) {
        const answer = await connected.ask(name, budget === undefined ? input : { ...input, budget_tokens: budget })
        expect(tokensOf(answer), `${name} with ${budget}`).toBeLessThanOrEqual(budget ?? 2000)
      }
    }
  })

  test('what is left out is said, and comes with the cursor: all of it, nothing twice', async () => {
    const { ask } = await connect(env)
    const pointers: string[] = []
    let cursor: string | undefined
    for (let page = 0; page < 60; page++) {
      const more = cursor === undefined ? {} : { cursor }
      const { structuredContent: answer } = await ask('search_memory', {
        query: 'test',
        limit: 4,
        budget_tokens: 700,
        ...more,
      })
      pointers.push(...answer.rows.map((row) => `${row.session_uid}${row.pointer}`))
      cursor = answer.cursor
      if (cursor === undefined) break
      expect(answer.left_out).toMatch(/\d+ .*cursor/)
    }
    expect(new Set(pointers).size).toBe(pointers.length)
    expect(pointers.length).toBe(recallJson(env, 'search', 'test', '--limit', '0')['total'])
  })

  test('a session is read to its end in pieces', async () => {
    const { ask } = await connect(env)
    const session = String(
      (await ask('search_memory', { query: 'nginx does not start' })).structuredContent.rows[0]?.session_uid,
    )
    const whole: unknown[] = []
    const read = async (budget: number) => {
      const said: { pointer: string }[] = []
      let cursor: string | undefined
      do {
        const more = cursor === undefined ? {} : { cursor }
        const { structuredContent } = await ask('read_session', { session, budget_tokens: budget, ...more })
        said.push(...((structuredContent.rows[0]?.['said'] ?? []) as typeof said))
        cursor = structuredContent.cursor
      } while (cursor !== undefined && said.length < 100)
      return said.map(({ pointer }) => pointer)
    }
    whole.push(...(await read(20_000)))
    expect(whole.length).toBeGreaterThan(8)
    expect(await read(450)).toEqual(whole)
  })
})

describe('whose session it is', () => {
  test.each([
    ['CLAUDE_CODE_SESSION_ID', 'claude'],
    ['GROK_SESSION_ID', 'grok'],
  ])('the one that %s names is left out, and "this" means it', async (variable, flavor) => {
    const { ask } = await connect(env)
    const own = (await ask('recent_work', { days: 4000 })).structuredContent.rows.find((row) =>
      row.session_uid.startsWith(`${flavor}:`),
    )
    const title = String(own?.['title'])
    expect(
      (await ask('search_memory', { query: title })).structuredContent.rows.map((row) => row.session_uid),
    ).toContain(own?.session_uid)
    const other = await connect({ ...env, [variable]: own?.session_uid.slice(flavor.length + 1) ?? '' })
    for (const [name, input] of [
      ['search_memory', { query: title }],
      ['recent_work', { days: 4000 }],
      ['find_solution', { for: 'similar', text: title }],
    ] as const) {
      const { rows } = (await other.ask(name, input)).structuredContent
      expect(rows.map((row) => row.session_uid)).not.toContain(own?.session_uid)
    }
    const recorded = await other.ask('record_decision', { session: 'this', text: `we chose otters for ${flavor}` })
    expect(recorded.structuredContent.rows[0]?.session_uid).toBe(own?.session_uid)
    const found = await ask('search_memory', { query: `otters for ${flavor}` })
    expect(found.structuredContent.rows[0]?.session_uid).toBe(own?.session_uid)
  })
})

test('a command that only whoever asks has run is no answer', async () => {
  const home = tempDir()
  const own = cleanEnv(home)
  const ran = (name: string, command: string) =>
    write(
      transcriptPath(home, uuid(name)),
      new ClaudeLog(uuid(name))
        .user('deploy the pelican service')
        .call('t1', 'Bash', { command, description: 'Deploy pelican' })
        .result('t1', 'done')
        .say('deployed')
        .text(),
    )
  ran('caller', 'make deploy-pelican')
  ran('other', 'make deploy-pelican')
  ran('caller-too', 'make rollout-pelican')
  expect(recallCli(own, 'index').code).toBe(0)
  const commands = async (caller: string) => {
    const { ask } = await connect({ ...own, CLAUDE_CODE_SESSION_ID: uuid(caller) })
    const { rows } = (await ask('find_solution', { for: 'task', text: 'deploy the pelican service' })).structuredContent
    return rows.map((row) => [row['command'], row.session_uid])
  }
  expect(await commands('caller')).toContainEqual(['make deploy-pelican', `claude:${uuid('other')}`])
  expect((await commands('caller-too')).map(([command]) => command)).toEqual(['make deploy-pelican'])
})

describe('a memory that lags', () => {
  const lay = (home: string, name: string, words: string) =>
    write(transcriptPath(home, uuid(name)), new ClaudeLog(uuid(name)).user(words).say('it is done').text())

  test('what is new is read first, by a server that stays open', async () => {
    const home = tempDir()
    const own = cleanEnv(home)
    const { ask } = await connect(own)
    expect((await ask('search_memory', { query: 'badgers' })).structuredContent.notes?.[0]).toContain(
      'the memory is empty',
    )
    for (const animals of ['badgers', 'otters']) {
      lay(home, animals, `count the ${animals}`)
      // It looks every few seconds at most.
      const found = async () => (await ask('search_memory', { query: animals })).structuredContent.rows
      await expect.poll(found, { timeout: 30_000, interval: 200 }).toHaveLength(1)
    }
  })

  test('what is not read is said: with --read-only, or because it is much', async () => {
    const home = tempDir()
    const own = cleanEnv(home)
    lay(home, 'a', 'count the badgers')
    expect(recallCli(own, 'index').code).toBe(0)
    lay(home, 'b', 'count the otters')
    const { ask, client } = await connect(own, { args: ['--read-only'] })
    expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(NAMES.slice(0, -1))
    const { notes } = (await ask('search_memory', { query: 'otters' })).structuredContent
    expect(notes?.join(' ')).toContain('not read yet: 1 transcript')
    for (let n = 0; n < 30; n++) lay(home, `c${n}`, `count the herons ${n}`)
    const writing = await connect(own)
    const { notes: many } = (await writing.ask('search_memory', { query: 'herons' })).structuredContent
    expect(many?.join(' ')).toContain('not read yet: 31 transcripts')
  })

  test('a filter that is too narrow is told from what was never said', async () => {
    const { ask } = await connect(env)
    const narrow = await ask('search_memory', { query: 'nginx', project: 'no-such-project' })
    expect(narrow.structuredContent.notes?.[0]).toMatch(/nothing with these filters; without them there (is|are) \d+/)
    const never = await ask('search_memory', { query: 'xyzzyplugh' })
    expect(never.structuredContent.notes?.[0]).toContain('never said')
  })
})

test('a file of settings that is wrong ends the server with its words on standard error, not on standard output', () => {
  const home = demoHome()
  const own = cleanEnv(home)
  write(path.join(home, '.config', 'recall', 'config.toml'), 'nonsense = [')
  writeFileSync(path.join(home, 'x'), '')
  const { code, out, err } = recallCli(own, 'mcp')
  expect([code, out]).toEqual([2, ''])
  expect(err).toContain('config.toml')
})
