import { expect, test } from 'vitest'
import { outputOf, type Output } from './outputs.ts'

test.each<[string, unknown, Output]>([
  ['plain text', 'all good', { body: 'all good', failed: false }],
  ['JSON with exit code 0', '{"output":"ok","metadata":{"exit_code":0}}', { body: 'ok', failed: false, exitCode: 0 }],
  [
    'JSON with exit code',
    '{"output":"no","metadata":{"exit_code":2}}',
    { body: 'Exit code: 2\nno', failed: true, exitCode: 2 },
  ],
  ['JSON that is the output itself', '{"rows":[1]}', { body: '{"rows":[1]}', failed: false }],
  ['JSON that says it failed', '{"isError":true,"x":1}', { body: '{"isError":true,"x":1}', failed: true }],
  [
    'lines on the exit code',
    'Exit code: 0\nWall time: 1.5 seconds\nOutput:\nhi\n',
    { body: 'hi\n', failed: false, exitCode: 0 },
  ],
  [
    'a process that exited',
    'Chunk ID: a1\nWall time: 0.1 seconds\nProcess exited with code 1\nOriginal token count: 3\nOutput:\nboom',
    { body: 'Exit code: 1\nboom', failed: true, exitCode: 1 },
  ],
  [
    'a patch that did not apply',
    'apply_patch verification failed: no such line',
    { body: 'apply_patch verification failed: no such line', failed: true },
  ],
  ['a refusal', 'patch rejected by user', { body: 'patch rejected by user', failed: false, denied: 'person' }],
  ['a stop', 'aborted by user after 1s', { body: 'aborted by user after 1s', failed: false, stopped: true }],
  [
    'a command that goes on',
    'Chunk ID: a1\nProcess running with session ID 7\nOutput:\nso far',
    { body: 'so far', failed: false, running: true },
  ],
  [
    'an exit code that cannot be is passed on to be told, and not shown',
    '{"output":"x","exit_code":1e99}',
    { body: 'x', failed: true, exitCode: 1e99 },
  ],
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
