import { any, exact, never, review, settings, type Row } from './row.ts'
import { GIT } from './table-git.ts'

const GREP =
  '-n -i -r -R -l -L -c -v -w -x -E -F -P -G -o -h -H -s -q -a -I -e: -A: -B: -C: -m: -# --include= --exclude= ' +
  '--exclude-dir= --color --color= --line-number --recursive --ignore-case --files-with-matches --count --invert-match ' +
  '--word-regexp --fixed-strings --extended-regexp --only-matching --no-filename --'
const RG =
  '-n -i -l -c -w -v -F -S -s -U -o -q -N -H -I -u -a -P -L -e: -g: -t: -T: -A: -B: -C: -m: -M: -j: --files --hidden ' +
  '--files-with-matches --files-without-match --count --count-matches --no-ignore --heading --no-heading --column ' +
  '--line-number --no-line-number --ignore-case --smart-case --case-sensitive --word-regexp --fixed-strings --multiline ' +
  '--pcre2 --follow --json --stats --trim --vimgrep --type-list --no-filename --glob: --type: --type-not: --max-count: ' +
  '--max-depth: --max-columns: --sort: --color: --context: --after-context: --before-context: --version --'
const KUBECTL =
  '-n: --namespace: -A --all-namespaces -o: --output: -l: --selector: --context: --show-labels --no-headers ' +
  '--sort-by= --field-selector= -w --watch'
const GH = '--json: --limit: -L: --state: -s: --comments -c --author: --label: --assignee: --search:'
const RUFF = '--select: --ignore: --output-format: --statistics --no-cache --no-fix --quiet -q --diff --preview'
const PIP_CONF = 'whatever "python" and "log" in pip.conf of the virtual environment name is run and written'
const PYTEST =
  '-q -v -x -s -l --lf --ff --last-failed --failed-first --tb= --maxfail= -k: -m: -n: --durations= --no-header -rA -ra ' +
  '--co --collect-only --no-cov'
const CARGO =
  '--release --all --workspace --lib --bins --tests --all-targets --all-features --no-default-features --features: ' +
  '-p: --package: --no-run --doc --quiet -q -v --locked --offline --message-format='

const HARMLESS: readonly Row[][] = [
  any('ls, pwd, stat, du, df, basename, dirname, realpath, readlink', 'tells where files are and how large'),
  any('cat, head, tail, tac, nl, wc, cut, rev, fold, paste, join, cmp, expand, column', 'prints what it reads'),
  any('md5sum, sha1sum, sha256sum, sha512sum, b2sum, cksum, od, hexdump', 'prints what it reads'),
  any('diff', 'compares files and prints the difference'),
  any('echo, seq, sleep, true, false', 'touches nothing'),
  any('whoami, id, groups, uname, nproc, uptime, free, lscpu, lsblk', 'tells about the machine'),
  any('which, type, command -v', 'tells what a name stands for'),
  any(
    'docker logs, docker ps, docker images, docker inspect, docker port, docker history, docker diff, docker version, ' +
      'docker image ls, docker image inspect, docker image history, docker container ls, docker container inspect, ' +
      'docker container logs, docker network ls, docker network inspect, docker volume ls, docker volume inspect',
    'asks the daemon and prints the answer',
  ),
]

