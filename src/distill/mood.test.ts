import { describe, expect, test } from 'vitest'
import { admitsDefeat, asksBack, reportsFailure } from './answers.ts'
import { gaveUp, isComplaint, isCorrection, isQuestion, isThanks, takesBack } from './mood.ts'

describe('a person', () => {
  test.each([
    'never mind',
    "Forget it, I'll do it myself",
    'lass gut sein',
    'ладно, сам',
    'I’ll just fix it by hand',
    'then drop the branch, some other day',
    'deixa pra lá',
    '算了,我自己来',
    'もういいです',
  ])('gives up: %s', (prompt) => expect(gaveUp(prompt)).toBe(true))

  test.each(['mind the gap', 'do it with a never type', 'drop the table in the test', 'he said so himself'])(
    'does not give up: %s',
    (prompt) => expect(gaveUp(prompt)).toBe(false),
  )

  test.each([
    'thanks!',
    'Perfect.',
    'ok, works. great',
    'super, danke',
    'спасибо',
    'gracias',
    '谢谢',
    'ありがとうございます',
  ])('is content: %s', (prompt) => {
    expect(isThanks(prompt)).toBe(true)
  })

  test.each(['thanks, but it still fails', 'no, that was not it, thanks', 'make it greater'])(
    'is not content: %s',
    (prompt) => {
      expect(isThanks(prompt)).toBe(false)
    },
  )

  test.each([
    "it still doesn't start",
    'same error',
    'geht immer noch nicht',
    'всё равно падает',
    'you broke the tests',
    'sigue fallando',
    'ça ne marche toujours pas',
    'まだ直っていません',
    '还是不行',
    'hm, it is just as slow as before',
    'same flicker as before',
  ])('complains: %s', (prompt) => {
    expect(isComplaint(prompt)).toBe(true)
    expect(isCorrection(prompt)).toBe(true)
  })

  test.each([
    'no, use tabs',
    'wait, that is the wrong branch',
    'why did you delete it',
    'нет, не так',
    "don't touch the server",
  ])('corrects: %s', (prompt) => expect(isCorrection(prompt)).toBe(true))

  test.each([
    'add a test that checks we print the wrong name',
    'are the comments still valid?',
    'use literals instead of contains',
    'now do the same for the client',
    'there is no need for a lock',
    '如果密码不对就返回 401',
    'todavía no lo subas',
    'option 1: without the flag it just works as before',
    'the old name should behave exactly as before',
  ])('only asks: %s', (prompt) => expect(isCorrection(prompt)).toBe(false))

  test('wants it undone', () => {
    expect(takesBack('hm, revert everything')).toBe(true)
    expect(takesBack('how does git revert work')).toBe(false)
  })

  test('is not read into a long prompt', () => {
    expect(gaveUp(`${'a long story. '.repeat(40)} never mind`)).toBe(false)
  })

  test('asks, or asks for something', () => {
    expect(isQuestion('where is the lock?')).toBe(true)
    expect(isQuestion('explain the cache')).toBe(true)
    expect(isQuestion('キャッシュはどこですか')).toBe(true)
    expect(isQuestion('can you fix the lock?')).toBe(false)
    expect(isQuestion('fix the lock')).toBe(false)
  })
})

describe('the agent', () => {
  test('admits defeat, or only mentions that of others', () => {
    expect(admitsDefeat('I was unable to connect to the broker.')).toBe(true)
    expect(admitsDefeat('Done, but two tests still fail.')).toBe(true)
    expect(admitsDefeat('The tests are still failing.')).toBe(true)
    expect(admitsDefeat('The parser is fixed and no longer fails.')).toBe(false)
  })

  test('reports a failure, unless all is well', () => {
    expect(reportsFailure('The push failed: no credentials.')).toBe(true)
    expect(reportsFailure('The first try failed, now all tests pass.')).toBe(false)
  })

  test('asks back where it cannot go on, and not where it offers more', () => {
    expect(asksBack('There are two ways. Which one do you prefer?')).toBe(true)
    expect(asksBack('Before I start: should I keep the old names?')).toBe(true)
    expect(asksBack('Done. Would you like me to add a diagram?')).toBe(false)
    expect(asksBack('Done. Let me know if you want more.')).toBe(false)
    expect(asksBack('Which is what it does now.')).toBe(false)
  })
})
