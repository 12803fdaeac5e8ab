import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { commandsIn, parseShell, simpleCommand } from './shell.ts'

const shown = (command: string): string => {
  const { base, sub, compound, parsed } = parseShell(command)
  return parsed ? `${base} ${sub} ${compound ? 'compound' : 'simple'}` : 'unparsed'
}

describe('parseShell', () => {
  test.each([
    ["git commit -m 'msg' && git push", 'git commit compound'],
    ['kubectl get pods -n default', 'kubectl get simple'],
    ['cat file.txt | grep error', 'cat null compound'],
  ])('the example of the specification: %s', (command, expected) => {
    expect(shown(command)).toBe(expected)
  })

  test.each([
    ['git -C dir status', 'git status simple'],
    ['git -c a=b --no-pager log --oneline', 'git log simple'],
    ['git --git-dir=/x/.git diff', 'git diff simple'],
    ['git --version', 'git null simple'],
    ['kubectl -n x --context y get pods', 'kubectl get simple'],
    ['docker --context x ps', 'docker ps simple'],
    ['docker compose up -d', 'docker compose simple'],
    ['npm --prefix x test', 'npm test simple'],
    ['npm run build', 'npm run simple'],
    ['yarn --cwd web test', 'yarn test simple'],
    ['yarn', 'yarn null simple'],
    ['pnpm -r --filter web test', 'pnpm test simple'],
    ['cargo +nightly build', 'cargo build simple'],
    ['cargo --color always test', 'cargo test simple'],
    ['go -C dir test ./...', 'go test simple'],
    ['uv --directory x run pytest', 'uv run simple'],
    ['pip --proxy http://p install x', 'pip install simple'],
    ['brew install jq', 'brew install simple'],
    ['apt -o A=b install jq', 'apt install simple'],
    ['systemctl --user status x', 'systemctl status simple'],
    ['systemctl -H host restart x', 'systemctl restart simple'],
    ['git "$verb"', 'git null simple'],
    ['git -- x', 'git null simple'],
    ['grep status file', 'grep null simple'],
    ['apt-get install jq', 'apt-get null simple'],
  ])('the subcommand stands past the options: %s', (command, expected) => {
    expect(shown(command)).toBe(expected)
  })

  test.each([
    ['/usr/bin/git status', 'git status simple'],
    ['./gradlew build', 'gradlew null simple'],
    ['"$HOME/bin/tool" x', 'tool null simple'],
    ['${VENV}/bin/python -V', 'python null simple'],
    ['"git" \'status\'', 'git status simple'],
    ['\\git status', 'git status simple'],
    ['FOO=1 BAR="a b" git log', 'git log simple'],
    ['> out.txt git diff', 'git diff simple'],
    ['X=1; git log', 'git log compound'],
    ['# why\ngit log', 'git log simple'],
    ['! grep x y', 'grep null simple'],
    ['[ -f x ]', '[ null simple'],
    ['[[ -f x ]]', '[[ null simple'],
    ['((i++))', '(( null simple'],
    ['f() { rm x; }; git log', 'git log compound'],
    ['X=$(git log)', 'git log compound'],
    ['constructor __proto__', 'constructor null simple'],
  ])('the base is what runs first, without its directory: %s', (command, expected) => {
    expect(shown(command)).toBe(expected)
  })

  test.each([
    ['sudo git push', 'sudo null simple'],
    ['env A=1 git push', 'env null simple'],
    ['time git status', 'time null simple'],
    ['timeout 5 git fetch', 'timeout null simple'],
    ['bash -c "git a && git b"', 'bash null simple'],
  ])('a wrapper stays the base: %s', (command, expected) => {
    expect(shown(command)).toBe(expected)
  })

  test.each([
    '$CMD x',
    '$(which python) x',
    '`which x/y` z',
    '"${A:-/bin/foo}" x',
    'X=1',
    '',
    '  ',
    '# only a comment',
  ])('no base is made up for %j', (command) => {
    expect(parseShell(command)).toMatchObject({ base: null, sub: null, parsed: true })
  })

  test.each([
    'a | b',
    'a |& b',
    'a || b',
    'a; b',
    'a\nb',
    'a &',
    '(a)',
    '{ a; }',
    'if a; then b; fi',
    'for i in 1 2; do a; done',
    'while a; do b; done',
    'case x in y) a;; esac',
    'a $(b)',
    'a "$(b)"',
    'a `b`',
    'a <(b)',
    'a ${x:-$(b)}',
    'cat <<EOF\n$(b)\nEOF',
    'a > $(b)',
    'f() { a; }',
    'coproc a',
  ])('%j is compound', (command) => {
    expect(parseShell(command)).toMatchObject({ compound: true, parsed: true })
  })

  test.each([
    'a',
    'a;',
    'a\n',
    'a > out 2>&1',
    "a '$(b)' '`c`' 'd && e'",
    'a "x | y; z"',
    'a $((1 + 2))',
    'a ${b:-c}',
    "cat <<'EOF'\n$(b) | c\nEOF",
    'a \\\n  b',
    'a <<< "b;c"',
    'a {b,c}',
  ])('%j is not compound', (command) => {
    expect(parseShell(command)).toMatchObject({ compound: false, parsed: true })
  })

  test.each(['echo "unclosed', "it's", 'if x', 'a )', 'fi', 'a $(b', 'echo "$(if)"', '*** Begin Patch\n+ fn(x) {'])(
    'what is no shell is not guessed at: %j',
    (command) => {
      expect(parseShell(command)).toEqual({ base: null, sub: null, compound: false, parsed: false })
      expect(commandsIn(command)).toEqual([])
    },
  )

  test('more than 64 KB is not looked at', () => {
    expect(parseShell(`echo ${'a'.repeat(60_000)}`).parsed).toBe(true)
    expect(parseShell(`echo ${'a'.repeat(70_000)}`).parsed).toBe(false)
    expect(parseShell('git log; '.repeat(200_000)).parsed).toBe(false)
  })

  test('what opens and never closes takes no longer than anything else', () => {
    for (const unit of [
      '$(',
      '$[',
      '$((',
      '{a,',
      '<(',
      '<<a ',
      '"$(',
      '`',
      '(',
      '${a:-',
      'a=$(',
      'if ',
      '{a,}',
      'bash -c "',
    ]) {
      for (const head of ['', 'echo $(a) ', 'cat <<X\n']) {
        const text = (head + unit.repeat(65_536)).slice(0, 65_536)
        const started = performance.now()
        parseShell(text)
        commandsIn(text)
        expect(performance.now() - started, unit).toBeLessThan(2000)
      }
    }
  })

  test('nothing makes it throw', () => {
    const pieces =
      'a git -C x "$( $(( ${ <( << <<< EOF \n ; & && | ( ) { } [[ ]] \' " ` \\ $ ! = x= if then fi do done case é \0'
    const text = fc.array(fc.constantFrom(...pieces.split(' '), ' '), { maxLength: 40 }).map((parts) => parts.join(''))
    fc.assert(
      fc.property(text, (command) => {
        const { parsed, base } = parseShell(command)
        expect(parsed || base === null).toBe(true)
        expect(commandsIn(command).every((words) => words.length > 0)).toBe(true)
      }),
      { numRuns: 3000, seed: 1 },
    )
  })
})

