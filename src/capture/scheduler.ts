import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { UserError } from '../model/errors.ts'
import {
  cronLine,
  editCrontab,
  LAUNCH_LABEL,
  launchAgent,
  ourCronLine,
  systemdUnits,
  TIMER,
  type Job,
  type Scheduler,
  type TextFile,
} from './schedule.ts'

/** The machine on which something is to be scheduled. */
export interface Machine {
  readonly platform: NodeJS.Platform
  readonly home: string
  readonly configHome: string
  readonly userId: number
  /** Runs a program and waits for it. */
  run(command: readonly string[], input?: string): { readonly ok: boolean; readonly out: string; readonly err: string }
}

export interface Schedule {
  readonly scheduler: Scheduler
  /** What is written, as the user would see it: files, or the line of a crontab. */
  readonly texts: readonly TextFile[]
}

const CRONTAB = 'crontab'

/** The scheduler this machine has; NOT_FOUND with what to do instead if it has none. */
export function schedulerOf(machine: Machine): Scheduler {
  if (machine.platform === 'darwin') return 'launchd'
  if (machine.run(['systemctl', '--user', 'show-environment']).ok) return 'systemd'
  const crontab = machine.run(['crontab', '-l'])
  if (crontab.ok || /no crontab/i.test(crontab.err)) return 'cron'
  throw new UserError(
    'NOT_FOUND',
    'there is no scheduler here: neither `systemctl --user` nor `crontab` works',
    'log in with a user session or install cron, choose one with --with, or have something else run `recall sweep` daily',
  )
}

export function scheduleFor(scheduler: Scheduler, job: Job, machine: Machine): Schedule {
  if (scheduler === 'systemd') return { scheduler, texts: systemdUnits(job, machine.configHome) }
  if (scheduler === 'launchd') return { scheduler, texts: [launchAgent(job, machine.home)] }
  return { scheduler, texts: [{ file: CRONTAB, text: `${cronLine(job)}\n` }] }
}

/** What of ours is scheduled now, by whichever scheduler. */
export function scheduledNow(job: Job, machine: Machine): Schedule[] {
  const found: Schedule[] = []
  for (const scheduler of ['systemd', 'launchd'] as const) {
    const files = scheduleFor(scheduler, job, machine).texts.map(({ file }) => file)
    const texts = files.filter((file) => existsSync(file)).map((file) => ({ file, text: readFileSync(file, 'utf8') }))
    if (texts.length > 0) found.push({ scheduler, texts })
  }
  const line = machine.platform === 'win32' ? null : ourCronLine(crontabOf(machine))
  if (line !== null) found.push({ scheduler: 'cron', texts: [{ file: CRONTAB, text: `${line}\n` }] })
  return found
}

export function install({ scheduler, texts }: Schedule, machine: Machine): void {
  if (scheduler === 'cron') return writeCrontab(machine, (texts[0]?.text ?? '').trimEnd())
  for (const { file, text } of texts) writeWhole(file, text)
  const plist = texts[0]?.file ?? ''
  if (scheduler === 'launchd') machine.run(['launchctl', 'bootout', domain(machine)])
  for (const command of scheduler === 'systemd'
    ? SYSTEMD_ON
    : [['launchctl', 'bootstrap', `gui/${machine.userId}`, plist]]) {
    const { ok, err } = machine.run(command)
    if (ok) continue
    const message = `the files are written, but \`${command.join(' ')}\` failed (${err.trim() || 'no such program'})`
    throw new UserError('NOT_FOUND', message, 'run that command yourself in a session of your own')
  }
}

const SYSTEMD_ON = [
  ['systemctl', '--user', 'daemon-reload'],
  ['systemctl', '--user', 'enable', '--now', TIMER],
]

/** Takes ours away; what is not there is no failure. */
export function remove({ scheduler, texts }: Schedule, machine: Machine): void {
  if (scheduler === 'cron') return writeCrontab(machine, null)
  if (scheduler === 'systemd') machine.run(['systemctl', '--user', 'disable', '--now', TIMER])
  else machine.run(['launchctl', 'bootout', domain(machine)])
  for (const { file } of texts) rmSync(file, { force: true })
  if (scheduler === 'systemd') machine.run(['systemctl', '--user', 'daemon-reload'])
}

function domain(machine: Machine): string {
  return `gui/${machine.userId}/${LAUNCH_LABEL}`
}

function crontabOf(machine: Machine): string {
  const { ok, out } = machine.run(['crontab', '-l'])
  return ok ? out : ''
}

function writeCrontab(machine: Machine, line: string | null): void {
  const before = machine.run(['crontab', '-l'])
  if (!before.ok && !/no crontab/i.test(before.err)) throw cronFailure('-l', before.err)
  const after = editCrontab(before.ok ? before.out : '', line)
  const { ok, err } = machine.run(['crontab', '-'], after)
  if (!ok) throw cronFailure('-', err)
}

function cronFailure(flag: string, reason: string): UserError {
  const message = `\`crontab ${flag}\` failed (${reason.trim() || 'no such program'})`
  return new UserError('NOT_FOUND', message, 'install cron, or put the line into a crontab yourself')
}

function writeWhole(file: string, text: string): void {
  try {
    mkdirSync(path.dirname(file), { recursive: true })
    writeFileSync(`${file}.tmp`, text, { mode: 0o644 })
    renameSync(`${file}.tmp`, file)
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new UserError('STORE_IO', `cannot write ${file} (${reason})`, 'check its directory', error)
  }
}

/** The machine we are on. */
export function thisMachine(places: Pick<Machine, 'home' | 'configHome'>, env: NodeJS.ProcessEnv): Machine {
  return {
    ...places,
    platform: process.platform,
    userId: process.getuid?.() ?? 0,
    run([command = '', ...args], input = '') {
      const { status, stdout, stderr, error } = spawnSync(command, args, {
        input,
        encoding: 'utf8',
        env,
        timeout: 20_000,
      })
      return { ok: status === 0, out: stdout ?? '', err: stderr || (error?.message ?? '') }
    },
  }
}
