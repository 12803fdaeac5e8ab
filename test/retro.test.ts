import { chmodSync, existsSync, lstatSync, readdirSync, readFileSync, symlinkSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { dayStart, lastFullDays, periodBefore, type Period } from '../src/insight/local-days.ts'
import type { Page } from '../src/insight/page.ts'
import { pageHtml } from '../src/insight/page-html.ts'
import { pageBrief, pageMarkdown } from '../src/insight/page-markdown.ts'
import { retroPage } from '../src/insight/retro.ts'
import type { SessionFilter } from '../src/model/session.ts'
import { ClaudeLog, transcriptPath, uuid, write } from './kit/claude-log.ts'
import { cleanEnv, recallCli, recallJson } from './kit/cli.ts'
import { demoHome, NOW, productOn, tempDir, type Bench } from './kit/home.ts'

const ALL = { limit: 0 }
const WEEK = lastFullDays(NOW, 7)
const DAY = 86_400_000

async function analysed(home: string): Promise<Bench['recall']> {
  const { recall } = productOn(home)
  await recall.sweep()
  await recall.close()
  return recall
}

async function pageOf({ chronicle }: Bench['recall'], period: Period, sessions: SessionFilter): Promise<Page> {
  return retroPage(await chronicle.retro(period, sessions))
}

function footnotes(text: string): Map<string, string[]> {
  const notes = [...text.matchAll(/^\[\^(\d+)\]: (.*)$/gm)]
  return new Map(
    notes.map(([, number = '', list = '']) => [number, [...list.matchAll(/`([^`]+)`/g)].map(([, one]) => one ?? '')]),
  )
}

/** A session of some days ago in which something failed in the same way. */
function failing(name: string, daysAgo: number, more = 0): ClaudeLog {
  const log = new ClaudeLog(uuid(name), {}, dayStart(NOW, -daysAgo) + 10 * 3_600_000)
  log.user(`build ${name}`).say('on it')
  for (let i = 0; i <= more; i++) {
    log.call(`c${i}`, 'Bash', { command: `make part${i}` })
    log.result(`c${i}`, 'Error: cannot find the frobnicator', { is_error: true })
  }
  return log.say('it is done')
}

describe('a retro', () => {
  test('is the same, byte for byte, at any time of the day', async () => {
    const home = demoHome()
    const texts: string[] = []
    for (const hours of [0, 1, 9]) {
      const { recall } = productOn(home, undefined, {}, () => dayStart(NOW) + hours * 3_600_000)
      await recall.sweep()
      const page = await pageOf(recall, lastFullDays(dayStart(NOW) + hours * 3_600_000, 7), ALL)
      texts.push(pageMarkdown(page) + pageHtml(page))
      await recall.close()
    }
    expect(texts[0]).toContain('## Suggestions')
    expect(new Set(texts).size).toBe(1)
  })

  test('says of each evidence no more than it shows: different corrections, different reasons for a no, agents’ slips', async () => {
    const home = tempDir()
    const no = (text: string) =>
      `The user doesn't want to proceed with this tool use. The tool use was rejected. To tell you how to proceed, the user said:\n${text}`
    for (const [name, reason, wrong] of [
      ['one', 'in another file', 'no, that is the wrong file'],
      ['two', 'first the tests', 'it still does not build'],
    ] as const) {
      const log = new ClaudeLog(uuid(name), {}, dayStart(NOW, -2) + 10 * 3_600_000).user(`change ${name}`).say('on it')
      log.call('r1', 'Edit', { file_path: '/a.ts', old_string: 'a', new_string: 'b' })
      log.result('r1', '<tool_use_error>File has not been read yet.</tool_use_error>', { is_error: true })
      log.call('e1', 'Edit', { file_path: '/a.ts', old_string: 'a', new_string: 'b' })
      log.result('e1', no(reason), { is_error: true })
      log.say('Then otherwise.').user(wrong).say('I see.')
      write(transcriptPath(home, uuid(name)), log.text())
    }
    const recall = await analysed(home)
    const page = pageMarkdown(await pageOf(recall, WEEK, ALL))
    const lines = page.split('\n').filter((line) => line.startsWith('- ') && line.includes(' in 2 sessions'))
    expect(lines.map((line) => line.replace(/\[.*/, ''))).toEqual(['- turned down: Edit: 2 times'])
    expect(page).toMatch(/own slips.*File has not been read yet/)
    expect(page).toContain('See whether your corrections are rules.')
    expect(page).not.toContain('keep correcting')
  })

  test('can be made of some kinds of signals alone', async () => {
    const recall = await analysed(demoHome())
    const all = await recall.signals({})
    const errors = all.filter((one) => one.kind === 'error')
    const corrections = all.filter((one) => one.kind === 'correction')
    expect([errors.length, corrections.length]).not.toContain(0)
    expect(await recall.signals({ kinds: ['error'] })).toEqual(errors)
    expect(await recall.signals({ kinds: ['error', 'correction'] })).toHaveLength(errors.length + corrections.length)
    await recall.close()
  })

  test('says so if there is nothing to tell', async () => {
    const recall = await analysed(demoHome())
    const years = { since: dayStart(NOW, -4000), before: dayStart(NOW, -3990) }
    expect(pageMarkdown(await pageOf(recall, years, ALL))).toContain('No data')
    await recall.close()
  })

  test('charts a week day by day, a year only where there is something; same names are told apart', async () => {
    const home = tempDir()
    for (const [i, cwd] of ['/home/sam/one/cli', '/home/sam/two/cli'].entries()) {
      const log = new ClaudeLog(uuid(`p${i}`), { cwd }, dayStart(NOW, -3) + 36_000_000).user('go').say('done')
      write(transcriptPath(home, uuid(`p${i}`)), log.text())
    }
    const recall = await analysed(home)
    const daysIn = async (days: number) => {
      const { blocks } = await pageOf(recall, { since: dayStart(NOW, -days), before: dayStart(NOW, 1) }, ALL)
      return blocks.flatMap((block) =>
        block.block === 'chart' && block.title.includes('day') ? [block.bars.length] : [],
      )
    }
    expect(await daysIn(6)).toEqual([7, 7])
    expect(await daysIn(365)).toEqual([1, 1])
    const project = { ...ALL, project: 'sam' }
    const text = pageMarkdown(await pageOf(recall, { since: dayStart(NOW, -6), before: NOW }, project))
    expect(text).toMatch(/Only sessions whose .* contains sam\.[^]*### one\/cli[^]*### two\/cli/)
    await recall.close()
  })

  test('points at evidence that exists, for every number', async () => {
    const recall = await analysed(demoHome())
    const month = { since: dayStart(NOW, -30), before: dayStart(NOW, 1) }
    const text = pageMarkdown(await pageOf(recall, month, ALL))
    const notes = footnotes(text)
    const used = new Set([...text.matchAll(/\[\^(\d+)\](?!:)/g)].map(([, number = '']) => number))
    expect(used).toEqual(new Set(notes.keys()))
    const pointers = new Set([...notes.values()].flat())
    expect([...pointers].filter((one) => one.includes('#')).length).toBeGreaterThan(10)
    for (const pointer of pointers) {
      const [uid = '', seq] = pointer.split('#')
      const session = await recall.find(uid)
      if (seq === undefined) continue
      const events = await recall.events(session, { sidechains: true, fromSeq: Number(seq), toSeq: Number(seq) })
      expect(events, pointer).toHaveLength(1)
    }
    await recall.close()
  })

  test('to be read has no footnotes, but one short pointer a line that opens what it tells of', async () => {
    const recall = await analysed(demoHome())
    const month = { since: dayStart(NOW, -30), before: dayStart(NOW, 1) }
    const page = await pageOf(recall, month, ALL)
    const text = pageBrief(page)
    expect(text).not.toMatch(/\[\^/)
    expect(text.length).toBeLessThan(pageMarkdown(page).length / 2)
    const pointers = [...text.matchAll(/`([\w-]+)#(\d+)`/g)]
    expect(pointers.length).toBeGreaterThan(5)
    for (const line of text.split('\n')) expect(line.match(/`[\w-]+#\d+`/g)?.length ?? 0, line).toBeLessThan(2)
    for (const [, id = '', seq] of pointers) {
      const session = await recall.find(id)
      const events = await recall.events(session, { sidechains: true, fromSeq: Number(seq), toSeq: Number(seq) })
      expect(events).toHaveLength(1)
    }
    await recall.close()
  })

  test('puts corrections before denials and errors, and tells the slips of agents in one line', async () => {
    const home = tempDir()
    for (const [i, name] of ['a', 'b'].entries()) {
      const log = failing(name, 2 + i).user('no, that is wrong, use the other frobnicator')
      for (const [n, slip] of [
        'File has not been read yet. Read it first.',
        'String to replace not found in file.',
      ].entries()) {
        log.call(`e${n}`, 'Edit', { file_path: `/w/${n}.ts`, old_string: 'a', new_string: 'b' })
        log.result(`e${n}`, `<tool_use_error>${slip}</tool_use_error>`, { is_error: true })
      }
      write(transcriptPath(home, uuid(name)), log.say('yes').text())
    }
    const recall = await analysed(home)
    const told = pageBrief(await pageOf(recall, WEEK, ALL)).split('## What went wrong')[1] ?? ''
    expect(told).toMatch(
      /### Corrections[^]*wrong, use the other[^]*### Denials, errors and loops\n\n- .*cannot find the frobnicator.*\n- agents' own slips \(File has not been read yet ×2, String to replace not found in file ×2\): 4 times/,
    )
    expect(told.match(/has not been read/g)).toHaveLength(1)
    const errors = (await recall.patterns({})).filter(({ kind }) => kind === 'error')
    expect(errors.map(({ tool }) => tool)).toEqual(['Bash', 'Edit', 'Edit'])
    await recall.close()
  })

  test('leaves no number of its sums without evidence', async () => {
    const recall = await analysed(demoHome())
    const text = pageMarkdown(await pageOf(recall, { since: dayStart(NOW, -30), before: dayStart(NOW, 1) }, ALL))
    const cells = text.split('\n').flatMap((line) => (line.startsWith('| ') ? line.split(' | ').slice(1) : []))
    const bare = cells.filter((cell) => /[1-9]/.test(cell.replace(/\[\^\d+\]/g, '')) && !cell.includes('[^'))
    expect(cells.length).toBeGreaterThan(50)
    expect(bare).toEqual([])
    const suggestions =
      text
        .split('## Suggestions')[1]
        ?.split('\n')
        .filter((line) => /^\d\. /.test(line)) ?? []
    expect(suggestions).toHaveLength(3)
    for (const line of suggestions) expect(line).toMatch(/\[\^\d+\]/)
    await recall.close()
  })

  test('has every number of its charts in a table as well, with evidence', async () => {
    const recall = await analysed(demoHome())
    const { blocks } = await pageOf(recall, { since: dayStart(NOW, -30), before: dayStart(NOW, 1) }, ALL)
    const rows = blocks.flatMap((block) => (block.block === 'table' ? block.rows : []))
    const isTold = ({ label, shown }: { label: string; shown: string }) =>
      rows.some(
        ([first, ...cells]) =>
          first?.[0] === label &&
          cells.some(
            ([cell]) => typeof cell === 'object' && 'evidence' in cell && cell.shown === shown && cell.evidence[0],
          ),
      )
    const bars = blocks.flatMap((block) => (block.block === 'chart' ? block.bars : []))
    const drawn = bars.filter(({ parts }) => parts.some((part) => part > 0))
    expect(drawn.length).toBeGreaterThan(10)
    expect(drawn.filter((bar) => !isTold(bar))).toEqual([])
    await recall.close()
  })

  test('tells what recurs and how that compares with the days before', async () => {
    const home = tempDir()
    const logs = [failing('a', 2, 2), failing('b', 3, 1), failing('c', 9), failing('d', 20)]
    for (const log of logs) write(transcriptPath(home, log.session), log.text())
    const recall = await analysed(home)
    const text = pageMarkdown(await pageOf(recall, WEEK, ALL))
    const recurring = text.split('\n').find((line) => line.includes('frobnicator: '))
    expect(recurring).toMatch(/^- Bash: .*: 5 times\[\^(\d+)\] in 2 sessions\[\^\1\]$/)
    expect(text).toMatch(/\| errors per session \| 1\.00 \(1 in 1\)\[\^\d+\] \| 2\.50 \(5 in 2\)\[\^\d+\] \| worse \|/)
    expect(text).toMatch(/\| sessions \| 1\[\^\d+\] \| 2\[\^\d+\] \| more \|/)
    expect(text).toContain('build a')
    expect(text).not.toMatch(/build [cd]/)
    await recall.close()
  })

  test('counts a session in every period in which something happened in it, and in no other', async () => {
    const home = tempDir()
    const early = { timestamp: new Date(NOW - 60 * DAY).toISOString() }
    const late = { timestamp: new Date(NOW).toISOString() }
    const log = new ClaudeLog(uuid('long')).user('begin', early).say('ok', early).user('go on', late).say('ok', late)
    write(transcriptPath(home, log.session), log.text())
    const recall = await analysed(home)
    const told = async (since: number, before: number) =>
      pageMarkdown(await pageOf(recall, { since, before }, ALL)).includes('1 session')
    expect(await told(dayStart(NOW, -61), dayStart(NOW, -59))).toBe(true)
    expect(await told(dayStart(NOW, -30), dayStart(NOW, -20))).toBe(false)
    expect(await told(dayStart(NOW), dayStart(NOW, 1))).toBe(true)
    await recall.close()
  })

  test('shows texts as they are and lets none of them act', async () => {
    const home = tempDir()
    const log = failing('x', 1)
    const title = '<script>alert("1")</script> | *bold* [link](http://evil.example) `code` \u001b[31m'
    log.bare({ type: 'custom-title', customTitle: title, sessionId: log.session })
    write(transcriptPath(home, log.session), log.text())
    const recall = await analysed(home)
    const page = await pageOf(recall, WEEK, ALL)
    const [markdown, html] = [pageMarkdown(page), pageHtml(page)]
    expect(markdown).toContain('\\<script\\>alert("1")\\</script\\> \\| \\*bold\\* \\[link\\](http://evil.example)')
    expect(html).toContain('&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt;')
    expect(html).not.toMatch(/<script|<img|<link|(?:href|src)="(?!#e\d+")/)
    expect(markdown + html).not.toContain('\u001b')
    expect(html.match(/<svg /g)?.length).toBe(3)
    await recall.close()
  })

  test('periods are local days, and the one before is as long', () => {
    expect(lastFullDays(NOW, 7).before).toBe(dayStart(NOW))
    expect(periodBefore(WEEK)).toEqual({ since: dayStart(NOW, -14), before: dayStart(NOW, -7) })
  })

  test('the command prints it or writes it whole', () => {
    const env = cleanEnv(demoHome())
    expect(recallCli(env, 'retro').code).toBe(4)
    recallCli(env, 'sweep')
    const dir = tempDir()
    const since = ['--since', '2026-10-01']
    const printed = recallCli(env, 'retro', ...since)
    expect(printed.out).toMatch(/^# Retro 2026-10-01 to /)
    expect(recallCli(env, 'retro', ...since, '--out', path.join(dir, 'r.md'))).toMatchObject({ code: 0, out: '' })
    expect(readFileSync(path.join(dir, 'r.md'), 'utf8')).toBe(printed.out)
    recallCli(env, 'retro', ...since, '--out', path.join(dir, 'r.html'))
    expect(readFileSync(path.join(dir, 'r.html'), 'utf8')).toBe(recallCli(env, 'retro', ...since, '--html').out)
    expect(readdirSync(dir).sort()).toEqual(['r.html', 'r.md'])
    const told = recallJson(env, 'retro', ...since)
    expect(told).toMatchObject({ code: 0, schema_version: 1, since: '2026-10-01T00:00:00.000Z' })
    expect(`# Retro 2026-10-01 to ... ${(told['sessions'] as unknown[]).length} sessions`).toContain(
      String(/(\d+) sessions/.exec(printed.out)?.[1]),
    )
    for (const { text } of told['suggestions'] as { text: string }[])
      expect(printed.out.replaceAll(/\[\^\d+\]|[*`\\]/g, '')).toContain(text.slice(0, 60).replaceAll(/[*`]/g, ''))
    expect(recallCli(env, 'retro', ...since, '--json', '--html').code).toBe(2)
    expect(recallCli(env, 'retro', '--out', path.join(dir, 'no', 'r.md')).code).toBe(2)
    expect(existsSync(path.join(dir, 'no'))).toBe(false)
    expect(recallCli(env, 'retro', '--out', dir)).toMatchObject({ code: 2, err: expect.stringContaining('directory') })
    chmodSync(path.join(dir, 'r.md'), 0o640)
    symlinkSync('r.md', path.join(dir, 'link.md'))
    expect(recallCli(env, 'retro', '--since', '2026-10-02', '--out', path.join(dir, 'link.md')).code).toBe(0)
    expect(lstatSync(path.join(dir, 'link.md')).isSymbolicLink()).toBe(true)
    expect(readFileSync(path.join(dir, 'r.md'), 'utf8')).toMatch(/^# Retro 2026-10-02 to /)
    expect(lstatSync(path.join(dir, 'r.md')).mode & 0o777).toBe(0o640)
    expect(recallCli(env, 'retro', '--since', '2999-01-01').code).toBe(2)
  })
})

interface Shown {
  readonly kind: string
  readonly chore: boolean
}

test("patterns and signals tell agents' own slips in one line, and mark them in JSON", () => {
  const home = tempDir()
  const own = cleanEnv(home)
  for (const name of ['one', 'two']) {
    const log = new ClaudeLog(uuid(name)).user('go')
    for (const [i, text] of [
      'File has not been read yet. Read it first.',
      'File has been modified since read.',
    ].entries())
      log
        .call(`e${i}`, 'Edit', { file_path: '/w/a.ts', old_string: 'a', new_string: 'b' })
        .result(`e${i}`, text, { is_error: true })
    log.call('b', 'Bash', { command: 'make' }).result('b', 'Error: no rule to make it', { is_error: true })
    write(transcriptPath(home, uuid(name)), log.say('done').text())
  }
  for (const args of [['index'], ['analyze', '--all']]) expect(recallCli(own, ...args).code).toBe(0)
  const slips = "agents' own slips ×4  File has been modified since read ×2, File has not been read yet ×2"
  for (const command of ['patterns', 'signals']) {
    const { out } = recallCli(own, command)
    expect(out.split('\n').filter((line) => /slips|been/.test(line))).toEqual([slips])
    expect(out).toContain('no rule to make it')
    const rows = (recallJson(own, command) as Record<string, Shown[]>)[command]?.filter(({ kind }) => kind === 'error')
    const chores = rows?.map(({ chore }) => chore) ?? []
    expect(chores).toEqual([...chores].sort())
    expect(new Set(chores)).toEqual(new Set([false, true]))
  }
})
