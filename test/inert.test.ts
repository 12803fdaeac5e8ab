import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { COMMANDS } from '../src/cli/commands.ts'
import { REPORTS } from '../src/cli/stats/reports.ts'
import { ClaudeLog, transcriptPath, uuid, write } from './kit/claude-log.ts'
import { cleanEnv, recallCli } from './kit/cli.ts'
import { tempDir } from './kit/home.ts'
import { HOSTILE, hostile, writeHostileHome } from './kit/hostile-home.ts'
import { noPty, recallOnTerminal } from './kit/pty.ts'

const home = tempDir()
const env = cleanEnv(home, path.join(tempDir(), 'data'))
const { claude, file } = writeHostileHome(home)

/** Every way to make a command print what is stored; a new command fails here until it says how it prints. */
const CALLS: Readonly<Record<string, readonly (readonly string[])[]>> = {
  index: [['--full', '-v']],
  search: [['deploy'], ['ECONNREFUSED', '--in', 'results'], ['heron', '--context', '2'], [HOSTILE, '--since', HOSTILE]],
  // On a whole screen: test/browse.test.ts.
  browse: [[`--${HOSTILE}`]],
  similar: [['why does the deploy fail'], [claude]],
  how: [['deploy']],
  fix: [[`Error: connect ECONNREFUSED 127.0.0.1:5432 heron ${HOSTILE}`]],
  files: [['handler.ts'], [file]],
  blame: [['4f2a9c1'], [`${HOSTILE}:1`], [HOSTILE]],
  list: [[], ['--all', '--branch', HOSTILE]],
  show: [
    [claude],
    [claude, '--tools', '--thinking', '--sidechains'],
    [claude, '--events'],
    ['kei:flat', '--tools'],
    ['codex:', '--tools'],
    [HOSTILE],
  ],
  diff: [
    [claude, 'kei:flat'],
    [claude, 'kei:flat', '--html'],
    [claude, HOSTILE],
  ],
  brief: [['--directory', HOSTILE]],
  handoff: [[claude], [claude, '--to', 'codex'], [HOSTILE]],
  resume: [
    [claude, '--print'],
    [HOSTILE, '--print'],
  ],
  stats: [[], ...REPORTS.map(({ name }) => [name]), ['tokens', '--audit', claude], ['bash', '--suggest'], [HOSTILE]],
  time: [[], ['tasks'], ['start', HOSTILE], ['sync']],
  retro: [
    ['--since', '2023-01-01'],
    ['--since', '2023-01-01', '--html'],
  ],
  claim: [['--list'], ['x', '--tier', 'REAL', '--pointer', `tasks.jsonl#${HOSTILE}`]],
  cost: [['--by', 'model'], ['--by', 'project'], ['--by', 'session'], ['--statusline']],
  permissions: [['log'], ['report'], ['never-asked'], ['friction'], ['audit'], ['undo', HOSTILE]],
  status: [[]],
  sweep: [['--dry-run', '-v']],
  analyze: [['--all']],
  budget: [[]],
  digest: [[claude]],
  env: [[claude], ['--last']],
  signals: [['--limit', '0'], [claude]],
  patterns: [['--limit', '0']],
  decide: [[claude, HOSTILE]],
  note: [[HOSTILE]],
  export: [
    ['html', claude, '--out', path.join(home, 'session.html')],
    ['md', '--out', path.join(home, 'sessions')],
    ['traces', '--out', path.join(home, 'exported')],
    ['traces', '--out', path.join(home, HOSTILE)],
    [HOSTILE],
  ],
  sql: [['SELECT * FROM messages'], ['--csv', 'SELECT * FROM sessions'], [HOSTILE]],
  sync: [[path.join(home, 'shared')], [path.join(home, HOSTILE)]],
  backup: [[path.join(home, 'backup.tar')], [path.join(home, HOSTILE)]],
  restore: [[path.join(home, 'backup.tar')], [HOSTILE]],
  import: [
    ['traces', path.join(home, '.claude')],
    ['traces', HOSTILE],
    [HOSTILE, HOSTILE],
  ],
  pin: [[claude], [HOSTILE]],
  unpin: [[claude]],
  bookmark: [[claude], [HOSTILE]],
  tag: [
    [claude, HOSTILE],
    [HOSTILE, 'x'],
  ],
  untag: [[claude, HOSTILE]],
  title: [
    [claude, HOSTILE],
    [HOSTILE, 'x'],
  ],
  forget: [[claude], ['--project', 'sam'], ['--undo', HOSTILE]],
  rescue: [['--within', '4000d']],
  watch: [['--poll', HOSTILE]],
  source: [['test', HOSTILE]],
  schedule: [['show'], [HOSTILE]],
  connect: [['status'], ['claude', '--dry-run'], [HOSTILE]],
  mcp: [['--http', HOSTILE]],
  // In a real browser: test/web.
  serve: [
    ['--port', HOSTILE],
    ['--host', '0.0.0.0'],
    ['--token-file', HOSTILE],
  ],
  hook: [['status'], ['install', 'claude', '--dry-run'], [HOSTILE]],
  group: [['list'], ['add', HOSTILE], ['context', HOSTILE], ['serve', '--once']],
  session: [
    ['history', '--group', 'inert'],
    ['get', '--group', 'inert'],
    ['get', '--group', HOSTILE],
    [HOSTILE, '--group', 'inert'],
  ],
  archive: [[claude], [claude, '--name', HOSTILE], [HOSTILE]],
  exec: [['--', HOSTILE]],
  doctor: [[], ['--secrets']],
  secrets: [[], ['--since', HOSTILE]],
  demo: [[]],
  welcome: [['-v']],
  completion: [['bash'], ['zsh'], ['fish'], [HOSTILE]],
}