const SEARCH: readonly Row[][] = [
  exact(
    'grep, egrep, fgrep',
    [GREP, 'any'],
    'grep --filter=CMD x',
    'it may be ugrep, whose --filter and --pager run programs',
  ),
  exact('rg', [RG, 'any'], 'rg --pre CMD x', '--pre and --hostname-bin run a program'),
  exact(
    'find',
    [
      '-name: -iname: -path: -ipath: -type: -maxdepth: -mindepth: -size: -newer: -not -o -a -empty -print -print0',
      'any',
    ],
    'find . -delete',
    '-exec runs, -delete deletes, -fprint writes',
  ),
  exact(
    'fd, fdfind',
    ['-e: -t: -d: -H -I -a -g -i -s --extension: --type: --max-depth: --hidden --no-ignore', 'any'],
    'fd -x rm',
    '-x runs a program',
  ),
  exact(
    'tree',
    ['-a -d -f -h -s -D -F -C -n -L; -I; -P; --dirsfirst --noreport --gitignore', 'any'],
    'tree -o FILE',
    '-o writes',
  ),
  exact(
    'sort',
    ['-n -r -u -f -h -V -b -g -M -d -i -s -c -z -k: -t:', 'any'],
    'sort -o FILE',
    '-o writes, --compress-program runs',
  ),
  exact('uniq', ['-c -d -u -i', 'none'], 'uniq IN FILE', 'its second operand is written'),
  exact(
    'date',
    ['-u --utc -R -I -Iseconds -Iminutes --iso-8601 --iso-8601= --rfc-3339=', /^\+/],
    'date -s 0',
    '-s sets the clock',
  ),
  exact('file', ['-b -i -I -L -h --brief --mime --mime-type', 'any'], 'file -C -m FILE', '-C writes'),
  exact(
    'ps',
    ['-e -f -A -a -l -j -H --forest', /^(?:[aufxwlr]+|\d+)$/],
    'ps eww',
    'e prints the environment of every process, -e too beside what only BSD knows; as mere letters a rule would fit psql',
  ),
  exact(
    'jq',
    [
      '-r -c -e -s -S -n -M -C -j --raw-output --compact-output --sort-keys --slurp --tab --version',
      /^(?!.*\benv\b)[\w./-]+$/,
    ],
    'jq -n env',
    'env prints the environment, -L and -f load programs from elsewhere',
  ),
  exact(
    'comm, tr',
    ['-1 -2 -3 -12 -13 -23 -d -s', 'any'],
    'command rm x',
    'a rule read as mere letters would fit command and truncate',
  ),
  exact(
    'whereis',
    ['-b', /^[\w.+-]+$/],
    "whereis 'x; rm y'",
    'on BSD and macOS a shell gets to see what it is asked for',
  ),
  exact('hostname', ['-f -s -I', 'none'], 'hostname x', 'sets the name if given one'),
]

