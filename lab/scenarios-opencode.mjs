// What takes a terminal, asked of OpenCode's server.
import { join } from 'node:path'
import { only, SUMMARY } from './scenario-parts.mjs'

/** Scenarios as in `scenarios.mjs`. */
export const opencodeScenarios = {
  // Taking back a prompt …
  rewind: only('opencode', (t, { cwd }) => ({
    steps: [
      {
        prompt: 'Write it down.',
        spoken: ['Write it down.', 'Written.', 'Leave it as it is.', 'I leave it.'],
        serve: async (call) => {
          const { id, say } = await opencodeSession(call)
          await say('Write it down.')
          const { info } = await say('No, write it in verse.')
          await call('POST', `/session/${id}/revert`, { messageID: info.parentID })
          await say('Leave it as it is.')
          return id
        },
      },
    ],
    turns: [
      { calls: [t.write(join(cwd, 'NOTE.md'), 'It adds.\n')] },
      { text: 'Written.' },
      { calls: [t.write(join(cwd, 'NOTE.md'), 'It adds, it adds.\n')], gone: true },
      { text: 'In verse.', gone: true },
      { text: 'I leave it.' },
    ],
  })),

  // … and leaving it at that, …
  undone: only('opencode', (t, { cwd }) => ({
    steps: [
      {
        prompt: 'Write it down.',
        serve: async (call) => {
          const { id, say } = await opencodeSession(call)
          await say('Write it down.')
          const { info } = await say('No, write it in verse.')
          await call('POST', `/session/${id}/revert`, { messageID: info.parentID })
          return id
        },
      },
    ],
    turns: [
      { text: 'Where?' },
      { calls: [t.write(join(cwd, 'NOTE.md'), 'It adds, it adds.\n')], gone: true },
      { text: 'In verse.', gone: true },
    ],
  })),

  // … stopping an answer, …
  abort: only('opencode', () => ({
    steps: [
      {
        prompt: 'Tell me a very long story.',
        interrupted: true,
        serve: async (call, model) => {
          const { id, say } = await opencodeSession(call)
          const stopped = new Promise((done) => model.onceStreaming(() => done(call('POST', `/session/${id}/abort`))))
          await Promise.all([say('Tell me a very long story.'), stopped])
          return id
        },
      },
    ],
    turns: [{ text: 'Once upon a time there was a lab. '.repeat(60), slow: 150 }],
  })),

  // … saying no with a reason, and yes for good, …
  asked: only('opencode', (t) => ({
    steps: [
      {
        prompt: 'Copy the README out of the project.',
        spoken: [
          'Copy the README out of the project.',
          'Not out there.',
          'Then I stay inside.',
          'On second thoughts: do.',
          'Copied.',
        ],
        serve: async (call) => {
          const { id, say } = await opencodeSession(call)
          const reply = async (body) => {
            for (;;) {
              const [asked] = await call('GET', '/permission')
              if (asked) return call('POST', `/permission/${asked.id}/reply`, body)
              await new Promise((done) => setTimeout(done, 100))
            }
          }
          await Promise.all([
            say('Copy the README out of the project.'),
            reply({ reply: 'reject', message: 'Not out there.' }),
          ])
          await Promise.all([say('On second thoughts: do.'), reply({ reply: 'always' })])
          return id
        },
      },
    ],
    turns: [
      { calls: [t.sh('cp README.md ../copied-out.md')] },
      { text: 'Then I stay inside.' },
      { calls: [t.sh('cp README.md ../copied-out.md')] },
      { text: 'Copied.' },
    ],
  })),

  // … files with a prompt, a command of one's own, another title, a summary on demand, …
  extras: only('opencode', (t, { cwd }) => ({
    steps: [
      {
        prompt: 'What is in this file?',
        spoken: ['What is in this file?', 'A sum.', 'And now?', 'Still a sum.'],
        ran: ['bash'],
        serve: async (call) => {
          const { id, say } = await opencodeSession(call)
          const url = `file://${join(cwd, 'sum.js')}`
          await say('What is in this file?', { type: 'file', mime: 'text/plain', filename: 'sum.js', url })
          await call('POST', `/session/${id}/shell`, { agent: 'build', command: 'echo by hand' })
          await call('PATCH', `/session/${id}`, { title: 'A title by hand' })
          await call('POST', `/session/${id}/summarize`, { providerID: 'lab', modelID: 'lab-large' })
          await say('And now?')
          await call('PATCH', `/session/${id}`, { time: { archived: Date.now() } })
          return id
        },
      },
    ],
    turns: [{ text: 'A sum.' }, { text: SUMMARY, summary: true }, { text: 'Still a sum.' }],
  })),

  // … and a session that is gone.
  deleted: only('opencode', () => ({
    steps: [
      {
        prompt: 'Forget this.',
        deleted: true,
        serve: async (call) => {
          const { id, say } = await opencodeSession(call)
          await say('Forget this.')
          await call('DELETE', `/session/${id}`)
          return id
        },
      },
    ],
    turns: [{ text: 'I will.' }],
  })),
}

async function opencodeSession(call) {
  const { id } = await call('POST', '/session', {})
  const say = (text, ...parts) => call('POST', `/session/${id}/message`, { parts: [{ type: 'text', text }, ...parts] })
  return { id, say }
}
