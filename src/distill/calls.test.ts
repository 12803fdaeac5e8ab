import { describe, expect, test } from 'vitest'
import { callFingerprint, classifyCall, filesOf, shellCommandOf, summarizeCall } from './calls.ts'

const PATCH = '*** Begin Patch\n*** Update File: src/a.ts\n@@\n-x\n+y\n*** Add File: b.ts\n+z\n*** End Patch'
const kindOf = (command: string): string => classifyCall('Bash', { command }, command)
const summary = (tool: string, input: unknown): string => summarizeCall(tool, input, shellCommandOf(tool, input))

/** Nothing that a log may hold in place of arguments. */
const ODD: readonly unknown[] = [
  null,
  undefined,
  0,
  true,
  '',
  'text',
  [],
  [1],
  {},
  { command: 5 },
  { command: [] },
  { path: {} },
]

describe('shellCommandOf', () => {
  test.each([
    ['Bash', { command: 'ls' }],
    ['bash', { command: 'ls' }],
    ['shell', { command: ['bash', '-lc', 'ls'] }],
    ['shell', { command: ['/bin/zsh', '-c', 'ls'] }],
    ['shell', { cmd: ['ls'] }],
    ['shell', 'ls'],
    ['shell<|channel|>', { command: ['sh', '-c', 'ls'] }],
    ['shell_command', { command: 'ls', workdir: '/x' }],
    ['exec_command', { cmd: 'ls' }],
    ['exec_command', { command: 'ls' }],
    ['local_shell', { action: { type: 'exec', command: ['bash', '-lc', 'ls'] } }],
    ['container.exec', { cmd: ['bash', '-lc', 'ls'] }],
    ['run_terminal_cmd', { command: 'ls' }],
    ['run_terminal_command', { command: 'ls' }],
    ['run_shell_command', { command: 'ls' }],
  ])('%s %j', (tool, input) => {
    expect(shellCommandOf(tool, input)).toBe('ls')
  })

  test('words that are no shell call are quoted so that a shell reads them back', () => {
    expect(shellCommandOf('shell', { command: ['rg', '-n', 'a b', "it's", '$x'] })).toBe(`rg -n 'a b' 'it'\\''s' '$x'`)
    expect(shellCommandOf('shell', { command: ['bash', 'run.sh'] })).toBe('bash run.sh')
  })

  test('another tool has none, whatever its arguments', () => {
    expect(shellCommandOf('Edit', { command: 'ls' })).toBeNull()
    expect(shellCommandOf('write_stdin', { chars: 'ls' })).toBeNull()
    expect(shellCommandOf('mcp__bash__run', { command: 'ls' })).toBeNull()
    for (const input of [null, 5, [], {}, { command: 5 }, { command: [] }])
      expect(shellCommandOf('Bash', input)).toBeNull()
  })
})

