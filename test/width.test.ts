import { stripVTControlCharacters } from 'node:util'
import { describe, expect, test } from 'vitest'
import { displayWidth } from '../src/cli/table.ts'
import { writeDemoHome } from '../src/demo/demo.ts'
import { cleanEnv, recallCli } from './kit/cli.ts'
import { NOW, tempDir } from './kit/home.ts'
import { noPty, recallOnTerminal } from './kit/pty.ts'

/** What people look at. Commands whose output goes elsewhere (`sql`, `export`, `env`) are as wide as what they print. */
const LOOKS = [
  ['help'],
  ['help', 'search'],
  ['search', 'why did the deploy fail'],
  ['list', '--all'],
  ['show', 'last', '--tools'],
  ['digest', 'last'],
  ['similar', 'why does the deploy fail'],
  ['how', 'run the tests'],
  ['fix', 'Error: connect ECONNREFUSED 127.0.0.1:5432'],
  ['signals'],
  ['patterns'],
  ['retro', '--since', '2020-01-01'],
  ['cost', '--by', 'session'],
  ['stats'],
  ['stats', 'bash', '--suggest'],
  ['time'],
  ['permissions', 'never-asked'],
  ['permissions', 'audit'],
  ['status'],
  ['budget'],
  ['resume', 'last', '--print'],
]

describe.skipIf(noPty)('on the demo', () => {
  const home = tempDir()
  writeDemoHome(home, NOW)
  const env = cleanEnv(home)
  recallCli(env, 'index')
  recallCli(env, 'analyze')

  test.each([80, 140])('nothing is wider than a terminal of %i columns', (columns) => {
    for (const args of LOOKS) {
      const { shown } = recallOnTerminal(env, args, '', columns)
      const lines = stripVTControlCharacters(shown.replaceAll('\r', '')).split('\n')
      expect(lines.length, args.join(' ')).toBeGreaterThan(1)
      expect(
        lines.filter((line) => displayWidth(line) > columns),
        args.join(' '),
      ).toEqual([])
    }
  })
})
