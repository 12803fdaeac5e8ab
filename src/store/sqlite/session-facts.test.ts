import { expect, test } from 'vitest'
import { billedBy, branchesOf, endLanes, forkOf, mergeFacts, sumRedactions, yieldingLanes } from './session-facts.ts'
import { ORIGINALITY, type SessionLane } from './session-lanes.ts'

let count = 0
function lane(name: string, more: Partial<SessionLane> = {}): SessionLane {
  const rest = {
    yieldsTo: null,
    file: null,
    mainPath: null,
    facts: {},
    redactions: {},
    messageBase: null,
    forkOf: null,
  }
  return { id: ++count, name, originality: ORIGINALITY.own, ...rest, ...more }
}

test('of several transcripts the first tells where, the last how it ended and what it is called', () => {
  const first = lane('', { facts: { cwd: '/a', customTitle: 'old', endedAt: 1 } })
  const second = lane('@2', { facts: { cwd: '/b', customTitle: 'new', endedAt: 2, complete: false } })
  const helper = lane('agent', { originality: 1, facts: { customTitle: 'helper', model: 'm' } })
  const facts = { cwd: '/a', customTitle: 'new', endedAt: 2, complete: false, model: 'm' }
  expect(mergeFacts([first, second, helper])).toEqual(facts)
})

test('a lane yields to what tells the same better, and never to nothing', () => {
  const log = lane('~prompts', { yieldsTo: '*' })
  expect(yieldingLanes([log])).toEqual([])
  expect(yieldingLanes([log, lane('~lost of it~lost')])).toEqual([])
  expect(yieldingLanes([log, lane('')])).toEqual([log])
  const flat = lane('~flat', { yieldsTo: '~trace' })
  expect(yieldingLanes([flat, lane('')])).toEqual([])
  expect(yieldingLanes([flat, lane('~trace')])).toEqual([flat])
})

test('branches of subagents count only where nothing else is left', () => {
  const helper = lane('agent', { originality: 1, facts: { branches: ['x'] } })
  expect(branchesOf([lane('', { facts: { branches: ['main', 'fix'] } }), helper])).toEqual(['main', 'fix'])
  expect(branchesOf([lane(''), helper])).toEqual(['x'])
})

test('only transcripts of the conversation tell of forks, bills, beginnings and ends', () => {
  const bill = { models: [], line: 3 }
  const lost = lane('~lost', { forkOf: 'a:1', facts: { billed: bill } })
  const [one, two] = [lane('', { forkOf: 'a:2' }), lane('@2', { facts: { billed: bill } })]
  expect([forkOf([lost]), billedBy([lost])]).toEqual([null, null])
  expect(forkOf([lost, one, two])).toBe('a:2')
  expect(billedBy([one, two])).toEqual({ lane: two.id, bill })
  expect(endLanes([lost, one, two])).toEqual([one, two])
  const copy = lane('copy', { originality: ORIGINALITY.copy })
  expect(endLanes([copy])).toEqual([copy, copy])
  expect(endLanes([])).toEqual([])
})

test('what was taken out is added up by rule', () => {
  const lanes = [lane('', { redactions: { key: 1, a: 2 } }), lane('agent', { redactions: { key: 2 } })]
  expect(sumRedactions(lanes)).toEqual({ a: 2, key: 3 })
})
