import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { readableTitle } from './titles.ts'

const SPECKIT = (words: string) =>
  `## User Input\n\n\`\`\`text\n${words}\n\`\`\`\n\nYou **MUST** consider the user input before proceeding (if not empty).\n\n## Outline\n\n1. Run`

/** What a person typed, prompt by prompt, and what the session should be called. */
const CASES: readonly (readonly [title: string, ...prompts: string[]])[] = [
  // A prompt that says it is its title.
  ['add a retry to the uploader', 'add a retry to the uploader'],
  ['add a retry to the uploader', '  add a retry\n to the   uploader '],
  ['why is the build red?', 'why is the build red?'],
  ['修复登录页面的错误', '修复登录页面的错误'],
  ['fix `parseDate` in src/time.ts', 'fix `parseDate` in src/time.ts'],
  // Plans are called by their heading.
  [
    'Dark mode for the settings page',
    'Implement the following plan:\n\n# Dark mode for the settings page\n\n## Context\n\nPeople asked.',
  ],
  [
    'Dark mode for the settings page',
    'Implement the following plan: # Dark mode for the settings page ## Context People asked.',
  ],
  ['Move the queue to Redis', 'Implement the following plan:\n\n# Plan: Move the queue to Redis\n\nSteps'],
  [
    '`heron count` command',
    'Implement the following plan:\n\n# Implementation Plan: `heron count` Command'.replace('Command', 'command'),
  ],
  ['Rename the crate', 'Please execute this plan:\n## Rename the crate\n- one\n- two'],
  ['first the parser, then the printer', 'Implement the following plan: first the parser, then the printer'],
  // Templates of clients are not what was asked.
  ['Build a fair poker game for friends.', SPECKIT('Build a fair poker game for friends.')],
  ['Build a fair poker game for friends.', SPECKIT('Build a fair poker game for friends.').replace(/\s+/g, ' ')],
  ['plan the second milestone', SPECKIT(''), 'plan the second milestone'],
  ['count the herons', '<system-reminder>\nBe brief.\n</system-reminder>\ncount the herons'],
  [
    '/review the last commit',
    '<command-message>review is running…</command-message>\n<command-name>/review</command-name>\n<command-args>the last commit</command-args>',
  ],
  ['what does this file do', '<ide_opened_file>The user opened /a/b.ts</ide_opened_file>\nwhat does this file do'],
  [
    'deploy the site',
    '<local-command-caveat>Caveat: these messages were made by the user.</local-command-caveat>',
    'deploy the site',
  ],
  ['deploy the site', '<environment_context>\n  <cwd>/srv</cwd>\n</environment_context>\n\ndeploy the site'],
  ['how do I sort a list', '<user_query>\nhow do I sort a list\n</user_query>'],
  ['why does <div> not close here', 'why does <div> not close here'],
  // Greetings, numbers and go-aheads say nothing: the first prompt that does is it.
  ['rename the crate to heron', 'hello', 'rename the crate to heron'],
  ['rename the crate to heron', 'Hi there!', 'ok', 'rename the crate to heron'],
  ['rename the crate to heron', '你好', 'rename the crate to heron'],
  ['rename the crate to heron', '181', 'rename the crate to heron'],
  ['rename the crate to heron', 'continue', 'yes please', 'rename the crate to heron'],
  ['rename the crate to heron', '/clear', '/model', 'rename the crate to heron'],
  ['rename the crate to heron', '[Image #1]', 'rename the crate to heron'],
  ['rename the crate to heron', 'are you there?', '???', 'rename the crate to heron'],
  ['hello', 'hello', 'thanks'],
  ['hello world in rust', 'hello world in rust'],
  ['fix tests', 'fix tests'],
  // A heading is a title, a label is none.
  ['Flaky login test', '# Flaky login test\n\nIt fails on Mondays.'],
  ['make the login test pass', '# Task\n\nmake the login test pass'],
  ['make the login test pass', '## Context\nmake the login test pass'],
  ['make the login test pass', '**make the login test pass**'],
  ['make the login test pass', '> make the login test pass'],
  // What is pasted below a line is not its title.
  ['fix lint errors', 'fix lint errors:\n\ncmd/a.go:12:3: string `main` has 5 occurrences\ncmd/b.go:1'],
  ['I get this during a rebase', 'I get this during a rebase:\n$ git rebase main\nLink this commit? [Y/n]'],
  ['fix: cmd/a.go:12:3: too long', 'fix:\ncmd/a.go:12:3: too long'],
  // Long ones end with a sentence, or at a word.
  [
    'You own the integration of the validation tooling in this repository.',
    `You own the integration of the validation tooling in this repository. ${'Update the workflow and its manifest. '.repeat(5)}`,
  ],
  [
    'we would like to have a command which shows whether the current state of the working tree would…',
    `we would like to have a command which shows whether the current state of the working tree would lead to a commit of its own or not ${'and so on '.repeat(9)}`,
  ],
  [`${'工业界训练模型的流程'.repeat(9)}工业界训练模型的流…`, '工业界训练模型的流程'.repeat(30)],
]

test('there are more than forty cases', () => {
  expect(CASES.length).toBeGreaterThanOrEqual(40)
})

test.each(CASES)('%s', (title, ...prompts) => {
  expect(readableTitle(prompts)).toBe(title)
})

test('where nobody said anything there is no title', () => {
  expect(readableTitle([])).toBeNull()
  expect(readableTitle(['', ' \n'])).toBeNull()
})

test('whatever was typed, a title is one short line', () => {
  const piece = fc.oneof(
    fc.string({ unit: 'grapheme' }),
    fc.constantFrom(
      '# ',
      '## ',
      '\n',
      '```',
      '<a-b>',
      '</a-b>',
      '<command-args>',
      'Implement the following plan:',
      'User Input',
      '. ',
      '> ',
      '**',
      ':',
    ),
  )
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 30 }), (pieces) => {
      const title = readableTitle([pieces.join('')])
      if (title === null) return true
      return title.length <= 100 && !/[\n\r]/.test(title) && title.trim() === title
    }),
    { numRuns: 2000 },
  )
})