beforeAll(() => {
  const settings = path.join(home, '.claude', 'settings.json')
  writeFileSync(settings, JSON.stringify({ env: { X: hostile('settings') }, cleanupPeriodDays: 3650 }, null, 2))
  expect(recallCli(env, 'index').code).toBe(0)
  expect(recallCli(env, 'analyze', '--all').code).toBe(0)
  recallCli(env, 'claim', HOSTILE, '--tier', 'REAL', '--pointer', HOSTILE)
  recallCli(env, 'time', 'start', HOSTILE)
  recallCli(env, 'group', 'add', 'inert')
  recallCli(env, 'session', 'set', uuid('inert'), '--group', 'inert')
  recallCli(env, 'session', 'archive', HOSTILE, '--group', 'inert')
})

const SGR = new RegExp(`${'\u001b'}\\[(?:1|2|22|3[1236]|39)m`, 'g')
const PROGRESS = new RegExp(`\\r${'\u001b'}\\[2K`, 'g')
const STEERING =
  /[^\P{Cc}\n\t]|[\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\u00ad\ufff9-\ufffb\u{e0000}-\u{e007f}]|\ufe0f/u

/** What of this would steer a terminal, with a little of what stands around it; our own colours need not be known. */
function steering(text: string): string | null {
  const found = STEERING.exec(text)
  return found === null ? null : JSON.stringify(text.slice(Math.max(0, found.index - 40), found.index + 20))
}

/** Commands that answer with nothing that somebody else wrote. */
const OWN_WORDS = [
  'brief',
  'index',
  'sweep',
  'analyze',
  'budget',
  'pin',
  'unpin',
  'rescue',
  'doctor',
  'demo',
  'env',
  'watch',
  'mcp',
  'decide',
  'note',
  'secrets',
]

test('every command is tried', () => {
  expect(Object.keys(CALLS).toSorted()).toEqual(Object.keys(COMMANDS).toSorted())
})

