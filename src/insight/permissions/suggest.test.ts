import * as fc from 'fast-check'
import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { parsePattern } from '../../model/permission.ts'
import { claudePermissions } from '../../sources/claude/permissions.ts'
import { codexPermissions as codex } from '../../sources/codex/permissions.ts'
import { matches } from './rules.ts'
import { suggest, type CommandUse, type Suggestion } from './suggest.ts'
import { TABLE } from './table.ts'

/** The table of rules alone: as if nothing were known of what it asks about. */
const claude = { ...claudePermissions, tried: { ...claudePermissions.tried, commands: new Map() } }

const use = (command: string, count = 60, more: Partial<CommandUse> = {}): CommandUse => ({
  command,
  count,
  errors: 0,
  projects: ['/p'],
  lastUsed: 1_700_000_000_000,
  asked: 0,
  unseen: count,
  ...more,
})
const patterns = (...commands: string[]): string[] =>
  suggest(
    commands.map((command) => use(command)),
    { target: claude },
  ).suggestions.map((one) => one.pattern)
const skipReasons = (command: string): string[] =>
  suggest([use(command)], { target: claude }).skipped.map((one) => one.reason)

describe('suggest', () => {
  test.each([
    ['docker logs -f web', 'docker logs *'],
    ['docker logs "$NAME"', 'docker logs *'],
    ['git status', 'git status *'],
    ['ls -la src', 'ls *'],
    ['cat *.md', 'cat *'],
    ['command -v node', 'command -v *'],
  ])('%s: the widest rule whose every completion is harmless', (command, pattern) => {
    expect(patterns(command)).toEqual([pattern])
  })

  test.each([
    'git diff --stat',
    'git shortlog -sn',
    'git diff HEAD -- src',
    'comm -12 a b',
    'git branch --merged main',
    'git branch --contains HEAD',
    'git tag --points-at HEAD',
    'git blame -L 10,20 -- f.ts',
    'rg --type ts foo src',
    'gh repo view owner/name',
    'whereis -b node',
    'rg --version',
    'gh --version',
    'brew list python@3.12',
    'tree -L 2 src',
    'ps aux',
    'git diff --cached --name-only',
    'git log --oneline -5',
    'git log --oneline -n 5',
    'git show HEAD~1 --stat',
    'git branch -vv',
    'git branch --show-current',
    'git --no-pager log --oneline',
    'rg -n --type=ts foo src',
    'grep -rn foo src',
    'kubectl get pods -n default',
    'kubectl -n default get pods -o wide',
    'node --version',
    'ruff check --no-fix src',
    'ruff format --check src',
    'date +%s',
    'find . -name x.ts -type f',
    'gh pr view 12 --json title',
  ])('%s: only as it stands', (command) => {
    expect(patterns(command)).toEqual([command])
  })

  test.each([
    'npm test',
    'pytest -q tests/x.py::test_a',
    'cargo test --workspace',
    'go test ./...',
    'uv sync',
    'uv run pytest',
  ])('%s runs the project: low, and says what would run', (command) => {
    const [one] = suggest([use(command, 500)], { target: claude }).suggestions
    expect(one).toMatchObject({ pattern: command, confidence: 'low', reason: "runs the project's own code" })
    expect(one?.nearestDanger).toMatch(/^whatever/)
  })

  test.each([
    'ruff check src',
    'tsc --noEmit',
    'tsc --noEmit -p web',
    'docker compose ps',
    'docker compose logs -f api',
  ])('%s does what the settings of the project say: low, and says what that may be', (command) => {
    const [one] = suggest([use(command, 500)], { target: claude }).suggestions
    expect(one).toMatchObject({ pattern: command, confidence: 'low', reason: "does what the project's settings say" })
    expect(one?.nearestDanger).toMatch(/^whatever/)
  })

  test.each([
    'git',
    'git -c alias.status=x status',
    'git -C /tmp/x status',
    'git --no-pager -C /tmp/x log',
    'eslint --format=/tmp/x.js src',
    'eslint --format=./x.js src',
    'tsc --noEmit --generateTrace /tmp',
    'docker compose --project-directory /x ps',
    'ruff check --fix src',
    'ruff check --config /tmp/x.toml src',
    'git --exec-path=/x status',
    '/usr/bin/git status',
    './run.sh',
    'nonesuch -x',
    '"git" status x',
  ])('nothing is offered for %s', (command) => {
    expect(patterns(command)).toEqual([])
  })

  test('thresholds: 50 successes are high, 10 are medium, less is low', () => {
    const confidence = (count: number, errors = 0) =>
      suggest([use('ls', count, { errors })], { target: claude }).suggestions[0]?.confidence
    expect([50, 49, 10, 9].map((count) => confidence(count))).toEqual(['high', 'medium', 'medium', 'low'])
    expect(confidence(60, 11)).toBe('medium')
    expect(confidence(60, 55)).toBe('low')
  })

  test('compound, redirected and prefixed commands are counted apart and raise nothing', () => {
    const { suggestions, skipped } = suggest(
      [use('ls', 9), use('ls && ls', 90), use('ls > out', 80), use('A=1 ls', 70), use("it's", 60), use('$X y', 50)],
      { target: claude },
    )
    expect(suggestions).toMatchObject([{ pattern: 'ls *', count: 9, confidence: 'low' }])
    expect(skipped.map(({ pattern, count }) => [pattern, count])).toEqual([
      ['(compound)', 90],
      ['(redirected)', 80],
      ['(variables set)', 70],
      ['(not parsed)', 60],
      ['$X *', 50],
    ])
  })

  test('uses of one rule are summed, with their evidence', () => {
    const { suggestions } = suggest(
      [
        use('docker port a', 30, {
          projects: ['/b', '/a'],
          asked: 4,
          commented: 2,
          waitedMs: 2000,
          unseen: 0,
          lastUsed: 5,
          errors: 3,
        }),
        use('docker port b', 20, { projects: ['/a'], asked: 1, unseen: 0, lastUsed: null }),
        use('docker port c', 1, { unseen: 0 }),
        use('docker port d', 1, { unseen: 0 }),
      ],
      { target: claude },
    )
    expect(suggestions).toHaveLength(1)
    expect(suggestions[0]).toEqual({
      pattern: 'docker port *',
      rule: 'Bash(docker port:*)',
      count: 52,
      confidence: 'medium',
      reason: 'asks the daemon and prints the answer',
      projects: ['/a', '/b', '/p'],
      errorRate: 3 / 52,
      lastUsed: Date.parse('2023-11-14T22:13:20.000Z'),
      samples: ['docker port a', 'docker port b', 'docker port c'],
      spared: 3,
      asked: 5,
      waitedMs: 2000,
      nearestDanger: null,
    })
  })

  test('what is skipped says why and names the nearest danger', () => {
    expect(skipReasons('git diff --output=x')).toEqual([expect.stringContaining('git diff --output=FILE')])
    expect(skipReasons('rm -rf build')).toEqual(['deletes files'])
    expect(skipReasons('frobnicate')).toEqual(['not in the table of known commands'])
  })

  test('an exact form that came up once is not worth a rule', () => {
    const once = suggest([use('git diff a..b', 1), use('git diff --stat', 2), use('ls', 1)], { target: claude })
    expect(once.suggestions.map((one) => one.pattern)).toEqual(['git diff --stat', 'ls *'])
    expect(once.skipped).toMatchObject([{ pattern: 'git diff *', count: 1 }])
    expect(suggest([use('git diff a..b', 1)], { target: claude, fewest: 1 }).suggestions).toHaveLength(1)
  })

  test('an agent that only knows beginnings gets no exact rule', () => {
    const { suggestions, skipped } = suggest([use('git diff --stat'), use('npm test'), use('docker logs x')], {
      target: codex,
    })
    expect(suggestions.map((one) => one.rule)).toEqual(['prefix_rule(pattern=["docker", "logs"], decision="allow")'])
    expect(skipped.map((one) => one.pattern)).toEqual(['git diff --stat', 'npm test'])
  })

  test('high and medium never come with a danger', () => {
    for (const one of everySuggestion()) if (one.confidence !== 'low') expect(one.nearestDanger, one.pattern).toBeNull()
  })
})

