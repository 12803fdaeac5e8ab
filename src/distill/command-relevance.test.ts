import { describe, expect, test } from 'vitest'
import type { DigestEvent } from '../model/digest.ts'
import {
  delivers,
  endsMerge,
  isMissing,
  isNamed,
  isNoVerdict,
  isProse,
  isRelevant,
  leavesConflict,
  restoredBy,
  undoes,
} from './command-relevance.ts'

const call = (text: string) => ({ text, base: text.split(' ')[0], sub: null }) as DigestEvent

describe('a command', () => {
  test.each([
    'terraform apply',
    'cd web && npm run build | tail -3',
    'kubectl rollout status deploy/api',
    'gh pr checks 4 --watch',
    'python plot.py',
  ])('tells something of the work: %s', (command) => expect(isRelevant(call(command))).toBe(true))

  test.each([
    'rg -n todo src',
    'git diff --exit-code',
    'gh pr view 4',
    'docker compose ps',
    'npm outdated',
    'kubectl get pods',
    'kubectl -n staging get pods',
    'git -C lib status --short',
    'docker compose -f dev.yml ps',
  ])('only looks: %s', (command) => expect(isRelevant(call(command))).toBe(false))

  test('takes work back, or brings it to others', () => {
    expect(['git rebase --abort', 'kubectl rollout undo deploy/api', 'git checkout .'].every(undoes)).toBe(true)
    expect(['git rebase main', 'git checkout main', 'git checkout ./a.ts'].some(undoes)).toBe(false)
    expect(['git push', 'npm publish --tag beta', './bin/deploy prod'].every(delivers)).toBe(true)
    expect(['npm run push-notify', 'npm run build'].some(delivers)).toBe(false)
  })

  test('brings files back as they were committed', () => {
    expect(restoredBy('git checkout src/a.ts lib/ && git status')).toEqual(['src/a.ts', 'lib'])
    expect(restoredBy('git restore ./b.ts')).toEqual(['b.ts'])
    expect(['git checkout -b topic', 'git restore --staged a.ts', 'git log a.ts'].flatMap(restoredBy)).toEqual([])
  })

  test('leaves a merge in its middle, or ends it', () => {
    const failure = 'Auto-merging a.rb\nCONFLICT (content): Merge conflict in a.rb'
    expect(
      ['git merge main', 'git -C lib pull --rebase', 'git stash pop'].every((c) => leavesConflict(c, failure)),
    ).toBe(true)
    expect(leavesConflict('git merge main', 'fatal: refusing to merge unrelated histories')).toBe(false)
    expect(leavesConflict('cat notes', failure)).toBe(false)
    expect(['git commit -am x', 'git rebase --continue', 'git merge --abort'].every(endsMerge)).toBe(true)
    expect(['git merge main', 'git add a.rb', 'echo commit'].some(endsMerge)).toBe(false)
  })

  test('is asked for by name', () => {
    expect(isNamed('fix it and push', 'cd repo && git push')).toBe(true)
    expect(isNamed('fix it and push', 'git -C lib push')).toBe(true)
    expect(isNamed('fix it', 'git push')).toBe(false)
  })
})

test('a failure that is none of the work', () => {
  expect(isMissing('Exit code 127\nbash: nginx: command not found')).toBe(true)
  expect(isMissing('Exit code 1\nuser not found in table')).toBe(false)
  expect(isNoVerdict('Terminated', 143)).toBe(true)
  expect(isNoVerdict('Exit code 1\nOn branch main\nnothing to commit, working tree clean', 1)).toBe(true)
  expect(isNoVerdict('124 errors', 1)).toBe(false)
})

test('texts for people are no code', () => {
  expect(['docs/a.md', 'README', 'CHANGELOG'].every(isProse)).toBe(true)
  expect(['a.ts', 'readme.ts', 'Dockerfile'].some(isProse)).toBe(false)
})
