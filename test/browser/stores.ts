import path from 'node:path'
import { ClaudeLog, subagentPath, transcriptPath, uuid, write } from '../kit/claude-log.ts'

/** Ways in which text has been made to run; whichever does, says so. */
export const PAYLOADS = [
  '<script>window.ran=1;alert(1)</script>',
  '<img src=x onerror="window.ran=1;alert(2)">',
  '<svg onload="window.ran=1;alert(3)"><script>window.ran=1</script></svg>',
  '[click](javascript:window.ran=1)',
  '![x](https://elsewhere.test/pixel.png)',
  '<iframe srcdoc="<script>parent.ran=1</script>"></iframe>',
  '"><script>window.ran=1</script>',
  "';window.ran=1;//",
  '{{constructor.constructor("window.ran=1")()}}',
  '<details open ontoggle="window.ran=1">',
  '</pre></code><script>window.ran=1</script>',
  '<a href="https://elsewhere.test" onfocus="window.ran=1" autofocus tabindex=1>x</a>',
  '<style>@import "https://elsewhere.test/x.css"; * { display: none }</style>',
  '<base href="https://elsewhere.test/">',
  '<form action="https://elsewhere.test"><button autofocus>x</button></form>',
] as const

export const ALL = PAYLOADS.join('\n\n')
export const hostileSession = uuid('hostile page')

/** A session with these in every field that a log has. */
export function writeHostileSession(home: string): void {
  const name = PAYLOADS[1]
  const log = new ClaudeLog(hostileSession, { cwd: `/home/sam/${name.replaceAll('/', '')}`, gitBranch: name })
  log
    .user(ALL)
    .think(ALL)
    .say(ALL, { message: { model: `<b onclick=window.ran=1>model` } })
  log.say(PAYLOADS.map((payload) => `\`\`\`html\n${payload}\n\`\`\``).join('\n'))
  log.call('t1', 'Bash', { command: `echo '${ALL}'`, description: ALL }).result('t1', ALL, { is_error: true })
  log.call('t2', 'Edit', { file_path: `/x/${name}.html`, old_string: ALL, new_string: `${ALL}!` }).result('t2', ALL)
  log.call('t3', `<img src=x onerror=window.ran=1>`, { [name]: ALL }).result('t3', [{ type: 'text', text: ALL }])
  log.call('t4', 'Write', { file_path: name, content: ALL }).result('t4', ALL)
  log.user('nginx: why does the deploy fail after this?').say(`Because ${ALL}`)
  log.bare({ type: 'custom-title', customTitle: PAYLOADS.join(' '), sessionId: hostileSession })
  write(transcriptPath(home, hostileSession), log.text())
  const agent = new ClaudeLog(hostileSession, { agentId: 'a1', isSidechain: true })
  agent.user(ALL).say(ALL)
  write(subagentPath(home, hostileSession, 'a1'), agent.text())
}

export const longSession = uuid('long page')
const TURNS = 1000
const LINE = 'the quick brown fox jumps over the lazy dog, and the log goes on and on. '

/** About 20,000 events and 50 MB: a thousand turns of nine calls, and one answer that is very long. */
export function writeLongSession(home: string): { readonly bytes: number } {
  const log = new ClaudeLog(longSession, {}, Date.parse('2026-10-02T09:00:00Z'))
  for (let turn = 0; turn < TURNS; turn++) {
    log.user(`Prompt number ${turn}: go on with step ${turn} of the plan`)
    for (let call = 0; call < 9; call++) {
      const id = `c${turn}-${call}`
      log.call(id, 'Bash', { command: `make step-${turn}-${call}` })
      log.result(id, `${turn}.${call} ${LINE.repeat(60)}`, call === 5 && turn % 50 === 0 ? { is_error: true } : {})
    }
    log.say(
      turn === 500
        ? `A very long answer.\n\n${`${LINE}\n`.repeat(20_000)}`
        : `Done with **step ${turn}**.\n\n- one\n- two`,
    )
  }
  const text = log.text()
  write(transcriptPath(home, longSession), text)
  return { bytes: Buffer.byteLength(text) }
}

export const liveSession = uuid('live page')

/** A session that is being written. */
export function liveLog(): ClaudeLog {
  const log = new ClaudeLog(liveSession, {}, Date.now() - 60_000)
  return log.user('Begin with the first part').say('The first part is done.')
}

export function writeLive(home: string, log: ClaudeLog): void {
  write(path.join(transcriptPath(home, liveSession)), log.text())
}

/** So many days on each of which something was done. */
export const DAYS = 130

/** A session on each of many days, the newest yesterday. */
export function writeManyDays(home: string): void {
  for (let day = 1; day <= DAYS; day++) {
    const log = new ClaudeLog(uuid(`day ${day}`), {}, Date.now() - day * 86_400_000)
    log.user(`What was asked ${day} days ago`).say(`It was done ${day} days ago.`)
    write(transcriptPath(home, log.session), log.text())
  }
}

export const forks = ['of stone', 'of wood'].map((words) => ({ words, session: uuid(`fork ${words}`) }))

/** A session and two forks of it, which begin with its records. */
export function writeForks(home: string): void {
  const log = new ClaudeLog(uuid('forked page')).user('plan the bridge').say('Of what?')
  write(transcriptPath(home, log.session), log.text())
  forks.forEach(({ words, session }, i) => {
    const copied = log.records.map((record) => `${JSON.stringify({ ...record, sessionId: session })}\n`).join('')
    const own = new ClaudeLog(session, {}, Date.parse('2026-10-01T10:00:00Z') + i * 3_600_000).user(words).say('Done.')
    write(transcriptPath(home, session), copied + own.text())
  })
}
