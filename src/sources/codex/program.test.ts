import { expect, test } from 'vitest'
import { innerCalls } from './program.ts'

test('the calls a program spells out are recovered in order', () => {
  const program = `
    // tools.exec_command({ cmd: "not this one" })
    const a = await tools.exec_command({ cmd: 'npm test', yield_time_ms: 1_000, env: { CI: "1" } })
    const text = "tools.exec_command({ cmd: 'nor this' })"
    await tools["apply_patch"](\`*** Begin Patch\\n*** End Patch\`)
    await tools.update_plan({ plan: [{ step: 'a' + 'b', done: true }] })`
  expect(innerCalls(program)).toEqual([
    { tool: 'exec_command', input: { cmd: 'npm test', yield_time_ms: 1000, env: { CI: '1' } }, whole: true },
    { tool: 'apply_patch', input: { input: '*** Begin Patch\n*** End Patch' }, whole: true },
    { tool: 'update_plan', input: { plan: [{ step: 'ab', done: true }] }, whole: true },
  ])
})

test('what only a run could tell is left out and said to be missing', () => {
  const program = `for (const file of files) await tools.read_file({ path: file, limit: 20, note: \`\${file}!\` })`
  expect(innerCalls(program)).toEqual([{ tool: 'read_file', input: { limit: 20 }, whole: false }])
})

test('a call inside the arguments of a call is one, too', () => {
  const calls = innerCalls('await tools.write_stdin({ chars: await tools.exec_command({ cmd: "ls" }) })')
  expect(calls.map((call) => [call.tool, call.whole])).toEqual([
    ['write_stdin', false],
    ['exec_command', true],
  ])
})

test('names that only end in tools are no tools', () => {
  expect(innerCalls('mytools.run({}); my.tools.run({}); tools.$x()')).toEqual([{ tool: '$x', input: {}, whole: true }])
})

test.each([
  '{{{{',
  'tools.a(',
  'tools.a({b: `${',
  'tools.a({b: "',
  'tools.a({__proto__: {x: 1}})',
  '/* tools.a({})',
  `tools.a(${'['.repeat(5000)}`,
  `tools.a(${'`${'.repeat(2000)}`,
  '/*'.repeat(20_000),
])('broken programs end, however they break: %.20s', (program) => {
  const calls = innerCalls(program)
  expect(calls.length).toBeLessThanOrEqual(1)
  expect(({} as Record<string, unknown>)['x']).toBeUndefined()
})