describe('classifyCall', () => {
  test.each([
    'pytest',
    'pytest -q tests/test_a.py',
    'python -m pytest -x',
    'python3.12 -m unittest discover',
    'python -m coverage run -m pytest',
    'coverage run -m pytest',
    'python manage.py test app',
    'python tests/test_api.py',
    'npm test',
    'npm t',
    'npm run test:unit -- --watch',
    'npm run --prefix web test',
    'npm --prefix web test',
    'yarn test',
    'yarn jest src',
    'yarn workspace web test',
    'pnpm --filter web test',
    'pnpm vitest run',
    'bun test',
    'npx vitest run src',
    'npx vitest@latest',
    'npx jest',
    'npx mocha',
    'npx playwright test',
    './node_modules/.bin/vitest run',
    'node node_modules/vitest/vitest.mjs run',
    'vitest',
    'go test ./...',
    'cargo test --all',
    'cargo nextest run',
    'cargo +nightly test',
    'mvn -q test',
    './mvnw verify',
    'gradle test',
    './gradlew :app:testDebugUnitTest',
    'make test',
    'make -j4 check',
    'make unit-test',
    'just test',
    'mise run test:ci',
    'bundle exec rspec',
    'vendor/bin/phpunit',
    'php artisan test',
    'ctest --output-on-failure',
    'dotnet test',
    'mix test',
    'swift test',
    'deno test -A',
    'deno task test',
    'tox -e py312',
    'nox',
    'rake test',
    'bin/rails test',
    'node --test',
    'node --import tsx --test src/a.test.ts',
    'node scripts/test.mjs',
    './run_tests.sh',
    './test.sh',
    'bash scripts/run-tests',
    './pkg.test -test.v',
    'cd a && FOO=1 npm test 2>&1 | tail -5',
    'sudo timeout 60 bash -lc "cd a; npm test"',
    'uv run pytest',
    'docker compose exec web pytest',
    'for i in 1 2; do go test ./x; done',
    'out=$(cargo test) || true',
  ])('%s runs tests', (command) => {
    expect(kindOf(command)).toBe('test_run')
  })

  test.each([
    'test -f x',
    '/usr/bin/test -f x',
    '[ -f test ]',
    'pip install pytest',
    'npm install --save-dev vitest',
    'python -m pip install pytest',
    'which pytest && command -v vitest',
    'grep -rn pytest .',
    'cat tests/test_a.py',
    'echo "npm test"',
    'git commit -m "npm test"',
    'git checkout test',
    'pytest --version',
    'pytest --collect-only',
    'npx playwright install',
    'go build ./test',
    'go vet ./...',
    'cargo check',
    'cargo test --no-run',
    'npm run build',
    'npm run build:test-utils',
    'npm run lint',
    'make',
    'make -C test all',
    'gradle build -x test',
    'mise run check',
    'rails db:test:prepare',
    'python -c "import test; test.run()"',
    'python train.py --test-size 0.2',
    'node server.js',
    './latest.sh',
    '/tmp/my-test enable',
    'ls test && cd tests',
    'npm',
    'constructor test',
    'echo "unclosed && npm test',
  ])('%s runs none', (command) => {
    expect(kindOf(command)).toBe('tool_call')
  })

  test.each([
    ['Edit', { file_path: 'a' }],
    ['Write', { file_path: 'a' }],
    ['MultiEdit', {}],
    ['NotebookEdit', {}],
    ['apply_patch', PATCH],
    ['search_replace', {}],
    ['write_file', {}],
    ['create_file', {}],
    ['str_replace_editor', { command: 'str_replace', path: 'a' }],
    ['str_replace_based_edit_tool', { command: 'create', path: 'a' }],
  ])('%s edits', (tool, input) => {
    expect(classifyCall(tool, input, null)).toBe('edit')
  })

  test('a shell command that applies a patch edits, however long the patch is', () => {
    for (const patch of [PATCH, PATCH.replace('+y', `+${'y'.repeat(200_000)}`)]) {
      for (const command of [`apply_patch <<'EOF'\n${patch}\nEOF`, `apply_patch '${patch}'`]) {
        expect(kindOf(command)).toBe('edit')
      }
    }
    expect(kindOf(`cd x && apply_patch <<'EOF'\n${PATCH}\nEOF`)).toBe('edit')
  })

  test('running tests outranks editing', () => {
    expect(kindOf(`apply_patch '${PATCH}' && npm test`)).toBe('test_run')
  })

  test('everything else is a plain call, whatever the arguments', () => {
    expect(classifyCall('str_replace_editor', { command: 'view', path: 'a' }, null)).toBe('tool_call')
    for (const input of ODD) expect(classifyCall('Read', input, null)).toBe('tool_call')
    expect(kindOf('ls')).toBe('tool_call')
  })
})

describe('summarizeCall', () => {
  test.each([
    ['Bash', { command: 'pytest  -q\n' }, 'ran pytest -q'],
    ['shell', { command: ['bash', '-lc', 'ls'] }, 'ran ls'],
    ['shell', { command: ['apply_patch', PATCH] }, 'edited src/a.ts, b.ts'],
    ['apply_patch', PATCH, 'edited src/a.ts, b.ts'],
    ['apply_patch', { input: PATCH }, 'edited src/a.ts, b.ts'],
    ['Read', { file_path: 'src/a.ts', limit: 5 }, 'read src/a.ts'],
    ['read_file', { target_file: 'src/a.ts' }, 'read src/a.ts'],
    ['str_replace_editor', { command: 'view', path: 'src/a.ts' }, 'read src/a.ts'],
    ['Edit', { file_path: 'src/a.ts', old_string: 'x', new_string: 'y' }, 'edited src/a.ts'],
    ['NotebookEdit', { notebook_path: 'a.ipynb' }, 'edited a.ipynb'],
    ['Write', { file_path: 'src/a.ts', content: 'x' }, 'wrote src/a.ts'],
    ['Grep', { pattern: 'TODO', path: 'src', output_mode: 'content' }, 'searched "TODO" in src'],
    ['grep', { pattern: 'TODO' }, 'searched "TODO"'],
    ['Glob', { pattern: '**/*.ts' }, 'listed **/*.ts'],
    ['Glob', { pattern: '*.ts', path: 'src' }, 'listed *.ts in src'],
    ['list_dir', { target_directory: 'src' }, 'listed src'],
    ['LS', {}, 'listed .'],
    ['WebFetch', { url: 'https://example.com/a', prompt: 'x' }, 'fetched https://example.com/a'],
    ['WebSearch', { query: 'vitest docs' }, 'web search "vitest docs"'],
    ['web_search', { action: { type: 'search', query: 'vitest docs' } }, 'web search "vitest docs"'],
    ['web_search', { action: { type: 'open_page', url: 'https://e.com' } }, 'fetched https://e.com'],
    ['Task', { description: 'find the bug', prompt: 'long', subagent_type: 'x' }, 'asked subagent: find the bug'],
    ['spawn_subagent', { prompt: 'find it' }, 'asked subagent: find it'],
    ['TodoWrite', { todos: [] }, 'updated the todos'],
    ['update_plan', { plan: [] }, 'updated the plan'],
    ['mcp__linear__create_issue', { title: 'x' }, 'mcp linear/create_issue'],
    ['mcp__my_server__a__b', {}, 'mcp my_server/a__b'],
    ['server__tool', {}, 'mcp server/tool'],
    ['Skill', { args: 'x', skill: 'review' }, 'Skill x'],
    ['AskUserQuestion', { questions: [{ question: 'Which one?', options: ['a'] }] }, 'AskUserQuestion Which one?'],
    ['Sleep', { seconds: 3 }, 'Sleep'],
    ['Read', {}, 'Read'],
  ])('%s %j', (tool, input, expected) => {
    expect(summary(tool, input)).toBe(expected)
  })

  test('it is one line of at most 120 characters', () => {
    const line = summary('Bash', { command: `echo '${'a b\n'.repeat(500)}'` })
    expect(line).not.toContain('\n')
    expect(line).toHaveLength(120)
  })

  test('odd arguments give the name of the tool at least', () => {
    for (const input of ODD) for (const tool of ['Bash', 'Grep', 'Edit', 'X']) expect(summary(tool, input)).not.toBe('')
  })
})

