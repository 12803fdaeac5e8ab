import { describe, expect, test } from 'vitest'
import type { DigestEvent, Signal } from '../model/digest.ts'
import { play, type Shape } from '../../test/outcomes/script.ts'
import { findPatterns } from './patterns.ts'
import { findSignals } from './signals.ts'

const place = { cwd: '/home/ann/shop', gitRepo: '/home/ann/shop' }

function signals(script: string, shape: Shape = 'claude'): Signal[] {
  return findSignals(play(script, shape), place)
}

function of(kind: Signal['kind'], script: string, shape: Shape = 'claude'): Signal[] {
  return signals(script, shape).filter((signal) => signal.kind === kind)
}

/** A call that failed and is made again is kept as a retry. */
function withRetries(events: readonly DigestEvent[]): DigestEvent[] {
  const seen = new Set<string | null>()
  return events.map((event) => {
    if (event.kind !== 'tool_call') return event
    const kind = seen.has(event.text) ? 'retry' : 'tool_call'
    seen.add(event.text)
    return { ...event, kind }
  })
}

describe('signals', () => {
  test('errors are counted by what they say, with where they happened', () => {
    const found = of(
      'error',
      `
      you: go
      run a => error Error: no such file '/tmp/1'
      run b => error Error: no such file '/tmp/2'
      run c => error fatal: not a git repository`,
    )
    expect(found.map(({ count, tool, seqs }) => [count, tool, seqs.length])).toEqual([
      [2, 'Bash', 2],
      [1, 'Bash', 1],
    ])
    expect(found[0]?.summary).toBe("Error: no such file '/tmp/1'")
  })

  test('an error without a word is none', () => {
    expect(of('error', 'you: go\nrun grep -q x y => error Exit code 1')).toEqual([])
  })

  test('a failing call made again and again is a loop; made again once it is none', () => {
    const script = (times: number) => `you: go\n${'run make => error x\n'.repeat(times)}says: no`
    const loops = (times: number) =>
      findSignals(withRetries(play(script(times), 'codex'))).filter(({ kind }) => kind === 'retry_loop')
    expect(loops(2)).toEqual([])
    expect(loops(3)).toMatchObject([{ count: 2, tool: 'exec_command', summary: 'tried again and again: make' }])
  })

  test('a person’s correction is one, their first prompt is none', () => {
    const script = 'you: no, use tabs\nsays: ok\nyou: I said tabs, not spaces\nsays: sorry\nyou: now the docs\nsays: ok'
    expect(of('correction', script).map(({ summary }) => summary)).toEqual(['I said tabs, not spaces'])
    expect(of('correction', 'you: сделай\nsays: ok\nyou: нет, не так\nsays: ok')).toHaveLength(1)
    expect(of('correction', 'you: a\nsays: b\nnote rewound to before prompt 1')).toHaveLength(1)
  })

  test('what was not allowed is told by what it was', () => {
    for (const shape of ['claude', 'codex'] as const) {
      const script = 'you: go\nrun git push => denied\nsays: ok\nyou: once more\nrun git push => denied'
      const [denial, ...others] = of('denial', script, shape)
      expect(others).toEqual([])
      expect(denial).toMatchObject({ count: 2 })
      expect(denial?.summary).toMatch(/^turned down: \w+ git push$/)
    }
    expect(of('denial', 'you: go\nrun git push => denied', 'grok').map(({ tool }) => tool)).toContain(
      'run_terminal_cmd',
    )
  })

  test('a stop tells what it stopped; a question for permission is no stop', () => {
    expect(of('intervention', 'you: go\nrun make => ok\nstop')).toMatchObject([{ count: 1, tool: 'Bash' }])
    expect(of('intervention', 'you: go\nrun make => denied', 'grok')).toEqual([])
  })

  test('a file edited over and over in one exchange is churn', () => {
    const edits = (times: number) => 'edit a.ts\n'.repeat(times)
    expect(of('churn', `you: go\n${edits(4)}`)).toMatchObject([
      { count: 4, summary: expect.stringContaining('a.ts') as string },
    ])
    expect(of('churn', `you: go\n${edits(2)}says: x\nyou: more\n${edits(2)}`)).toEqual([])
  })

  test('so is a file edited again after it was taken back', () => {
    const again = (command: string) => of('churn', `you: go\nedit src/a.ts\nrun ${command} => ok\nedit src/a.ts`)
    expect(again('git checkout -- src/a.ts')).toHaveLength(1)
    expect(again('git restore a.ts')).toHaveLength(1)
    expect(again('git reset --hard')).toHaveLength(1)
    expect(again('git checkout src/b.ts')).toEqual([])
    expect(again('git status')).toEqual([])
  })

  test('compactions are worth telling from the second on', () => {
    expect(of('compaction', 'you: go\ncompacted\nsays: a')).toEqual([])
    expect(of('compaction', 'you: go\ncompacted\nsays: a\ncompacted')).toMatchObject([{ count: 2 }])
  })

  test('files edited in one exchange change together', () => {
    const script = 'you: go\nedit b.ts\nedit a.ts\nsays: x\nyou: more\nedit /home/ann/shop/a.ts\nedit b.ts\nedit c.ts'
    expect(of('co_change', script).map(({ summary, count }) => [summary, count])).toEqual([
      ['a.ts and b.ts change together', 2],
      ['a.ts and c.ts change together', 1],
      ['b.ts and c.ts change together', 1],
    ])
  })

  test('a sweep over many files says nothing of which belong together', () => {
    const edits = Array.from({ length: 13 }, (_, i) => `edit f${i}.ts`).join('\n')
    expect(of('co_change', `you: go\n${edits}`)).toEqual([])
  })

  test('what was taken back is no signal', () => {
    const events = play('you: go\nrun a => error x\nstop', 'claude').map((event) => ({ ...event, superseded: true }))
    expect(findSignals(events)).toEqual([])
  })

  test('never tell more than twenty places, nor more than a hundred of a kind', () => {
    const words = Array.from(
      { length: 150 },
      (_, i) => `run x => error Error: ${String.fromCharCode(97 + (i % 26)).repeat(1 + i)}`,
    )
    const many = of('error', `you: go\n${words.join('\n')}\n${'run x => error Error: same\n'.repeat(30)}`)
    expect(many).toHaveLength(100)
    expect(many[0]).toMatchObject({ count: 30 })
    expect(many[0]?.seqs).toHaveLength(20)
  })
})