const TOOLS: readonly Row[][] = [
  exact(
    'node --version, node -v, python --version, python -V, python3 --version, python3 -V',
    ['', 'none'],
    'node FILE',
    'runs code as soon as it is given any',
  ),
  exact('docker --version', ['', 'none'], 'docker run x', 'does much else'),
  exact('gh --version', ['', 'none'], 'gh api x', 'does much else'),
  exact('uv --version', ['', 'none'], 'uv run x', 'does much else'),
  exact('java -version', ['', 'none'], 'java -version -jar FILE', 'goes on to what else it is given'),
  exact(
    'kubectl get, kubectl describe',
    [KUBECTL, /^(?!.*secret)/i],
    'kubectl get pods --kubeconfig FILE',
    '--kubeconfig can name a program to run, and some of what it gets are secrets',
  ),
  exact(
    'kubectl version, kubectl api-resources',
    [`${KUBECTL} --client`, 'none'],
    'kubectl version --kubeconfig FILE',
    '--kubeconfig can name a program to run',
  ),
  exact(
    'kubectl logs',
    [`${KUBECTL} -c: --container: --tail: --since: -f --follow -p --previous --timestamps --all-containers`, 'any'],
    'kubectl logs --kubeconfig FILE x',
    '--kubeconfig can name a program to run',
  ),
  exact(
    'kubectl config current-context, kubectl config get-contexts',
    ['--no-headers', 'none'],
    'kubectl config set-credentials',
    'its other subcommands write',
  ),
  exact(
    'gh pr view, gh pr list, gh pr status, gh pr checks, gh pr diff, gh issue view, gh issue list, gh run list, ' +
      'gh run view, gh repo view',
    [`${GH} --log --log-failed --job: --branch: --workflow: --name-only --required`, /^[\w.#-]+(?:\/[\w.-]+)?$/],
    'gh pr view -R HOST/x/y',
    '-R sends the token to another host, --web starts a program',
  ),
  exact('gh auth status', ['', 'none'], 'gh auth status --show-token', '--show-token prints the token'),
  exact(
    'systemctl status, systemctl is-active, systemctl is-enabled, systemctl list-units, systemctl list-timers',
    ['--no-pager --user -l --all -a --failed --type= --state= -n: --lines=', 'any'],
    'systemctl status -H HOST',
    '-H runs ssh',
  ),
  exact(
    'journalctl',
    ['-u: --unit= -n: --lines= -o: -p: --no-pager --user -x -e -b -k -r -f --since= --until=', 'none'],
    'journalctl --vacuum-time=1s',
    '--vacuum deletes, --cursor-file writes',
  ),
  exact(
    'brew list',
    ['--versions --cask --formula -1', /^[\w@+-]+(?:\.\d+)*$/],
    'brew list x.rb',
    'a file it is given is a program that it runs',
  ),
  exact('apt list', ['--installed --upgradable', 'any'], 'apt list -o DIR=x', '-o changes every setting'),
]

const RUNNERS: readonly Row[][] = [
  review(
    'npm test, npm t, pnpm test, yarn test',
    ['--silent -s', 'inside'],
    'whatever the "test" script of package.json says',
  ),
  review(
    'bun test, deno test, vitest run, jest',
    ['--silent --bail --coverage', 'inside'],
    'whatever the tests and their setup do',
  ),
  review('pytest, uv run pytest, poetry run pytest', [PYTEST, 'inside'], 'whatever the tests and conftest.py do'),
  review(
    'cargo test, cargo check, cargo build, cargo clippy',
    [CARGO, 'inside'],
    'whatever build.rs, macros and tests do',
  ),
  review(
    'go test, go vet, go build',
    ['-v -race -short -cover -failfast -count= -run: -timeout= -bench= -tags=', 'inside'],
    'whatever the tests, TestMain and cgo do',
  ),
  review(
    'uv sync, uv lock',
    [
      '--frozen --locked --check --all-extras --all-groups --all-packages --dev --no-dev -q --quiet --extra: --group:',
      'none',
    ],
    'whatever the build of any dependency does',
  ),
  review(
    'eslint',
    ['--quiet --max-warnings= --ext= --format=json --format=stylish --format=unix', 'inside'],
    'whatever eslint.config.js and its plugins do',
  ),
  settings(
    'npm ls, npm list',
    ['--depth: --json --all -a -g --global --long --parseable --omit=', 'any'],
    'whatever "logs-dir" and "cache" in .npmrc name is written',
  ),
  settings(
    'npm root, npm prefix, npm --version, npm -v',
    ['-g', 'none'],
    'whatever "logs-dir" and "cache" in .npmrc name is written',
  ),
  settings(
    'pip list, pip3 list, pip freeze, pip3 freeze, pip --version, pip3 --version',
    ['--format= --local -l --user --not-required', 'none'],
    PIP_CONF,
  ),
  settings('pip show, pip3 show', ['-f --files', 'any'], PIP_CONF),
  settings('go version', ['', 'none'], 'whatever toolchain go.mod names is fetched and run'),
  settings('go env', ['-json', /^[A-Z0-9]+$/], 'whatever toolchain go.mod names is fetched and run'),
  settings(
    'go list, go list -m',
    ['-json', /^(?:\.(?:\/[\w./-]*)?|all|std)$/, /\/\.\.(?:\/|$)/],
    'whatever toolchain and modules go.mod names are fetched',
  ),
  settings(
    'ruff check, ruff check --no-fix, ruff check --diff, ruff format --check',
    [RUFF, 'inside'],
    'whatever "fix" and "fix-only" in its settings change, and wherever "cache-dir" is',
  ),
  settings(
    'tsc --noEmit',
    ['-p: --project: --skipLibCheck --pretty', 'none', /^(?:--project=)?[/~]|\.\./],
    'whatever file "tsBuildInfoFile" in tsconfig.json names is written',
  ),
  settings(
    'docker compose ps, docker compose logs',
    [
      '-a --all -q --quiet --services --format: -f --follow -t --timestamps -n: --tail: --since: --no-color --no-log-prefix',
      'any',
    ],
    'whatever "include" in compose.yaml names is fetched, with values of the environment in its address',
  ),
  review('prettier --check', ['', 'inside'], 'whatever prettier.config.js and its plugins do'),
  review('mypy', ['--strict --ignore-missing-imports', 'inside'], 'whatever the plugins in its settings do'),
  review('dotnet test, mix test, rspec, phpunit', ['', 'inside'], 'whatever the tests and the build do'),
  review('./gradlew test, mvn test, swift test', ['', 'none'], 'whatever the tests and the build do'),
]

const REFUSED: readonly Row[][] = [
  never('rm, rmdir, unlink, shred, trash', 'deletes files'),
  never('cp, mv, dd, tee, touch, mkdir, ln, install, truncate, patch, split, csplit, mktemp, rsync', 'writes files'),
  never('tar, zip, unzip, gzip, gunzip, bzip2, xz, zstd, 7z, cpio, ar', 'writes files; some run a program to unpack'),
  never('chmod, chown, chgrp, chattr, setfacl, umask', 'changes who may do what'),
  never('sudo, doas, su, pkexec, runuser, chroot, unshare, nsenter', 'gains rights'),
  never('bash, sh, zsh, dash, ksh, fish, busybox, eval, exec, source, ., trap, alias', 'runs whatever it is given'),
  never(
    'env, time, timeout, nohup, nice, ionice, stdbuf, setsid, xargs, parallel, watch, flock, script, strace, ltrace, ' +
      'command, builtin, npx, bunx, pnpx, uvx, pipx, caffeinate',
    'runs the command in its arguments',
  ),
  never(
    'python, python3, node, deno, bun, perl, ruby, php, lua, Rscript, osascript, tclsh, expect, gdb, java, ipython, irb, ' +
      'sqlite3, psql, mysql, mongosh, redis-cli',
    'an interpreter: runs code in its arguments',
  ),
  never('awk, gawk, mawk, nawk', 'its system(), pipes and redirections run and write'),
  never('sed, gsed', '-i and its w command write, its e command runs'),
  never('less, more, man, info, vim, vi, nvim, view, nano, emacs, ed, ex', 'starts programs from within'),
  never('curl, wget, nc, ncat, socat, telnet, ftp, ping, dig, nslookup, host, openssl', 'sends over the network'),
  never('ssh, scp, sftp, aws, gcloud, az, rclone, gh api, gh', 'acts on other machines'),
  never(
    'npm, pnpm, yarn, pip, pip3, uv, uv run, poetry, brew, apt, apt-get, gem, cargo, go, conda',
    'installs or runs what others wrote',
  ),
  never('make, cmake, ninja, gradle, mvn, just, bazel, rake', 'runs what the build file says'),
  never(
    'docker, docker compose, podman, kubectl, helm, terraform, ansible, vagrant',
    'starts, changes or enters what it manages',
  ),
  never(
    'kill, pkill, killall, systemctl, launchctl, service, mount, umount, crontab, at, shutdown, reboot',
    'changes the machine',
  ),
  never(
    'printf, test, [, read, declare, export, unset, let',
    "bash runs what stands in a subscript: printf -v 'a[$(cmd)]'",
  ),
  never('cd, pushd, popd', 'moves later commands to a directory whose settings may run programs'),
  never('printenv, set', 'prints the secrets in the environment'),
  never('arch, shasum, xxd, yq, bat, strings, nm, objdump, ss, lsof, ip', 'some options write, load or run'),
]

/** What is known about commands. Whatever is not here is not offered. */
export const TABLE: readonly Row[] = [HARMLESS, GIT, SEARCH, TOOLS, RUNNERS, REFUSED].flat(2)

/** Options that may stand before the subcommand without changing what it does. Then only the exact form is offered. */
export const LEADING: ReadonlyMap<string, string> = new Map([
  ['git', '--no-pager -P'],
  ['kubectl', '-n: --namespace: --context:'],
])
