/** Ways to say the same thing, so that sessions do not all sound alike. */

export const START = [
  'Let me reproduce this before I touch anything.',
  'I start with what actually happens.',
  'First the facts, then the theories.',
  'I would like to see it fail here.',
  'Checking the obvious things first.',
]
export const SUSPECT = [
  'Two candidates. The first would show up in staging as well, so it is probably the second.',
  'That is not where I expected it. Reading on.',
  'The code looks innocent at first sight; the order of things does not.',
  'If that were true the numbers would look different. Let me look at the file.',
  'I have to be careful not to fix the symptom.',
]
export const CAUSE = [
  'Found it: {x}.',
  'The reason is that {x}.',
  'So this is what happens: {x}. Everything else follows from it.',
  'It comes down to one thing, {x}.',
  'Got it. In short, {x}. I can show you the place if you like.',
]
export const GO = [
  'makes sense. do it',
  'ok, go ahead',
  'yes please, and verify it',
  'good find. fix it, small diff please',
  'agreed, change it and show me that it holds',
]
export const FIX = [
  'Done: {x}. Verified.',
  'Changed, {x}. The check passes now.',
  'From now on {x}. I ran it to be sure.',
  'It holds now; {x}.',
  'That is in: {x}. Nothing else needed to change.',
]
export const COMMIT = ['commit it', 'commit, please', 'nice. make that a commit', 'great, commit this on its own']
export const COMMITTED = ['Committed.', 'It is committed, nothing else was staged.', 'In one commit, as you wanted.']
export const MENTION = [
  'is that the same story as "{x}" in {y}?',
  'reminds me of {y}, "{x}". related?',
  'before that: was "{x}" in {y} ever released?',
  'somebody mentioned "{x}" ({y}) at lunch, does it concern us?',
]
export const OVERHEARD = [
  'from the channel of {y}: "{x}" have you ever seen that here?',
  'somebody in {y} asks: "{x}" not our problem, or is it?',
  'unrelated, from {y}: "{x}" I told them to open a ticket',
]
export const UNRELATED = [
  'No, that was something else, with other causes. Nothing to do here.',
  'Only by name. It lives in another repository and does not concern this one.',
  'As far as I can see from here, no. I would leave it alone.',
]
export const LATER_REPLIES = [
  'Ha.',
  'I believe that at once.',
  'Good to hear.',
  'Of course.',
  'Tell me more another time.',
]

/** @param {string} command @param {Record<string, string>} s */
export function successOutput(command, s) {
  if (/pytest/.test(command)) return `${s.m} passed in ${s.k}.${s.m}s`
  if (/^go (test|run)/.test(command)) return `ok  \t${s.svc}/internal/${s.mod}\t${s.k}.${s.m}s`
  if (/cargo/.test(command)) return `    Finished in ${s.k}.${s.m}s`
  if (/npm test|vitest|e2e|a11y/.test(command))
    return ` Test Files  ${s.k} passed (${s.k})\n      Tests  ${s.m} passed (${s.m})`
  if (/curl/.test(command)) return `HTTP/1.1 200 OK\ncontent-length: ${s.n}`
  if (/kubectl/.test(command)) return `${s.svc}-${s.hex}   1/1   Running   0   ${s.k}m`
  return `${s.mod}: ok (${s.k}.${s.m} s)`
}

/** @param {string} error @param {Record<string, string>} s */
export function failureOutput(error, s) {
  const frames = [
    `    at ${s.mod} (/srv/${s.svc}/${s.mod}.js:${s.m}:${s.k})`,
    `    at run (node:internal/${s.k}:${s.n})`,
  ]
  return `${error}\n${frames.join('\n')}\n\n${s.m} checks run, ${s.k} failed`
}