describe('patterns', () => {
  const error = (seqs: number[], text = 'Error: x'): Signal => ({
    kind: 'error',
    fingerprint: text,
    summary: text,
    count: seqs.length,
    tool: null,
    seqs,
  })

  test('are what occurs in at least two sessions', () => {
    const sightings = [
      { uid: 'b:2', signal: error([7, 9]) },
      { uid: 'a:1', signal: error([3]) },
      { uid: 'a:1', signal: error([4], 'Error: alone') },
    ]
    const found = findPatterns(sightings)
    expect(found).toMatchObject([{ sessions: 2, count: 3, evidence: ['a:1#3', 'b:2#7', 'b:2#9'] }])
    expect(findPatterns(sightings.toReversed())).toEqual(found)
  })

  test('come in the order of sessions, then of counts', () => {
    const sightings = ['a', 'b', 'c'].flatMap((uid) => [
      { uid, signal: error([1], 'wide') },
      ...(uid === 'c'
        ? []
        : [
            { uid, signal: error([1, 2, 3], 'often') },
            { uid, signal: error([1, 2], 'rare') },
          ]),
    ])
    expect(findPatterns(sightings).map(({ summary }) => summary)).toEqual(['wide', 'often', 'rare'])
  })

  test('the same words in two kinds are two things', () => {
    const correction: Signal = { ...error([1]), kind: 'correction' }
    expect(
      findPatterns([
        { uid: 'a', signal: error([1]) },
        { uid: 'b', signal: correction },
      ]),
    ).toEqual([])
  })

  test('a real error in two real shapes is one pattern', () => {
    const sightings = (['claude', 'grok'] as const).flatMap((shape) =>
      signals("you: go\nrun npm ci => error npm ERR! code ENOENT '/a/1'", shape).map((signal) => ({
        uid: `${shape}:1`,
        signal,
      })),
    )
    expect(findPatterns(sightings).map(({ kind, sessions }) => [kind, sessions])).toEqual([['error', 2]])
  })
})
