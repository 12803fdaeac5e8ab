import { execFileSync } from 'node:child_process'
import { mkdirSync, renameSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { ClaudeLog, subagentPath, transcriptPath, uuid, write } from './kit/claude-log.ts'
import { cleanEnv, recallCli, recallJson } from './kit/cli.ts'
import { demoHome, productOn, tempDir } from './kit/home.ts'

type Json = Record<string, any> // oxlint-disable-line typescript/no-explicit-any -- what the program prints, read as its users would

/** A session, a fork of it that repeats its history, and a subagent told by its parent and by its own file. */
function homeWithCopies(): { home: string; first: string; fork: string } {
  const home = tempDir()
  const [first, fork] = [uuid('first'), uuid('second')].sort() as [string, string]
  const message = { id: 'msg_1' }
  const log = new ClaudeLog(first)
    .user('count me once')
    .assistant({ type: 'thinking', thinking: 'hm' }, { message, requestId: 'req_1' })
    .assistant(
      { type: 'text', text: 'done' },
      {
        message: { ...message, usage: { input_tokens: 10, output_tokens: 50, cache_read_input_tokens: 1000 } },
        requestId: 'req_1',
      },
    )
  const inner = {
    type: 'assistant',
    uuid: uuid('inner'),
    requestId: 'req_2',
    message: {
      id: 'msg_2',
      model: 'm',
      content: [{ type: 'text', text: 'sub' }],
      usage: { input_tokens: 3, output_tokens: 4 },
    },
  }
  log.record({ type: 'progress', data: { type: 'agent_progress', agentId: 'a1', message: inner } })
  write(transcriptPath(home, first), log.text())
  write(transcriptPath(home, fork), log.text().replaceAll(first, fork))
  const sub = new ClaudeLog(first, { agentId: 'a1', isSidechain: true }).user('task').record(inner)
  write(subagentPath(home, first, 'a1'), sub.text())
  return { home, first, fork }
}

describe('recall stats tokens', () => {
  test('sums agree whatever they are made over, and with status', () => {
    const env = cleanEnv(demoHome())
    recallCli(env, 'index')
    const all = ['project', 'model', 'day', 'source', 'session'].map(
      (by) => (recallJson(env, 'stats', 'tokens', '--by', by) as Json)['totals'],
    )
    expect(new Set(all.map((totals) => JSON.stringify(totals))).size).toBe(1)
    const { tokens }: Json = (recallJson(env, 'status') as Json)['totals']
    expect(all[0]).toMatchObject({ input: tokens.input, output: tokens.output, cache_read: tokens.cache_read })
    expect(all[0].responses).toBeGreaterThan(50)
  })

  test('the audit names each record, counted or left out and why', () => {
    const { home, first, fork } = homeWithCopies()
    const env = cleanEnv(home)
    recallCli(env, 'index')
    const own: Json = recallJson(env, 'stats', 'tokens', '--audit', `claude:${first}`)
    expect(own['counted'].map((row: Json) => [row['native_key'], row['output'], path.basename(row['file'])])).toEqual([
      ['claude:msg_1:req_1', 50, `${first}.jsonl`],
      ['claude:msg_2:req_2', 4, 'agent-a1.jsonl'],
    ])
    expect(own['left_out'].map((row: Json) => [row['line'], row['reason']])).toEqual([
      [3, 'repeat'],
      [4, 'embedded'],
    ])
    const copy: Json = recallJson(env, 'stats', 'tokens', '--audit', `claude:${fork}`)
    expect(copy['counted']).toEqual([])
    expect(copy['left_out'].map((row: Json) => row['reason'])).toEqual(['resumed_copy', 'resumed_copy', 'embedded'])
    const day: Json = recallJson(env, 'stats', 'tokens', '--audit', '2026-10-01')
    expect(day['counted']).toHaveLength(2)
  })

  test('a session that tells no tokens is unknown, not zero', () => {
    const home = tempDir()
    const env = cleanEnv(home)
    write(transcriptPath(home, uuid('mute')), new ClaudeLog(uuid('mute')).user('hello').text())
    recallCli(env, 'index')
    expect(recallJson(env, 'stats', 'tokens')).toMatchObject({ totals: { responses: 0, unknown: 1 } })
    expect(recallCli(env, 'stats', 'tokens', '--by', 'mood').code).toBe(2)
    expect(recallCli(env, 'stats', 'moods').code).toBe(2)
  })
})

describe('projects', () => {
  test('a repository that was moved is one project, and a domain follows from the map', async () => {
    const home = tempDir()
    const old = path.join(home, 'old', 'app')
    const now = path.join(home, 'new', 'app')
    mkdirSync(old, { recursive: true })
    execFileSync('git', ['-C', old, 'init', '-q'])
    execFileSync('git', ['-C', old, 'remote', 'add', 'origin', 'https://example.com/team/app.git'])
    write(transcriptPath(home, uuid('before')), new ClaudeLog(uuid('before'), { cwd: old }).user('one').text())
    const { recall, store } = productOn(home)
    await recall.index()
    mkdirSync(path.dirname(now))
    renameSync(old, now)
    write(transcriptPath(home, uuid('after')), new ClaudeLog(uuid('after'), { cwd: now }).user('two').text())
    const later = productOn(home, store).recall
    await later.index()
    const { sessions } = await later.list({ limit: 0 })
    expect(sessions.map((session) => session.gitRepo)).toEqual([now, now])
    await later.close()

    const env = { ...cleanEnv(home), HELIX_STORE_DB: store }
    write(path.join(home, '.config', 'recall', 'config.toml'), '[domains]\napp = "payments"\n')
    expect((recallJson(env, 'list') as Json)['sessions'].map((s: Json) => s['domain'])).toEqual([
      'payments',
      'payments',
    ])
  })
})