describe('commandsIn', () => {
  const flat = (command: string): string[] => commandsIn(command).map((words) => words.join(' '))

  test('every simple command is there, also inside loops, functions and substitutions', () => {
    expect(flat('cd a && for f in $(ls); do grep x "$f" | wc -l; done; g() { rm y; }')).toEqual([
      'cd a',
      'ls',
      'grep x $f',
      'wc -l',
      'rm y',
    ])
  })

  test.each([
    ['sudo -u bob -E pytest -q', ['pytest -q']],
    ['env -u A B=1 pytest', ['pytest']],
    ['time -p pytest', ['pytest']],
    ['/usr/bin/time -f %e pytest', ['pytest']],
    ['timeout -s KILL 60 npm test', ['npm test']],
    ['timeout --signal=KILL 60s npm test', ['npm test']],
    ['nohup nice -n 5 pytest &', ['pytest']],
    ['find . | xargs -n 1 -P 4 pytest', ['find .', 'pytest']],
    ['npx --yes -p x vitest run', ['vitest run']],
    ['npm exec -- vitest run', ['vitest run']],
    ['uv run --with x pytest -q', ['pytest -q']],
    ['uv --directory d run -- pytest', ['pytest']],
    ['poetry run pytest', ['pytest']],
    ['docker exec -it -e A=b web pytest', ['pytest']],
    ['docker compose -f x.yml exec web pytest', ['pytest']],
    ['docker compose up web db', ['docker compose up web db']],
    ['kubectl exec pod -c web -- pytest', ['pytest']],
    ["bash -lc 'cd a && npm test'", ['cd a', 'npm test']],
    ["bash -euo pipefail -c 'npm test'", ['npm test']],
    ['sh run_tests.sh -v', ['./run_tests.sh -v']],
    ['sudo env A=1 timeout 5 bash -c "npx vitest"', ['vitest']],
    ['eval "npm test"', ['npm test']],
    ['command -v pytest', ['command -v pytest']],
    ['env', ['env']],
    ['timeout 5', ['timeout 5']],
    ['uv sync', ['uv sync']],
  ])('%s', (command, expected) => {
    expect(flat(command)).toEqual(expected)
  })

  test('wrappers within wrappers end', () => {
    expect(commandsIn(`${'sudo '.repeat(50)}ls`)).toHaveLength(1)
    expect(commandsIn(`${'eval '.repeat(50)}ls`)).toHaveLength(1)
  })
})

describe('simpleCommand', () => {
  test.each([
    ['git  diff --stat ', 'git diff --stat'],
    ['git diff --stat', 'git diff --stat plain'],
    ['git show HEAD~1:a/b.ts', 'git show HEAD~1:a/b.ts plain'],
    ['ls "a b" $X *.ts {a,b}', 'ls a b $X *.ts {a,b}'],
    ['ls > x', 'ls redirected'],
    ['ls 2>&1', 'ls redirected'],
    ['cat <<< x', 'cat redirected'],
    ["cat <<'E'\nx\nE", 'cat redirected'],
    ['A=1 B=2 ls', 'ls assigns'],
    ['ls;', 'ls'],
    ['! ls', 'ls'],
    ['# why\nls', 'ls'],
  ])('%j', (command, expected) => {
    const simple = simpleCommand(command)
    const marks = (['plain', 'redirected', 'assigns'] as const).filter((mark) => simple?.[mark])
    expect([...(simple?.words ?? []), ...marks].join(' ')).toBe(expected)
  })

  test.each([
    'a; b',
    'a *(e:b:)',
    'a ${b@P}',
    'a && b',
    'a | b',
    'a &',
    'a $(b)',
    'a `b`',
    'a <(b)',
    '(a)',
    'f() { a; }',
    'time a',
    '[[ -f x ]]',
    'X=1',
    '',
    "it's",
  ])('%j is none', (command) => {
    expect(simpleCommand(command)).toBeNull()
  })
})
