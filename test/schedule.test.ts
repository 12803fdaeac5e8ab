import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { bin, recallCli, recallJson } from './kit/cli.ts'
import { type Place, newPlace, setCadence } from './kit/hook-place.ts'

describe('schedule', () => {
  /** Stand-ins for the system's programs: `systemctl` notes what it is told, `crontab` keeps a file. */
  function machine(...programs: ('systemctl' | 'crontab')[]): Place & { told: () => string; crontab: string } {
    const place = newPlace()
    const dir = path.join(place.home, 'bin')
    const [log, crontab] = [path.join(place.home, 'told'), path.join(place.home, 'crontab')]
    const scripts = {
      systemctl: `echo "$@" >> ${log}`,
      crontab: `case "$1" in -l) [ -f ${crontab} ] && cat ${crontab} || { echo 'no crontab for me' >&2; exit 1; };; -) cat > ${crontab};; esac`,
    }
    mkdirSync(dir)
    for (const name of programs) writeFileSync(path.join(dir, name), `#!/bin/sh\n${scripts[name]}\n`, { mode: 0o755 })
    symlinkSync('/bin/cat', path.join(dir, 'cat'))
    const told = () => (existsSync(log) ? readFileSync(log, 'utf8') : '')
    return { ...place, env: { ...place.env, PATH: dir }, told, crontab }
  }
  const unit = ({ home }: Place, name: string) => path.join(home, '.config/systemd/user', name)

  test.skipIf(process.platform !== 'linux')('writes a systemd timer once it is told to, and removes it', () => {
    const place = machine('systemctl', 'crontab')
    const asked = recallCli(place.env, 'schedule', 'install')
    expect(asked.code).toBe(2)
    expect(asked.out).toContain('OnCalendar=daily')
    expect(existsSync(unit(place, 'recall-sweep.timer'))).toBe(false)
    expect(recallCli(place.env, 'schedule', 'install', '--yes').code).toBe(0)
    expect(readFileSync(unit(place, 'recall-sweep.service'), 'utf8')).toContain(`"${bin}" "sweep" "--quiet"`)
    expect(place.told()).toContain('--user enable --now recall-sweep.timer')
    expect(recallJson(place.env, 'schedule', 'install', '--yes')).toMatchObject({
      changed: false,
      scheduler: 'systemd',
    })
    setCadence(place, 'weekly')
    expect(recallJson(place.env, 'schedule', 'install', '--yes')).toMatchObject({ changed: true })
    expect(recallCli(place.env, 'schedule', 'show').out).toContain('OnCalendar=weekly')
    expect(recallJson(place.env, 'schedule', 'remove', '--yes')).toMatchObject({ code: 0, changed: true })
    expect(readdirSync(path.dirname(unit(place, '')))).toEqual(['user'])
    expect(readdirSync(path.dirname(unit(place, 'x')))).toEqual([])
    expect(recallJson(place.env, 'schedule', 'remove', '--yes')).toMatchObject({ code: 0, changed: false })
  })

  test.skipIf(process.platform !== 'linux')('uses cron where there is nothing else, beside the lines of others', () => {
    const place = machine('crontab')
    writeFileSync(place.crontab, '0 1 * * * backup\n')
    expect(recallCli(place.env, 'schedule', 'install', '--yes').code).toBe(0)
    expect(readFileSync(place.crontab, 'utf8')).toMatch(
      /^0 1 \* \* \* backup\n17 3 \* \* \* .* sweep --quiet # recall schedule\n$/,
    )
    expect(recallCli(place.env, 'schedule', 'remove', '--yes').code).toBe(0)
    expect(readFileSync(place.crontab, 'utf8')).toBe('0 1 * * * backup\n')
  })

  test.skipIf(process.platform !== 'linux')(
    'says what to do where there is no scheduler, or hooks start the sweeps',
    () => {
      const place = machine()
      expect(recallJson(place.env, 'schedule', 'install', '--yes')).toMatchObject({
        code: 1,
        error: { code: 'NOT_FOUND' },
      })
      expect(recallJson(place.env, 'schedule', 'show')).toMatchObject({ code: 0, scheduled: [] })
      setCadence(place, 'on-hook')
      expect(recallJson(place.env, 'schedule', 'install', '--yes')).toMatchObject({ code: 2, error: { code: 'USAGE' } })
    },
  )
})