describe('filesOf', () => {
  test.each([
    ['Read', { file_path: '/a/b.ts' }, ['/a/b.ts']],
    ['NotebookEdit', { notebook_path: 'a.ipynb' }, ['a.ipynb']],
    ['read_file', { target_file: 'a.ts' }, ['a.ts']],
    ['view', { path: 'a.ts' }, ['a.ts']],
    ['read_many_files', { paths: ['a.ts', 'b.ts', 'a.ts'] }, ['a.ts', 'b.ts']],
    ['mcp__fs__write', { files: [{ path: 'a.ts' }] }, ['a.ts']],
    ['apply_patch', PATCH, ['src/a.ts', 'b.ts']],
    ['apply_patch', { input: `${PATCH}\n*** Move to: c.ts` }, ['src/a.ts', 'b.ts', 'c.ts']],
    ['shell', { command: ['apply_patch', PATCH] }, ['src/a.ts', 'b.ts']],
    ['Bash', { command: `cd x && apply_patch <<'E'\n${PATCH}\nE` }, ['src/a.ts', 'b.ts']],
    ['Bash', { command: 'cat a.ts' }, []],
    ['Grep', { pattern: 'x', path: 'src' }, []],
    ['Grep', { pattern: 'x', path: 'src/a.ts' }, ['src/a.ts']],
    ['Write', { file_path: 'notes.md', content: PATCH }, ['notes.md']],
  ])('%s %j', (tool, input, expected) => {
    expect(filesOf(tool, input)).toEqual(expected)
  })

  test('odd arguments name no file', () => {
    for (const input of ODD) expect(filesOf('Read', input)).toEqual([])
  })
})

describe('callFingerprint', () => {
  const bash = (command: string, extra = {}): string => callFingerprint('Bash', { command, ...extra }, command)

  test('is twelve hex digits and never changes', () => {
    expect(bash('npm test')).toMatch(/^[0-9a-f]{12}$/)
    expect(bash('npm test')).toBe(bash('npm test'))
  })

  test('the same command is the same call, whatever else was said about it', () => {
    expect(bash(' npm   test\n', { timeout: 5, description: 'again' })).toBe(bash('npm test'))
    expect(bash('npm test')).not.toBe(bash('npm run test'))
  })

  test('the order of arguments does not count, their values do', () => {
    const call = (input: unknown): string => callFingerprint('Edit', input, null)
    expect(call({ a: 1, b: { c: [1, 2], d: null } })).toBe(call({ b: { d: null, c: [1, 2] }, a: 1 }))
    expect(call({ a: [1, 2] })).not.toBe(call({ a: [2, 1] }))
    expect(call({ a: '1' })).not.toBe(call({ a: 1 }))
  })

  test('another tool is another call', () => {
    expect(callFingerprint('Read', { path: 'a' }, null)).not.toBe(callFingerprint('Edit', { path: 'a' }, null))
  })

  test('odd and very deep arguments have one too', () => {
    for (const input of ODD) expect(callFingerprint('X', input, null)).toHaveLength(12)
    expect(callFingerprint('X', JSON.parse('['.repeat(50_000) + ']'.repeat(50_000)), null)).toHaveLength(12)
  })
})
