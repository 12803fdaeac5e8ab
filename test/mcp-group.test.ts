import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { cleanEnv, recallCli } from './kit/cli.ts'
import { tempDir } from './kit/home.ts'
import { connect } from './kit/mcp.ts'

test('the server of a group has its three tools beside the others, and writes tasks for its host', async () => {
  const env = cleanEnv(tempDir())
  expect(recallCli(env, 'group', 'add', 'tea', '--yes').code).toBe(0)
  const { client, ask } = await connect(env, { args: ['--group', 'tea'] })
  const names = (await client.listTools()).tools.map(({ name }) => name)
  expect(names.slice(-3)).toEqual(['clear_session', 'list_sessions', 'resume_session'])
  expect(names[0]).toBe('search_memory')
  expect(await ask('clear_session', { name: 'first pot' })).toMatchObject({
    isError: false,
    structuredContent: { ok: true },
  })
  const tasks = path.join(env['XDG_DATA_HOME'] ?? '', 'recall/data/ipc/tea/tasks')
  const [file = ''] = readdirSync(tasks)
  expect(JSON.parse(readFileSync(path.join(tasks, file), 'utf8'))).toMatchObject({
    type: 'clear_session',
    name: 'first pot',
    groupFolder: 'tea',
  })
  expect(await ask('clear_session', {})).toMatchObject({ isError: true })
})

test('without a group there are none of them', async () => {
  const env = cleanEnv(tempDir())
  const { client } = await connect(env)
  expect((await client.listTools()).tools.map(({ name }) => name)).not.toContain('clear_session')
})
