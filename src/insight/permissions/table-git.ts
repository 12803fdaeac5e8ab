import { any, exact, never, type Row } from './row.ts'

const DIFF =
  '--stat --stat= --numstat --shortstat --name-only --name-status --summary --compact-summary --dirstat --raw -z ' +
  '--cached --staged --merge-base --check --quiet --exit-code -p -u --patch --no-patch -s -U: --unified= --minimal ' +
  '--patience --histogram -w -b --ignore-all-space --ignore-space-change --ignore-blank-lines --word-diff --word-diff= ' +
  '--color --color= --no-color --diff-filter= -M -C -R --find-renames --no-renames --no-ext-diff --no-textconv ' +
  '--abbrev --abbrev= --full-index --relative -a --text --'
const LOG =
  `${DIFF} --oneline --graph --decorate --decorate= --no-decorate --all --branches --tags --remotes --merges ` +
  '--no-merges --first-parent --reverse --follow --abbrev-commit --no-abbrev-commit --topo-order --date-order ' +
  '--date= --since= --until= --after= --before= --author= --grep= --format= --pretty --pretty= -i -S: -G: -n: -# ' +
  '--max-count= --skip= --left-right --cherry-pick'
/** Branches and tags by the commits they hold. */
const HOLDING = '--merged --merged: --no-merged --no-merged: --contains --contains: --points-at:'

/** To show what is said of a signature, git runs gpg, or what its settings name instead. */
const SIGNED = /%[-+ ]?G|signature/

/** What is known about git. */
export const GIT: readonly Row[][] = [
  any(
    'git status, git rev-parse, git ls-files, git ls-tree, git merge-base, git describe, git check-ignore, ' +
      'git check-attr, git show-ref, git name-rev, git count-objects',
    'reads the repository; none of its options writes or runs anything, but for --help: the viewer of manuals',
  ),
  exact('git diff, git stash show', [DIFF, 'any'], 'git diff --output=FILE', '--output= writes, --ext-diff runs'),
  exact(
    'git log, git show',
    [LOG, 'any', SIGNED],
    'git log -p --output=FILE',
    '--output= writes, --ext-diff and --format=%GG run',
  ),
  exact('git stash list', [LOG, 'none', SIGNED], 'git stash list -p --output=FILE', '--output= writes'),
  exact('git rev-list', [`${LOG} --count`, 'any', SIGNED], 'git rev-list --output=FILE', '--output= writes'),
  exact(
    'git shortlog',
    [`${LOG} -s -n -e --summary --numbered --email`, 'any', SIGNED],
    'git shortlog --output=FILE',
    '--output= writes',
  ),
  exact('git blame', ['-L: -w -C -M -e -s -l --date= --', 'any'], 'git blame --output=FILE', '--output= writes'),
  exact(
    'git branch',
    [`-a -r -v --all --remotes --list --show-current --verbose --sort= --format= ${HOLDING}`, 'none', SIGNED],
    'git branch -D main',
    '-D deletes',
  ),
  exact(
    'git tag',
    [`-l --list -n --sort= ${HOLDING}`, 'none', SIGNED],
    'git tag -d v1',
    '-d deletes, --sort=signature runs gpg',
  ),
  exact(
    'git for-each-ref',
    [`--format= --sort= --count= ${HOLDING}`, 'any', SIGNED],
    'git for-each-ref --sort=signature',
    'to tell of a signature it runs gpg',
  ),
  exact(
    'git remote',
    ['-v --verbose', 'none'],
    'git remote add x ext::sh',
    'its subcommands change where code comes from',
  ),
  exact('git remote get-url', ['--all --push', 'any'], 'git remote set-url', 'only reading is known to be harmless'),
  exact('git worktree list', ['--porcelain -v', 'none'], 'git worktree remove', 'only listing is harmless'),
  exact(
    'git reflog',
    ['-n: -# --date= --oneline --all', 'none'],
    'git reflog expire --all',
    'expire and delete lose work',
  ),
  exact(
    'git cat-file',
    ['-t -s -e -p', 'any'],
    'git cat-file --filters HEAD:x',
    '--filters runs the configured filters',
  ),
  exact(
    'git grep',
    ['-n -i -l -c -w -v -E -F -P -I -e: -A: -B: -C: --cached --no-color --heading --break --', 'any'],
    'git grep -Ocmd x',
    '-O runs a program on what it finds',
  ),
  exact('git --version', ['', 'none'], 'git --exec-path=DIR', 'options before the subcommand change what runs'),
  never('git push, git send-email, git request-pull', 'sends the repository elsewhere'),
  never('git fetch, git pull, git clone, git ls-remote, git submodule', 'runs --upload-pack, ext:: remotes and hooks'),
  never('git -C', 'moves to a directory whose settings may run programs'),
  never('git config, git -c, git --config-env, git --exec-path', 'settings of git name programs that it runs'),
  never('git reset, git clean, git checkout, git restore, git switch, git rm, git stash, git gc', 'loses work'),
  never('git add, git commit, git merge, git rebase, git cherry-pick, git apply, git am', 'writes, and runs hooks'),
  never('git', 'not one of the subcommands known to be harmless'),
]
