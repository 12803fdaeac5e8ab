import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { FLAG, type EventRecord } from '../src/store/store.ts'
import { ClaudeLog, transcriptPath, uuid, write } from './kit/claude-log.ts'
import { CodexLog, lines, rolloutPath, threadId } from './kit/codex-log.ts'
import { CWD, GrokLog, jsonLines, laySession } from './kit/grok-log.ts'
import { NOW, productOn, tempDir } from './kit/home.ts'

// What a person types that is no prompt to the agent, or never reached it: theirs all the same, told once and found.

const GROK = '019f0000-0000-7000-8000-00000000000b'
const CLAUDE = uuid('beside prompts')
const CODEX = threadId(77)

const LAID: Readonly<Record<string, (home: string, lost: boolean) => string>> = {
  claude(home, lost) {
    const log = new ClaudeLog(CLAUDE).user('before').say('Seen.').user('<bash-input>make heron</bash-input>')
    log.user('<bash-stdout>built</bash-stdout><bash-stderr></bash-stderr>').user('after').say('Done.')
    const at = Date.parse('2026-10-01T09:00:00Z')
    const typed = ['before', '!make heron', 'after'].map((display, i) => ({
      display,
      timestamp: at + i,
      project: '/p',
      sessionId: CLAUDE,
    }))
    write(path.join(home, '.claude/history.jsonl'), lines(typed))
    if (!lost) write(transcriptPath(home, CLAUDE), log.text())
    return `claude:${CLAUDE}`
  },
  codex(home, lost) {
    const log = new CodexLog(CODEX).start('t1').context().prompt('before').say('Seen.').complete('t1').start('t2')
    const output = '<result>\nExit code: 0\nDuration: 0.0250 seconds\nOutput:\nbuilt\n\n</result>'
    log.ran('own', 'make heron', 0, 'built\n', { source: 'user_shell' })
    log.injected(`<user_shell_command>\n<command>\nmake heron\n</command>\n${output}\n</user_shell_command>`)
    log.complete('t2').start('t3').prompt('after').say('Done.').complete('t3')
    const typed = ['before', '!make heron', 'after'].map((text, i) => ({
      session_id: CODEX,
      ts: 1_790_000_000 + i,
      text,
    }))
    write(path.join(home, '.codex/history.jsonl'), lines(typed))
    if (!lost) write(rolloutPath(home, CODEX), log.text())
    return `codex:${CODEX}`
  },
  grok(home, lost) {
    const log = new GrokLog(GROK).prompt('before').say('Seen.').done()
    const own = { content: { type: 'text', text: 'make heron', _meta: { bash_command: 'make heron' } } }
    log.update('user_message_chunk', own).prompt('after').say('Done.').done()
    const stamp = (i: number) => new Date(Date.parse('2026-10-05T09:00:00Z') + i * 1000).toISOString()
    const typed = ['before', 'make heron', 'after'].map((prompt, i) => ({
      timestamp: stamp(i),
      session_id: GROK,
      prompt,
      is_bash: i === 1,
    }))
    const place = path.join(home, '.grok/sessions', encodeURIComponent(CWD))
    if (!lost) laySession(path.join(home, '.grok'), GROK, { 'updates.jsonl': log.text() })
    write(path.join(place, 'prompt_history.jsonl'), jsonLines(typed))
    return `grok:${GROK}`
  },
}

async function read(lay: (home: string) => string) {
  const home = tempDir()
  const uid = lay(home)
  const { recall } = productOn(home)
  await recall.index()
  const session = await recall.find(uid)
  const events = (await recall.events(session, { sidechains: true })).filter(
    ({ flags }) => (flags & FLAG.inferred) === 0,
  )
  const found = async (text: string) => (await recall.search({ text, filter: { limit: 5 }, now: NOW })).hits.length
  return { session, events, theirs: events.filter(isTheirs), found }
}

const isTheirs = ({ flags }: EventRecord) => (flags & FLAG.human) !== 0
const texts = (events: readonly EventRecord[]) => events.map(({ text }) => text)

describe.each(['claude', 'codex', 'grok'])('a command that a person ran in their own shell beside %s', (agent) => {
  test.each([
    ['is a turn of theirs and no prompt, in its place, once, and found', false],
    ['is the same where only the log of prompts is left', true],
  ])('%s', async (_, lost) => {
    const { session, theirs, found } = await read((home) => LAID[agent]!(home, lost))
    expect(texts(theirs)).toEqual(['before', '!make heron', 'after'])
    expect(theirs[1]).toMatchObject({ kind: 'user_msg', role: 'user', marks: { command: '!' } })
    expect(session).toMatchObject({ promptCount: 2, title: 'before' })
    expect(await found('make heron')).toBe(1)
  })
})

