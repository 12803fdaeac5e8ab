// Commands to ask the agents about when no rule says anything, by the name under which rules know them. None of them
// does harm, should it be run; programs that talk to a service are replaced by shims anyway (see never-asked.mjs).
// Each name has the ways in which people use it: an agent may ask about some of them only.

const FILE = 'README.md'
/** Each word stands for a command with the file, or with what stands after the colon. */
const each = (text) =>
  Object.fromEntries(
    text
      .trim()
      .split('\n')
      .map((line) => /^\s*([^:]+):(.*)$/.exec(line))
      .map(([, name, forms]) => [
        name,
        forms.split('|').map((form) => `${name} ${form.trim().replaceAll('@', FILE)}`.trim()),
      ]),
  )

/** Names that a rule with a wildcard may be offered for. */
export const wide = each(`
  ls: | -la | -lh src | -1R .
  pwd: | -P
  stat: @ | -c %s @
  du: -sh . | -a -d 1 .
  df: -h | -i .
  basename: a/b | -s .md @
  dirname: a/b | a/b c/d
  realpath: . | -m a/b
  readlink: @ | -f @
  cat: @ | -n @ | -A @ sum.js
  head: @ | -2 @ | -n 2 @ sum.js | -c 5 @
  tail: @ | -2 @ | -n +2 @
  tac: @ | -s , @
  nl: @ | -ba @
  wc: @ | -l @ | -lw @ sum.js
  cut: -c1-3 @ | -d , -f 1 @
  rev: @ | sum.js
  fold: -w 10 @ | -s @
  paste: @ @ | -s @
  join: @ @ | -1 2 @ @
  cmp: @ sum.js | -s @ @
  expand: @ | -t 4 @
  column: @ | -t @
  md5sum: @ | -b @
  sha1sum: @ | -b @
  sha256sum: @ | -b @
  sha512sum: @ | -b @
  b2sum: @ | -b @
  cksum: @ | @ sum.js
  od: @ | -c @ | -A x -t x1z @
  hexdump: @ | -C @ | -n 4 @
  diff: @ sum.js | -u @ sum.js | -q @ @
  echo: hello | -n a b
  seq: 3 | 1 2 9
  sleep: 0.1 | 0.2
  true:
  false:
  whoami:
  id: | -u
  groups: | root
  uname: | -a
  nproc: | --all
  uptime: | -p
  free: | -m
  lscpu: | -e
  lsblk: | -f
  which: node | -a node npm
  type: ls | -a ls
  command -v: node | git
  git status: | --short | -sb --porcelain
  git rev-parse: HEAD | --show-toplevel | --abbrev-ref HEAD
  git ls-files: | --others --exclude-standard | @
  git ls-tree: HEAD | -r --name-only HEAD
  git merge-base: HEAD HEAD | --is-ancestor HEAD HEAD
  git describe: --always | --tags --always
  git check-ignore: @ | -v @
  git check-attr: text @ | -a @
  git show-ref: | --heads
  git name-rev: HEAD | --name-only HEAD
  git count-objects: | -vH
  docker logs: web | --tail 10 web | -f web
  docker ps: | -a | --format json
  docker images: | -q | --format json
  docker inspect: web | -f json web
  docker port: web | web 80
  docker history: web | -q web
  docker diff: web | api
  docker version: | --format json
  docker image ls: | -q
  docker image inspect: web | -f json web
  docker image history: web | -q web
  docker container ls: | -a
  docker container inspect: web | -s web
  docker container logs: web | --tail 10 web
  docker network ls: | -q
  docker network inspect: web | bridge
  docker volume ls: | -q
  docker volume inspect: web | data
`)

