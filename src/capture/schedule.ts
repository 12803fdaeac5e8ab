import path from 'node:path'

export type Cadence = 'daily' | 'weekly'
export type Scheduler = 'systemd' | 'launchd' | 'cron'

export interface Job {
  readonly cadence: Cadence
  /** The command to run, first word first. */
  readonly command: readonly string[]
  /** Variables that the scheduler's own environment lacks. */
  readonly env: readonly (readonly [name: string, value: string])[]
}

export interface TextFile {
  readonly file: string
  readonly text: string
}

const WHAT = 'recall: read new sessions, write digests, keep the store within its budget'
const UNIT = 'recall-sweep'
const LABEL = 'com.helix-forge.recall.sweep'
/** Ends our line in a crontab. */
const CRON_MARK = '# recall schedule'
/** At night, and not on the hour, when everybody's jobs run. */
const HOUR = 3
const MINUTE = 17

export const TIMER = `${UNIT}.timer`
export const LAUNCH_LABEL = LABEL

/** A timer that catches up on what it missed while the machine was off, and the service it starts. */
export function systemdUnits(job: Job, configHome: string): readonly TextFile[] {
  const dir = path.join(configHome, 'systemd', 'user')
  const service = [
    '[Unit]',
    `Description=${WHAT}`,
    '',
    '[Service]',
    'Type=oneshot',
    'Nice=10',
    'IOSchedulingClass=idle',
    ...job.env.map(([name, value]) => `Environment=${systemdWord(`${name}=${value}`, false)}`),
    `ExecStart=${job.command.map((word) => systemdWord(word, true)).join(' ')}`,
  ]
  const timer = [
    '[Unit]',
    `Description=${WHAT}, ${job.cadence}`,
    '',
    '[Timer]',
    `OnCalendar=${job.cadence}`,
    'RandomizedDelaySec=15m',
    'Persistent=true',
    '',
    '[Install]',
    'WantedBy=timers.target',
  ]
  return [
    { file: path.join(dir, `${UNIT}.service`), text: lines(service) },
    { file: path.join(dir, TIMER), text: lines(timer) },
  ]
}

export function launchAgent(job: Job, home: string): TextFile {
  const key = (name: string) => `  <key>${name}</key>`
  const text = (value: string) => `    <string>${xml(value)}</string>`
  const variables = job.env.flatMap(([name, value]) => [`    <key>${xml(name)}</key>`, text(value)])
  const when = [`    <key>Hour</key><integer>${HOUR}</integer>`, `    <key>Minute</key><integer>${MINUTE}</integer>`]
  if (job.cadence === 'weekly') when.push('    <key>Weekday</key><integer>1</integer>')
  const plist = [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">',
    '<plist version="1.0">',
    '<dict>',
    key('Label'),
    `  <string>${LABEL}</string>`,
    key('ProgramArguments'),
    '  <array>',
    ...job.command.map(text),
    '  </array>',
    ...(variables.length === 0 ? [] : [key('EnvironmentVariables'), '  <dict>', ...variables, '  </dict>']),
    key('StartCalendarInterval'),
    '  <dict>',
    ...when,
    '  </dict>',
    key('Nice'),
    '  <integer>10</integer>',
    key('LowPriorityIO'),
    '  <true/>',
    '</dict>',
    '</plist>',
  ]
  return { file: path.join(home, 'Library', 'LaunchAgents', `${LABEL}.plist`), text: lines(plist) }
}

export function cronLine(job: Job): string {
  const day = job.cadence === 'weekly' ? '1' : '*'
  const variables = job.env.map(([name, value]) => `${name}=${shellWord(value)}`)
  const command = [...variables, ...job.command.map(shellWord)].join(' ').replaceAll('%', '\\%')
  return `${MINUTE} ${HOUR} * * ${day} ${command} ${CRON_MARK}`
}

/** A crontab with this as our one line in it, or without one; everybody else's lines as they were. */
export function editCrontab(crontab: string, line: string | null): string {
  const kept = crontab.split('\n').filter((text) => !isOurs(text))
  if (kept.at(-1) === '') kept.pop()
  const all = line === null ? kept : [...kept, line]
  return all.length === 0 ? '' : lines(all)
}

export function ourCronLine(crontab: string): string | null {
  return crontab.split('\n').find(isOurs) ?? null
}

function isOurs(line: string): boolean {
  return line.trimEnd().endsWith(CRON_MARK)
}

function lines(all: readonly string[]): string {
  return `${all.join('\n')}\n`
}

/** `%` and, in commands, `$` mean something to systemd even within quotes. */
function systemdWord(word: string, isCommand: boolean): string {
  const plain = word.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('%', '%%')
  return `"${isCommand ? plain.replaceAll('$', '$$$$') : plain}"`
}

function shellWord(word: string): string {
  return /^[\w@+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`
}

function xml(value: string): string {
  return value.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}