/** Forms that do harm, told apart from the table on purpose: a list of its own, by what the tools document. */
const DANGEROUS: readonly RegExp[] = [
  /^git (?!(status|rev-parse|ls-files|ls-tree|merge-base|describe|check-ignore|check-attr|show-ref|for-each-ref|name-rev|count-objects|--no-pager)\b).*(--output|--ext-diff|--upload-pack|--exec|-O\S)/,
  /^git (-c|--config-env|--exec-path)|^git (-\S+ (\S+ )?)*(push|reset|clean|config|commit|checkout|fetch|pull|clone)\b(?!-)/,
  /^git branch.*( -[dDmMcCf]\b|--delete|--move|--force)|^git (tag.* -[daf]\b|stash (drop|clear|pop)|remote (add|set-url|rm)|reflog (expire|delete)|worktree (add|remove))/,
  /^(bash|sh|zsh|eval|exec|source|sudo|doas|env|time|timeout|nohup|nice|xargs|watch|script|ssh|scp|curl|wget|nc|rsync|awk|gawk|sed|perl|ruby|python3?|node|php|npx|uvx|less|more|man|vim?|nano|make|arch|printf|test|\[|cd|tee|dd|cp|mv|rm|ln|chmod|chown|kill|tar|unzip|gdb|sqlite3)( (?!--version$|-V$|-v$)|$)/,
  /^(bun|deno) (?!test\b)/,
  /^(grep|egrep|fgrep) .*(--filter|--pager|--view|--save-config)|^rg .*(--pre|--hostname-bin|-z|--search-zip)/,
  /^find .*-(exec|execdir|ok|okdir|delete|fprint|fls|fprintf)|^fd(find)? .*(-x|-X|--exec)|^tree .*(-o|-R)|^sort .*(-o|--output|--compress-program|-T)|^uniq \S+ \S+$|^file .*(-C|--compile)|^date .*(-s|--set)|^hostname \w/,
  /^docker (?!(logs|ps|images|inspect|port|history|diff|version|image (ls|inspect|history)|container (ls|inspect|logs)|network (ls|inspect)|volume (ls|inspect)|compose (ps|logs)|--version)( |$))|^docker compose .*(--project-directory|-f \S)/,
  /^kubectl (.*(--kubeconfig|--profile-output|--server|-s |--token|--cache-dir|--raw)|(-n \S+ )*(delete|exec|apply|edit|cp|run|patch|proxy)\b)/,
  /^npm (run|exec|install|i|ci|x|config|publish|pkg|link)\b|^npm .*(--logs-dir|--cache|--script-shell|--prefix|--userconfig|--node-options)/,
  /^pip3? (install|download|wheel|config)|^pip3? .*(--python|--log|--proxy|--cert|--index-url)|^uv (pip|add|tool|run (?!pytest))|^cargo (run|install|publish)|^cargo .*(--config|--target-dir|--manifest-path|-Z)/,
  /^go (run|install|get|generate)|^go .*(-exec|-toolexec|-overlay|-o |-w\b|-modfile|-vettool|-C )/,
  /^pytest .*(-p|-c |--rootdir|--basetemp|--junitxml|-o |--confcutdir|--pyargs)( |=|$)|^(pytest|eslint|mypy|ruff check) (\S+ )*(\/|~|\.\.)/,
  /^ruff .*(--fix|--output-file|--config)|^gh .*( -R|--repo|--web|-w\b|--show-token)|^gh (api|auth (token|login)|\S+ (create|merge|delete|edit))/,
  /^systemctl (restart|stop|start|enable|disable|kill)|^(systemctl|journalctl) .*(-H|--host|--vacuum|--rotate|--cursor-file|-M)|^tsc .*(--outDir|--generateTrace|--build|--watch)/,
]
const ARGUMENTS =
  '-la -v -o out -i --help /etc/passwd ~/.ssh/id_rsa x.ts . ../y HEAD --output=/tmp/x --output /tmp/x -exec rm {} -delete -c core.pager=sh ' +
  '-e code --pre sh --pre=sh -C / -D -d --ext-diff --upload-pack=sh --exec=sh -x -X -R -w -s -H root@h -p evil --config=/e ' +
  '--kubeconfig=/e --script-shell=sh --logs-dir=/x --python=/e --log=/x --fix -toolexec sh --filter=sh --pager=sh --compress-program=sh ' +
  'run exec push install delete apply -- - 2 + --no-pager --set -O sh -Ovim --host=h --privileged -it'

/** As many rules as the table can yield: every name alone, with each flag it lists, and with arguments that do harm. */
function everySuggestion(): Suggestion[] {
  const commands = TABLE.flatMap(({ name, flags }) => [
    name,
    ...flags.split(' ').map((flag) => `${name} ${flag.replace(/^-#$/, '-5').replace(/:$/, ' x').replace(/=$/, '=x')}`),
    ...ARGUMENTS.split(' ').flatMap((argument) => [`${name} ${argument}`, `${name} x ${argument}`]),
  ])
  return [
    ...suggest(
      commands.map((command) => use(command)),
      { target: claude },
    ).suggestions,
  ]
}

const isDangerous = (command: string): boolean => DANGEROUS.some((form) => form.test(command))

describe('no suggested rule lets anything dangerous pass', () => {
  test('the list of dangerous forms knows them', () => {
    const harm = [
      'git diff --output=x', 'git push', 'git -c a=b status', 'git branch -D x', 'bash -c x', 'python3 -c x', 'rg --pre sh x',
      'find . -delete', 'sort -o x', 'docker run x', 'docker exec x', 'kubectl delete x', 'npm run x', 'pip install x', 'curl x',
      'go test -exec sh', 'tee x', 'sed -i s/a/b/ x', 'make', 'xargs rm', 'kubectl get x --kubeconfig=y', 'node -e x',
    ] // prettier-ignore
    expect(harm.filter((command) => !isDangerous(command))).toEqual([])
    expect(harm.flatMap((command) => patterns(command))).toEqual([])
  })

  const offered = everySuggestion()

  test('there are many', () => {
    expect(offered.length).toBeGreaterThan(400)
    expect(offered.filter((one) => one.pattern.endsWith(' *')).length).toBeGreaterThan(50)
  })

  test('1,000 commands that match each', () => {
    expect(offered.map((one) => one.pattern.replace(/ \*$/, '')).filter(isDangerous)).toEqual([])
    const completion = fc.array(fc.constantFrom(...ARGUMENTS.split(' ')), { minLength: 1, maxLength: 6 })
    for (const { pattern: text } of offered) {
      const pattern = parsePattern(text)
      const head = pattern.words.join(' ')
      if (!pattern.wide) continue
      fc.assert(
        fc.property(completion, (more) => {
          const command = `${head} ${more.join(' ')}`
          expect(matches(pattern, command), command).toBe(true)
          expect(isDangerous(command), command).toBe(false)
        }),
        { numRuns: 1000, seed: 7 },
      )
    }
  })

  test('nothing that is more than one plain command matches', () => {
    const tails = [
      '; rm x',
      '&& rm x',
      '|| rm x',
      '| sh',
      '& rm x',
      '\nrm x',
      '$(rm x)',
      '`rm x`',
      '> ~/.bashrc',
      '>> x',
      '<(rm x)',
      '2> x',
      '"$(rm x)"',
      '|& sh',
      '&> x',
      '<<< x',
      '${x:-$(rm x)}',
      '=(rm x)',
      '*(e:rm:)',
      '${x@P}',
      '$((a[$(rm x)]))',
    ]
    for (const { pattern: text } of offered) {
      const pattern = parsePattern(text)
      const head = pattern.words.join(' ')
      for (const tail of tails) {
        expect(matches(pattern, `${head} ${tail}`), `${head} ${tail}`).toBe(false)
        expect(matches(pattern, `${head} x ${tail}`)).toBe(false)
      }
      for (const before of ['LD_PRELOAD=x ', 'sudo ', 'env ', 'x; ', '/tmp/'])
        expect(matches(pattern, before + head)).toBe(false)
      expect(matches(pattern, `${head}x`)).toBe(false)
    }
  })
})

test('the table says one thing about each name', () => {
  const names = TABLE.map((row) => row.name)
  expect(names.filter((name, at) => names.indexOf(name) !== at)).toEqual([])
})

test('docs/permissions.md lists every rule with a wildcard, and no other', () => {
  const page = readFileSync(new URL('../../../docs/permissions.md', import.meta.url), 'utf8')
  const listed = [...page.matchAll(/`([^`]+ \*)`/g)].map((match) => match[1])
  const known = TABLE.filter((row) => row.verdict === 'any').map((row) => `${row.name} *`)
  expect(listed.sort()).toEqual(known.sort())
})