/** Names of which only the forms that were used are offered. */
export const exact = each(`
  git diff: | --stat | --cached | --name-only HEAD | HEAD -- src | -w --word-diff
  git stash show: | --stat
  git log: | --oneline -5 | -p -1 | --stat -3 | --graph --all --oneline | --format=%H -1 | --since=yesterday
  git show: HEAD | --stat HEAD | HEAD:@ | --name-only HEAD
  git stash list:
  git rev-list: --count HEAD | HEAD -n 3
  git shortlog: -s HEAD | -sn HEAD
  git blame: @ | -L 1,2 @
  git branch: | -a | -v | -r | --show-current | --list | --merged HEAD | --contains HEAD
  git tag: | -l | --list | -n | --points-at HEAD
  git for-each-ref: | --count=3 | refs/heads
  git remote: | -v
  git remote get-url: origin
  git worktree list: | --porcelain
  git reflog: | -5 | -n 3
  git cat-file: -t HEAD | -p HEAD | -e HEAD
  git grep: sum | -n sum
  git --version:
  git --no-pager: log -1 | diff --stat
  grep: -rn sum . | -i sum @ | -c sum @ | -l sum @ sum.js
  egrep: sum @
  fgrep: sum @
  rg: sum | -n sum | --files | -t js sum
  find: . -name sum.js | . -type f | src -maxdepth 1 -type d
  fd: sum | -e js
  tree: | -L 2
  sort: @ | -u @ | -n -r @
  uniq: | -c
  date: | +%s | -u
  file: @ | -b @
  ps: | aux | -ef
  jq: . package.json | -r .name package.json
  comm: -12 @ @
  tr: -d x
  whereis: node
  hostname: | -f
  node: --version | -v
  python: --version
  python3: --version | -V
  docker: --version
  gh: --version
  uv: --version
  java: -version
  kubectl get: pods | pods -n default | nodes -o wide
  kubectl describe: pod web
  kubectl version: | --client
  kubectl api-resources:
  kubectl logs: web | -f web
  kubectl config: current-context | get-contexts
  gh pr: view 1 | list | status | checks 1 | diff 1 | view 1 --json title
  gh issue: view 1 | list
  gh run: list | view 1
  gh repo: view
  gh auth: status
  systemctl: status x | is-active x | list-units
  journalctl: -u x -n 5
  brew list: | --versions
  apt list: --installed
  npm: test | t | --version | ls | ls --depth=0 | root
  pnpm: test
  yarn: test
  pytest: | -q
  uv: run pytest | sync
  cargo: test | check | build | clippy
  go: test ./... | vet ./... | build ./... | version | env GOPATH | list ./...
  eslint: src
  pip: list | show x | --version | freeze
  ruff: check | check src | format --check src
  tsc: --noEmit
  docker compose: ps | logs
  prettier: --check src
  mypy: src
  vitest: run
  jest:
  mvn: test
`)

/** What is offered for none: it tells what an agent asks about, and how a command must be written so that it does. */
export const others = {
  text: [
    `sed -n 1,2p ${FILE}`,
    `awk '{print $1}' ${FILE}`,
    `xxd ${FILE}`,
    `strings ${FILE}`,
    'printf hello',
    `test -f ${FILE}`,
  ],
  system: ['env', 'printenv HOME', 'git config --get user.name', 'git -C . status', 'node --test', 'make -n'],
  lists: [
    'ls && pwd',
    `cat ${FILE} | head -2`,
    'git status; git diff',
    'cd src && ls',
    'cd .. && ls',
    'cd src && git status',
    'cd src && npm test',
    'ls || true',
    `cat ${FILE} | grep sum | wc -l`,
    'npm test | tail -5',
    'docker ps -a | head -3',
    'echo $HOME',
    'ls $(pwd)',
    'ls `pwd`',
    'cat *.md',
    `cat "${FILE}"`,
    `cat '${FILE}'`,
    'cat {README.md,sum.js}',
    'cat ~/nothing',
    'cat /etc/hostname',
    'ls /',
    'ls ..',
    'ls > listing.txt',
    'ls 2>/dev/null',
    'ls 2>&1',
    `cat < ${FILE}`,
    'ls >> /dev/null',
    'timeout 5 ls',
    'time ls',
    'nohup ls',
    'FOO=1 ls',
    'LANG=C ls',
    'NODE_ENV=test npm test',
    'bash -c ls',
    'xargs ls',
    'ls | xargs cat',
    'for f in a b; do echo $f; done',
    'ls\npwd',
    'cat <<EOF\nhi\nEOF',
    'docker ps &',
    '! ls',
    '(ls)',
    '{ ls; }',
    'npm test 2>&1',
  ],
  /** These change something, if only a little: whoever does not ask about them asks about nothing. */
  controls: [
    'touch made.txt',
    'mkdir -p made',
    `cp ${FILE} copy.md`,
    'git add .',
    'curl http://127.0.0.1:9/',
    'rm made.txt',
  ],
}

export const commands = [...new Set([wide, exact, others].flatMap((group) => Object.values(group).flat()))]