describe('beside Claude Code', () => {
  const claude = (log: ClaudeLog) =>
    read((home) => (write(transcriptPath(home, CLAUDE), log.text()), `claude:${CLAUDE}`))
  const QUESTION = { question: 'Which bird?', header: 'Bird', options: [{ label: 'Heron' }, { label: 'Stork, white' }] }

  test.each([
    ['words of their own', 'Rather a bittern', {}, ['Rather a bittern']],
    ['a choice alone, which is in the agent’s words,', 'Heron', {}, []],
    ['two choices', 'Heron, Stork, white', {}, []],
    ['a choice and more', 'Heron, and a bittern', {}, ['and a bittern']],
    ['a note beside a choice', 'Heron', { 'Which bird?': { notes: 'a grey one' } }, ['a grey one']],
  ])('an answer to a question with %s is told as what a person said', async (_, answer, annotations, said) => {
    const asked = { questions: [{ ...QUESTION, multiSelect: true }], answers: { 'Which bird?': answer }, annotations }
    const padding = { options: Array.from({ length: 30 }, (_, i) => ({ label: `bird ${i}`, description: 'feathers' })) }
    const log = new ClaudeLog(CLAUDE).user('ask me').call('q1', 'AskUserQuestion', { questions: [QUESTION, padding] })
    log.result('q1', `The user answered: "Which bird?"="${answer}".`, { toolUseResult: { ...asked, padding } })
    const { session, theirs, events, found } = await claude(log.say('As you wish.'))
    expect(texts(theirs)).toEqual(['ask me', ...said])
    expect(session.promptCount).toBe(1)
    if (said.length === 0) return
    expect(theirs[1]).toMatchObject({ marks: { onApproval: true } })
    expect(events.find(({ kind }) => kind === 'tool_call')?.seq).toBe(theirs[1]?.parentSeq)
    expect(await found(said[0]!)).toBe(1)
  })

  test('a prompt that a hook turned away is told, also where the queue had it first', async () => {
    const content =
      'UserPromptSubmit operation blocked by hook:\n[check.sh]: no names\n\n\nOriginal prompt: greet\n\nMrs Heron'
    const queue = { type: 'queue-operation', timestamp: '2026-10-01T09:00:02.000Z', sessionId: CLAUDE }
    const log = new ClaudeLog(CLAUDE).user('first').say('Yes.')
    log.bare({ ...queue, operation: 'enqueue', content: 'greet\n\nMrs Heron' }).bare({ ...queue, operation: 'dequeue' })
    log.record({ type: 'system', subtype: 'informational', content, level: 'warning' }).user('greet').say('Hello.')
    const { session, theirs } = await claude(log)
    expect(texts(theirs)).toEqual(['first', 'greet\n\nMrs Heron', 'greet'])
    expect(session.promptCount).toBe(3)
  })

  test('arguments of a command may hold the very words that end them', async () => {
    const args = 'what does </command-args> mean & why'
    const named = '<command-message>weigh</command-message>\n<command-name>/weigh</command-name>'
    const log = new ClaudeLog(CLAUDE).user(`${named}\n<command-args>${args}</command-args>`).say('It ends them.')
    const { theirs } = await claude(log)
    expect(texts(theirs)).toEqual([`/weigh ${args}`])
  })

  test('markup of the client that a person sent is a prompt', async () => {
    const log = new ClaudeLog(CLAUDE).user('<bash-input>what is this?</bash-input>', { promptSource: 'typed' })
    const { session, theirs } = await claude(log.say('A tag.'))
    expect(texts(theirs)).toEqual(['<bash-input>what is this?</bash-input>'])
    expect(session.promptCount).toBe(1)
  })

  test('a note to the client (#) is a turn and no prompt', async () => {
    const log = new ClaudeLog(CLAUDE).user('first').say('Yes.')
    const { session, theirs } = await claude(log.user('<user-memory-input>use tabs</user-memory-input>'))
    expect(texts(theirs)).toEqual(['first', '#use tabs'])
    expect(session.promptCount).toBe(1)
  })
})

test('Grok: what a person wrote in answer to questions is theirs, what they chose is not', async () => {
  const message =
    'User has answered your questions: "Which bird?"="Other" user notes: Rather a "bittern", "or" not, "Which tree?"="Oak". You can now continue with the user\'s answers in mind.'
  const rawOutput = { type: 'AskUserQuestion', UserAnswered: { message } }
  const log = new GrokLog(GROK).prompt('ask me').call('q1', 'ask_user_question', { questions: [] })
  log.update('tool_call_update', { toolCallId: 'q1', status: 'completed', rawOutput }).say('A bittern.').done()
  const { session, theirs, events, found } = await read((home) => {
    laySession(path.join(home, '.grok'), GROK, { 'updates.jsonl': log.text() })
    return `grok:${GROK}`
  })
  expect(texts(theirs)).toEqual(['ask me', 'Rather a "bittern", "or" not'])
  expect(theirs[1]).toMatchObject({ marks: { onApproval: true } })
  expect(events.find(({ kind }) => kind === 'tool_call')?.seq).toBe(theirs[1]?.parentSeq)
  expect(session.promptCount).toBe(1)
  expect(await found('bittern')).toBeGreaterThan(0)
})