describe.each(Object.keys(CALLS))('recall %s', (name) => {
  test('passes nothing on that steers, off a terminal', () => {
    const runs = (CALLS[name] ?? []).map((args) => ({ args, ...recallCli(env, name, ...args) }))
    if (!OWN_WORDS.includes(name)) expect(runs.map(({ out, err }) => out + err).join('')).toContain('owned')
    for (const { args, out, err } of runs) {
      expect(steering(out), `${JSON.stringify(args)} on stdout`).toBeNull()
      expect(steering(err), `${JSON.stringify(args)} on stderr`).toBeNull()
    }
  })

  test('with --json every character that steers is escaped, and means the same', () => {
    for (const args of (CALLS[name] ?? []).filter(([first]) => first !== '--')) {
      const { out } = recallCli(env, name, ...args, '--json')
      if (name === 'digest') expect(out.trimEnd()).toBe(recallCli(env, 'digest', claude, '--json').out.trimEnd())
      else expect(steering(out), JSON.stringify(args)).toBeNull()
    }
  })

  test.skipIf(noPty)('passes nothing on that steers but its own colours, on a terminal', () => {
    for (const args of CALLS[name] ?? []) {
      const { shown } = recallOnTerminal(env, [name, ...args])
      const others = shown.replaceAll('\r\n', '\n').replaceAll(PROGRESS, '').replaceAll(SGR, '')
      expect(steering(others), JSON.stringify(args)).toBeNull()
    }
  })
})

describe.skipIf(noPty)('what looks like our colours', () => {
  test('is none: without colours nothing is left of it', () => {
    for (const args of [['show', claude, '--tools', '--thinking'], ['list'], ['search', 'deploy'], ['signals']]) {
      const { shown } = recallOnTerminal({ ...env, NO_COLOR: '1' }, args)
      expect(shown).toContain('owned')
      expect(shown).not.toContain('\u001b')
    }
  })

  test('does not end or spread ours', () => {
    const { shown } = recallOnTerminal(env, ['search', 'deploy'])
    for (const line of shown.split('\r\n')) {
      const codes = [...line.matchAll(SGR)].map(([code]) => code)
      expect(codes.filter((code) => /\[(?:22|39)m/.test(code))).toHaveLength(codes.length / 2)
    }
  })
})

test('a name with a newline in it stands on one line', () => {
  const { out } = recallCli(env, 'show', claude, '--tools')
  expect(out).toMatch(/^Project: .*␊forged \(fix\/.*␊forged\)$/m)
  expect(out).not.toMatch(/^forged/m)
  expect(recallCli(env, 'files', 'handler.ts').out).not.toMatch(/^Project: forged/m)
})

test.each(['retro.html', 'retro.md'])('a page in a file steers nobody either: %s', (name) => {
  const page = path.join(tempDir(), name)
  expect(recallCli(env, 'retro', '--since', '2023-01-01', '--out', page).code).toBe(0)
  const text = readFileSync(page, 'utf8')
  expect(text).toContain('owned')
  expect(steering(text)).toBeNull()
})

test('what env prints means one value a variable to a shell, whatever the directory was called', () => {
  const other = tempDir()
  const log = new ClaudeLog(uuid('quoting'), { cwd: `/home/sam/a'$(touch owned)\`id\`" \nexport EVIL=1 \u001b[2J` })
  write(transcriptPath(other, log.session), log.user('hello').say('done').text())
  const place = cleanEnv(other)
  recallCli(place, 'index')
  recallCli(place, 'analyze', '--all')
  const { out } = recallCli(place, 'env', '--last')
  expect(out.split('\n').filter((line) => !/^export HELIX_[A-Z_]+=/.test(line))).toEqual([''])
  const shell = spawnSync('sh', ['-c', 'eval "$1"; printf "%s|%s" "$HELIX_REPO" "$EVIL"', 'sh', out], {
    cwd: other,
    encoding: 'utf8',
  })
  expect(shell.stdout).toBe(`a'$(touch owned)\`id\`" ␊export EVIL=1 ␛[2J|`)
  expect(existsSync(path.join(other, 'owned'))).toBe(false)
})
