import { describe, expect, test } from 'vitest'
import { innerCommands } from './inner-commands.ts'
import { everyCommandIn } from './shell.ts'

describe('what runs besides what runs first', () => {
  test.each<readonly [command: string, ...inner: string[]]>([
    ['git status'],
    ["git commit -m 'msg' && git push", 'git push'],
    ['cat file.txt | grep error', 'grep'],
    ['FOO=$(date) git status', 'date'],
    ['diff <(git show a) <(git show b)', 'git show', 'git show'],
    ['for f in $(ls); do cat $f; done', 'cat'],
    ['f() { rm x; }; f', 'rm'],
    ['cat <<EOF\n$(date)\nEOF', 'date'],
    ["cat <<'EOF'\n$(date)\nEOF"],
    ['git commit -m "$(cat <<\'EOF\'\nmsg; rm -rf /\nEOF\n)"', 'cat'],
    ['sudo apt install x', 'apt install'],
    ['time git status', 'git status'],
    ['nohup npm start > x 2>&1 &', 'npm start'],
    ['env -i A=1 git status', 'git status'],
    ["env -S 'git status'", 'git status'],
    ['timeout -s KILL 10s git fetch', 'git fetch'],
    ['npx -y -p typescript tsc', 'tsc'],
    ["npx -c 'eslint . && tsc'", 'eslint', 'tsc'],
    ['uv run --with x pytest', 'pytest'],
    ['uv tool run ruff check', 'ruff'],
    ['uv tool install ruff'],
    ['docker exec -it web npm test', 'npm test'],
    ['docker run --rm --platform linux/amd64 img npm test', 'npm test'],
    ['docker-compose -f x.yml exec -T web npm test', 'npm test'],
    ['docker-compose up web'],
    ['kubectl -n x exec pod -- npm test', 'npm test'],
    ['ssh host'],
    ['ssh host ls -la', 'ls'],
    ["ssh -p 22 -o A=b u@host 'git pull && make'", 'git pull', 'make'],
    ['find . -delete'],
    ['find . -name x -exec rm {} \\;', 'rm'],
    ['find . \\( -name a -o -name b \\) -exec cat {} \\; -execdir git status {} +', 'cat', 'git status'],
    ['fd -e ts -x wc -l', 'wc'],
    ["watch -n 1 'kubectl get pods | head'", 'kubectl get', 'head'],
    ["su -c 'git pull' bob", 'git pull'],
    ['strace -f -o x ls', 'ls'],
    ['conda run -n env python x', 'python'],
    ['flock /tmp/l git pull', 'git pull'],
    ['bash script.sh -c x', 'script.sh'],
  ])('%s', (command, ...inner) => {
    expect(innerCommands(command)).toEqual(inner)
  })

  test.each<readonly [command: string, ...inner: string[]]>([
    ['find . | xargs -n 1 git add', 'xargs', 'git add'],
    ["sudo bash -c 'apt update && apt upgrade -y'", 'bash', 'apt update', 'apt upgrade'],
    ['timeout 10 sudo env A=1 npm ci', 'sudo', 'env', 'npm ci'],
    ["docker exec web sh -c 'ls'", 'sh', 'ls'],
    ['find . -exec sh -c \'ls "$1"\' _ {} \\;', 'sh', 'ls'],
  ])('a wrapper inside is counted beside what it runs: %s', (command, ...inner) => {
    expect(innerCommands(command)).toEqual(inner)
  })

  test.each<readonly [command: string, ...inner: string[]]>([
    ['eval "$(ssh-agent -s)"', 'ssh-agent'],
    ['bash -c "git log $(date)"', 'date', 'git log'],
    ["bash -c 'git log $(date)'", 'git log', 'date'],
    ['ssh host "uptime; echo $(date)"', 'date', 'uptime', 'echo'],
  ])('what a substitution runs is counted once: %s', (command, ...inner) => {
    expect(innerCommands(command)?.sort()).toEqual(inner.sort())
  })

  test('is unknown where it cannot be parsed, and unguessed where only running it would tell', () => {
    expect(innerCommands('git status |')).toBeNull()
    expect(innerCommands('eval "$CMD"; $X y')).toEqual([])
  })

  test('lines may end as on Windows', () => {
    expect(innerCommands('ls -la\r\npwd\r\n')).toEqual(['pwd'])
  })

  test('takes no longer than anything else, however often it is wrapped', () => {
    for (const unit of ['find -exec ', 'sudo ', 'eval ', 'ssh h ', 'xargs ', 'bash -c ', 'watch ', 'fd -x ']) {
      const started = performance.now()
      everyCommandIn(unit.repeat(65_000 / unit.length))
      expect(performance.now() - started, unit).toBeLessThan(2000)
    }
  })
})
