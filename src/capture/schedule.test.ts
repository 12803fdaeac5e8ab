import { expect, test } from 'vitest'
import { cronLine, editCrontab, launchAgent, ourCronLine, systemdUnits, type Job } from './schedule.ts'

const JOB: Job = {
  cadence: 'daily',
  command: ['/opt/my node/bin/node', '/opt/100%/$x/recall.js', 'sweep', '--quiet'],
  env: [['XDG_DATA_HOME', '/data/<a> & "b"']],
}

test('the systemd timer runs by the cadence, catches up, and starts a service that knows its environment', () => {
  const [service, timer] = systemdUnits({ ...JOB, cadence: 'weekly' }, '/home/u/.config')
  expect(service?.file).toBe('/home/u/.config/systemd/user/recall-sweep.service')
  expect(timer?.file).toBe('/home/u/.config/systemd/user/recall-sweep.timer')
  expect(service?.text.split('\n')).toEqual(
    expect.arrayContaining([
      'Type=oneshot',
      'Environment="XDG_DATA_HOME=/data/<a> & \\"b\\""',
      'ExecStart="/opt/my node/bin/node" "/opt/100%%/$$x/recall.js" "sweep" "--quiet"',
    ]),
  )
  expect(timer?.text.split('\n')).toEqual(
    expect.arrayContaining(['OnCalendar=weekly', 'Persistent=true', 'WantedBy=timers.target']),
  )
})

test('the launchd agent names the command word by word and escapes what XML needs', () => {
  const daily = launchAgent(JOB, '/Users/u')
  expect(daily.file).toBe('/Users/u/Library/LaunchAgents/com.helix-forge.recall.sweep.plist')
  expect(daily.text).toContain(
    '    <string>/opt/my node/bin/node</string>\n    <string>/opt/100%/$x/recall.js</string>\n',
  )
  expect(daily.text).toContain('    <key>XDG_DATA_HOME</key>\n    <string>/data/&lt;a&gt; &amp; "b"</string>\n')
  expect(daily.text).not.toContain('Weekday')
  expect(launchAgent({ ...JOB, cadence: 'weekly' }, '/Users/u').text).toContain('<key>Weekday</key>')
})

test('the line for cron quotes for the shell and for cron itself', () => {
  expect(cronLine(JOB)).toBe(
    `17 3 * * * XDG_DATA_HOME='/data/<a> & "b"' '/opt/my node/bin/node' '/opt/100\\%/$x/recall.js' sweep --quiet # recall schedule`,
  )
  expect(cronLine({ ...JOB, cadence: 'weekly' })).toMatch(/^17 3 \* \* 1 /)
})

test('a crontab keeps the lines of others, and ours is there once or not at all', () => {
  const others = '# mine\n0 1 * * * backup\n'
  const line = cronLine(JOB)
  const once = editCrontab(others, line)
  expect(once).toBe(`${others}${line}\n`)
  expect(editCrontab(once, line)).toBe(once)
  expect(editCrontab(once, null)).toBe(others)
  expect(editCrontab(editCrontab('', line), null)).toBe('')
  expect(editCrontab('0 1 * * * no-newline', line)).toBe(`0 1 * * * no-newline\n${line}\n`)
  expect([ourCronLine(once), ourCronLine(others)]).toEqual([line, null])
})
