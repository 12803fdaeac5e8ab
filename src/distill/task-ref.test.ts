import { describe, expect, test } from 'vitest'
import { infraShare } from './infra-overhead.ts'
import { taskRefOf } from './task-ref.ts'

const nothing = { branch: null, prompt: null, cwd: null }

describe('the task of a session', () => {
  test.each([
    ['feature/ABC-123-fix-parser-2', 'ABC-123'],
    ['AGENTIC-WP-0002-T01', 'AGENTIC-WP-0002-T01'],
    ['ann/SHOP2-7', 'SHOP2-7'],
    ['ann_X1-7', 'X1-7'],
  ])('is found in the branch %s', (branch, key) => {
    expect(taskRefOf({ ...nothing, branch })).toBe(key)
  })

  test('is looked for in the branch, then the prompt, then the directory', () => {
    expect(taskRefOf({ branch: 'main', prompt: 'please do OPS-9', cwd: '/w/WEB-1' })).toBe('OPS-9')
    expect(taskRefOf({ branch: 'main', prompt: 'hello', cwd: '/w/WEB-1' })).toBe('WEB-1')
    expect(taskRefOf({ branch: 'main', prompt: 'hello', cwd: '/w/web-1' })).toBe(null)
  })

  test.each([
    'decode UTF-8',
    'use SHA-256',
    'ISO-8601 dates',
    'ask GPT-4',
    'see RFC-2119',
    'CVE-2024-12345',
    'abc-123',
    'X-1',
  ])('is not %s', (prompt) => {
    expect(taskRefOf({ ...nothing, prompt })).toBe(null)
  })

  test('is what the given patterns say, their first group if there is one', () => {
    expect(taskRefOf({ ...nothing, branch: 'fix/gh-77' }, [/gh-(\d+)/])).toBe('77')
    expect(taskRefOf({ ...nothing, branch: 'fix/gh-77' }, [/gh-\d+/g])).toBe('gh-77')
    expect(taskRefOf({ ...nothing, branch: 'ABC-1' }, [])).toBe(null)
  })
})

describe('the overhead', () => {
  test('is the share of calls that do no work of their own', () => {
    expect(infraShare({ Bash: 5, mcp__a__b: 1, ToolSearch: 1, TodoWrite: 1, TaskUpdate: 1, update_plan: 1 })).toBe(0.5)
    expect(infraShare({ Bash: 2, mcp__a__b: 1 })).toBe(0.333)
    expect(infraShare({ Bash: 2 })).toBe(0)
    expect(infraShare({})).toBe(null)
  })

  test('follows the given patterns', () => {
    expect(infraShare({ 'a.b': 1, axb: 1, 'a.bc': 2 }, ['a.b*'])).toBe(0.75)
    expect(infraShare({ Bash: 1, Read: 1 }, ['Bash'])).toBe(0.5)
  })
})
