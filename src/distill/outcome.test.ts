import { describe, expect, test } from 'vitest'
import { play, type Shape } from '../../test/outcomes/script.ts'
import { judgeOutcome } from './outcome.ts'

function judge(script: string, shape: Shape = 'claude') {
  return judgeOutcome(play(script, shape))
}

describe('the outcome', () => {
  test('of a first prompt that speaks of undoing or of what is broken depends on the work alone', () => {
    expect(judge('you: revert the last commit\nrun git revert HEAD => commit 1234567\nsays: Reverted.').outcome).toBe(
      'success',
    )
    expect(judge("you: the button doesn't work\nedit a.css\nsays: Fixed the selector.").outcome).toBe('success')
  })

  test('knows a commit that says nothing of itself', () => {
    const script =
      'you: fix it, commit\nedit a.ts\nrun git -c user.name=L -c user.email=l@x commit -qam x => ok\nsays: Done.'
    expect(judge(script).reasons).toContain('the work was committed')
  })

  test('is a failure if the last call failed and the agent says so', () => {
    const script = (answer: string) => `you: push it\nrun git push => error fatal: denied\nsays: ${answer}`
    expect(judge(script('The push failed: there are no credentials here.')).outcome).toBe('fail')
    expect(judge('you: look at the logs\nrun node x.js => error oops\nsays: It is a long story.').outcome).toBe(
      'unknown',
    )
  })

  test('of failed tests without an edit is nobody’s failure', () => {
    const script = (edit: string) => `you: review the branch\n${edit}\nrun npm test => failed\nsays: Three findings.`
    expect(judge(script('read a.ts')).outcome).toBe('unknown')
    expect(judge(script('edit a.ts')).outcome).toBe('fail')
  })

  test('takes an edit that failed or was not allowed for none', () => {
    const script = (then: string) =>
      `you: change the header\nread a.css\nedit a.css${then}\nsays: Which of the two headers should I change?`
    expect(judge(script('')).outcome).toBe('success')
    expect(judge(script(' => error String to replace not found')).outcome).toBe('abandoned')
    expect(judge(script(' => denied')).outcome).toBe('abandoned')
    expect(judge('you: change the header\nedit a.css => denied\nsays: Right.').outcome).toBe('abandoned')
  })

  test('is unknown if no call of the last turn was allowed, though each no was answered', () => {
    const tried = 'edit a.css => denied\ncomment: not that one\nedit b.css => denied\ncomment: nor that one'
    const script = (last: string) => `you: change the header\n${tried}\n${last}says: Tried.`
    expect(judge(script('')).outcome).toBe('unknown')
    expect(judge(script('edit c.css\n')).outcome).toBe('success')
  })

  test('is open again once a command sets the agent to work after a stop', () => {
    const script = 'you: fix it\nedit a.ts\nstop\nauto: /review\nread a.ts\nsays: Two findings: the guard and the name.'
    expect(judge(script).outcome).toBe('success')
    expect(judge(script.replace(/\nread[^]*/, '')).outcome).toBe('abandoned')
  })

  test('is the surer the more proves it', () => {
    const sure = [
      'you: what is it?\nsays: A lock.',
      'you: fix it\nedit a.ts\nsays: Fixed.',
      'you: fix it\nedit a.ts\nrun npm test => passed\nsays: Fixed.',
      'you: fix it\nedit a.ts\nrun npm test => passed\nrun git commit -am x => commit 1234567\nsays: Fixed.',
    ].map((script) => judge(script).confidence)
    expect(sure).toEqual(sure.toSorted((a, b) => a - b))
    expect(new Set(sure).size).toBe(sure.length)
  })

  test('says why', () => {
    expect(judge('you: fix it\nedit a.ts\nrun npm test => passed\nsays: Fixed.', 'codex').reasons).toEqual([
      'the tests passed after the last edit',
      'the log says the turn is complete',
    ])
  })

  test('of a session whose main transcript is gone is told by its subagent', () => {
    const events = play('you: go\nsub run npm test => failed\nsub says: One fails.', 'claude')
    expect(judgeOutcome(events.filter(({ sidechain }) => sidechain)).outcome).not.toBe('success')
  })

  test('of nothing is unknown', () => {
    expect(judgeOutcome([])).toMatchObject({ outcome: 'unknown' })
  })
})
