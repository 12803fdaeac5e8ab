import { beforeAll, describe, expect, test } from 'vitest'
import { ClaudeLog, subagentPath, transcriptPath, uuid, write } from './kit/claude-log.ts'
import { cleanEnv, recallCli, recallJson } from './kit/cli.ts'
import { tempDir } from './kit/home.ts'

type Json = Record<string, any> // oxlint-disable-line typescript/no-explicit-any -- what the program prints, read as its users would

const [OLD, NEW] = [uuid('pointers old'), uuid('pointers new')]
const uid = `claude:${OLD}`
const home = tempDir()
const env = cleanEnv(home)

beforeAll(() => {
  const task = { description: 'count herons', prompt: 'count the herons', subagent_type: 'general' }
  const main = new ClaudeLog(OLD)
    .user('how many herons are there?')
    .say('I ask somebody.')
    .call('toolu_1', 'Task', task)
    .result('toolu_1', 'eleven herons', { toolUseResult: { agentId: 'a1', status: 'completed' } })
    .say('There are eleven.')
  write(transcriptPath(home, OLD), main.text())
  const side = new ClaudeLog(OLD, { isSidechain: true, agentId: 'a1' }, Date.parse('2026-10-01T09:00:02Z'))
  for (let n = 1; n <= 30; n++) side.user(`look at pond ${n}`).say(`pond ${n} is quiet`)
  write(subagentPath(home, OLD, 'a1'), side.text())
  write(
    transcriptPath(home, NEW),
    new ClaudeLog(NEW, {}, Date.parse('2026-10-05T09:00:00Z')).user('newest of all').text(),
  )
  expect(recallCli(env, 'index').code).toBe(0)
})

const events = (): Json[] => (recallJson(env, 'show', uid, '--events') as Json)['events']

describe('short pointers', () => {
  test('every event has one of its own beside its number, and show takes what it printed', () => {
    const all = events()
    expect(new Set(all.map((event) => event['pointer'])).size).toBe(all.length)
    const aside = all.filter((event) => event['is_sidechain'])
    expect(aside).toHaveLength(60)
    for (const event of [all[1], all[3], aside[0], aside[40]]) {
      const pointer = String(event?.['pointer'])
      expect(pointer).toMatch(event?.['is_sidechain'] ? /^#[0-9a-z]{7}\.\d+$/ : /^#\d+$/)
      for (const args of [
        [uid, '--around', pointer],
        [uid, '--around', pointer.slice(1)],
        [`${uid}${pointer}`],
        [uid, '--around', String(event?.['seq'])],
      ]) {
        const shown = recallJson(env, 'show', ...args, '--limit', '0') as Json
        expect(shown['messages'].map((message: Json) => message['seq'])).toEqual([event?.['seq']])
      }
    }
  })

  test('around an event of a subagent stands what that subagent said', () => {
    const event = events().find((one) => one['summary'].includes('pond 20 is quiet'))
    const { out } = recallCli(env, 'show', `${uid}${event?.['pointer']}`, '--limit', '2')
    expect(out).toContain('look at pond 20')
    expect(out).toContain('look at pond 21')
    expect(out).not.toContain('pond 18')
    expect(out).not.toContain('eleven')
  })

  test('search prints what show takes', () => {
    const hit = (recallJson(env, 'search', 'pond 7 quiet') as Json)['hits'][0]
    expect(hit['pointer']).toMatch(/^#[0-9a-z]{7}\.\d+$/)
    expect(recallCli(env, 'search', 'pond 7 quiet', '--limit', '1').out).toContain(hit['pointer'])
    expect(recallCli(env, 'show', `${uid}${hit['pointer']}`).code).toBe(0)
  })

  test('what points at nothing is said', () => {
    expect(recallJson(env, 'show', uid, '--around', '999')).toMatchObject({ code: 1, error: { code: 'NOT_FOUND' } })
    expect(recallJson(env, 'show', `${uid}#zzz.3`)).toMatchObject({ code: 1, error: { code: 'NOT_FOUND' } })
    for (const name of ['last#here', `${uid}#`])
      expect(recallJson(env, 'show', name)).toMatchObject({
        code: 1,
        error: { code: 'NOT_FOUND', hint: expect.stringContaining('behind the #') },
      })
    expect(recallJson(env, 'show', uid, '--around', 'here')).toMatchObject({ code: 2, error: { code: 'USAGE' } })
  })

  test('commands that take a session take a pointer into it', () => {
    expect(recallJson(env, 'pin', `${uid}#2`)).toMatchObject({ code: 0, session_uid: uid })
    const told = recallJson(env, 'decide', `${uid}#2`, 'keep', 'the', 'herons') as Json
    expect(told).toMatchObject({ code: 0, session_uid: uid, pointer: '#decisions.1' })
    expect(recallCli(env, 'show', `${uid}${told['pointer']}`).code).toBe(0)
  })
})

test('last is the newest session wherever an id is taken', () => {
  expect(recallJson(env, 'show', 'last')).toMatchObject({ code: 0, session_uid: `claude:${NEW}` })
  expect(recallCli(env, 'show', 'last#1').out).toContain('newest of all')
  expect(recallJson(env, 'forget', 'last')).toMatchObject({ would_forget: [`claude:${NEW}`] })
  for (const name of ['last', 'last#1'])
    expect(recallJson(env, 'similar', name)).toMatchObject({ similar_to: `claude:${NEW}` })
  expect(recallJson(env, 'unpin', 'last')).toMatchObject({ session_uid: `claude:${NEW}` })
  expect(recallJson({ ...env, XDG_DATA_HOME: tempDir() }, 'show', 'last')).toMatchObject({ code: 4 })
})
