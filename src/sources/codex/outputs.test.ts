import { expect, test } from 'vitest'
import { outputOf } from './outputs.ts'

test.each<[string, unknown, { body: string; failed: boolean }]>([
  ['plain text', 'all good', { body: 'all good', failed: false }],
  ['JSON with exit code 0', '{"output":"ok","metadata":{"exit_code":0}}', { body: 'ok', failed: false }],
  ['JSON with exit code', '{"output":"no","metadata":{"exit_code":2}}', { body: 'Exit code: 2\nno', failed: true }],
  ['JSON that is the output itself', '{"rows":[1]}', { body: '{"rows":[1]}', failed: false }],
  ['JSON that says it failed', '{"isError":true,"x":1}', { body: '{"isError":true,"x":1}', failed: true }],
  ['lines on the exit code', 'Exit code: 0\nWall time: 1.5 seconds\nOutput:\nhi\n', { body: 'hi\n', failed: false }],
  [
    'a process that exited',
    'Chunk ID: a1\nWall time: 0.1 seconds\nProcess exited with code 1\nOriginal token count: 3\nOutput:\nboom',
    { body: 'Exit code: 1\nboom', failed: true },
  ],
  [
    'a patch that did not apply',
    'apply_patch verification failed: no such line',
    { body: 'apply_patch verification failed: no such line', failed: true },
  ],
  ['a refusal', 'exec command rejected by user', { body: 'exec command rejected by user', failed: true }],
  ['words on errors that are no failure', 'Errors: 0, all fine', { body: 'Errors: 0, all fine', failed: false }],
  [
    'a list of parts',
    [
      { type: 'input_text', text: 'a' },
      { type: 'input_image', image_url: 'x' },
    ],
    { body: 'a\n[image]', failed: false },
  ],
  ['content and success', { content: 'sad', success: false }, { body: 'sad', failed: true }],
  ['nothing', null, { body: '', failed: false }],
])('an output in the form of %s', (_, output, told) => {
  expect(outputOf(output)).toEqual(told)
})
