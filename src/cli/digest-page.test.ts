import { expect, test } from 'vitest'
import { printDigest } from './digest-page.ts'
import { Terminal } from './terminal.ts'

const NOTHING = { errors: 0, retries: 0, interventions: 0, test_runs: 0, edits: 0, decisions: 0, compactions: 0 }

test('a digest is a page of labelled lines that fit the terminal; what is nothing is left out', () => {
  let out = ''
  const stream = { isTTY: true, columns: 60, write: (part: string) => (out += part) }
  printDigest(new Terminal(stream, stream, false), {
    session_uid: 'claude:17092961-aaaa',
    flavor: 'claude',
    repo: 'shop',
    domain: null,
    model: null,
    started_at: null,
    ended_at: null,
    outcome: 'success',
    cost: { input_tokens: 1200, output_tokens: null, cache_tokens: 0, wall_clock_s: 60, turns: 1, retries: 1 },
    tool_histogram: { Read: 1, Edit: 12 },
    event_count: 20,
    kind_counts: {},
    markers: { ...NOTHING, test_runs: 2 },
    first_prompt: 'The cart shows the wrong total when a voucher is taken off again, please have a look',
    last_assistant: null,
    error_snippets: [],
    schema_version: 1,
    title: 'Wrong total in the cart',
    outcome_confidence: 0.85,
    outcome_reasons: ['the tests passed after the last edit'],
    task_ref: null,
    exchanges: 1,
    files: Array.from({ length: 10 }, (_, i) => ({ path: `src/part${i}.ts`, edits: 1, reads: 0 })),
    commands: [],
    commits: [],
    prs: [],
    time: { active_s: 60, agent_s: 0, waiting_s: 0, idle_s: 0 },
    compactions: 0,
    redactions: {},
    sources: [],
    infra_overhead_share: null,
  })
  const lines = out.split('\n')
  expect(lines.filter((line) => line.length > 60)).toEqual([])
  expect(lines[0]).toBe('Wrong total in the cart')
  expect(lines).toContain('outcome   success (85 % sure; the tests passed after the')
  expect(lines).toContain('tokens    1,200 input, unknown output, 0 cache')
  expect(lines).toContain('seen      test runs ×2')
  expect(lines).toContain('tools     Edit ×12, Read ×1')
  expect(out).toContain('2 more')
  expect(out).not.toMatch(/^(?:ended|commits|error) /m)
})
