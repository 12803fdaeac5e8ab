/** Tools with subcommands, and those of their options that take the next word as a value. */
const SUBCOMMAND_TOOLS: ReadonlyMap<string, ReadonlySet<string>> = optionSets([
  ['git', '-C -c --git-dir --work-tree --namespace --super-prefix --config-env --attr-source'],
  [
    'kubectl',
    '-n --namespace --context --cluster --user --kubeconfig -s --server --token --as --as-group --as-uid -v --v ' +
      '--request-timeout --certificate-authority --client-certificate --client-key --cache-dir --tls-server-name',
  ],
  ['docker', '-c --context -H --host --config -l --log-level --tlscacert --tlscert --tlskey'],
  ['npm', '--prefix -C -w --workspace --registry --userconfig --cache --loglevel --tag --otp --omit --include --scope'],
  ['yarn', '--cwd --registry --cache-folder --modules-folder --mutex --network-timeout --use-yarnrc'],
  ['pnpm', '-C --dir -F --filter --filter-prod --reporter --loglevel --store-dir --workspace-concurrency --registry'],
  ['cargo', '-C -Z --color --config --manifest-path'],
  ['go', '-C'],
  ['uv', '--directory --project --config-file --cache-dir --color --python --python-preference --allow-insecure-host'],
  ['pip', '--proxy --retries --timeout --log --python --cert --client-cert --cache-dir --exists-action --trusted-host'],
  ['brew', ''],
  ['apt', '-o --option -c --config-file -t --target-release --default-release -a --host-architecture'],
  ['systemctl', '-H --host -M --machine -t --type -p --property --state -n --lines -o --output -s --signal --root'],
])

const IN_DOCKER =
  '-e --env --env-file -u --user -w --workdir -v --volume -p --publish --name --network --entrypoint --mount --platform ' +
  '-m --memory --cpus -h --hostname -l --label --gpus --add-host --restart --pull --ipc --pid --ulimit --cap-add ' +
  '--cap-drop --shm-size --security-opt --device --dns --tmpfs --volumes-from --log-driver --index --detach-keys'
/** Commands that run the command in their arguments, and those of their options that take a value. */
const WRAPPERS: ReadonlyMap<string, ReadonlySet<string>> = optionSets([
  ['sudo', '-u --user -g --group -h --host -p --prompt -C -D --chdir -R -T -U -r -t'],
  ['doas', '-u -C'],
  ['env', '-u --unset -C --chdir'],
  ['time', '-f --format -o --output'],
  ['timeout,gtimeout', '-s --signal -k --kill-after'],
  ['nohup,setsid,unbuffer,builtin,command,cross-env,pnpx,pnpm exec,yarn exec,bun x,busybox,toybox,valgrind', ''],
  ['poetry run,pipenv run,rye run,bundle exec,mise exec', ''],
  ['nice,ionice', '-n --adjustment -c'],
  ['stdbuf', '-i -o -e'],
  ['caffeinate', '-t -w'],
  ['xvfb-run', '-n -s -e -f -p -w'],
  ['exec', '-a'],
  ['xargs', '-I -J -n -P -d -L -s -a -E --max-args --max-procs --max-lines --delimiter --arg-file'],
  ['parallel', '-j --jobs -a --arg-file -I -n -N -S --delay --retries'],
  ['strace,ltrace', '-o -e -s -u -E -P -I -O -S -a -b -p'],
  ['flock', '-w --timeout -E --conflict-exit-code'],
  ['chroot', ''],
  ['sshpass', '-p -f -d'],
  ['npx,bunx,npm exec,pnpm dlx,yarn dlx', '-p --package -w --workspace'],
  ['uvx', '--from --with -p --python --index --with-requirements'],
  ['uv run', '--with --with-editable -p --python --extra --group --project --directory --package --env-file --index'],
  ['uv tool', '--from --with -p --python --index --with-requirements'],
  ['pdm run', '-p --project'],
  ['conda run,mamba run,micromamba run', '-n --name -p --prefix --cwd'],
  ['rustup run,direnv exec', ''],
  ['dotenv', '-e -f -p'],
  ['nyc,c8', '-r --reporter --include --exclude'],
  ['docker exec,docker run,podman exec,podman run', IN_DOCKER],
  ['docker compose,docker-compose', `${IN_DOCKER} -f --file --profile --project-directory`],
  ['kubectl exec', '-n --namespace -c --container --context'],
])
/** Words of their own that these take before the command. */
const OPERANDS: Readonly<Record<string, number>> = {
  timeout: 1,
  gtimeout: 1,
  flock: 1,
  chroot: 1,
  'rustup run': 1,
  'direnv exec': 1,
  'docker exec': 1,
  'docker run': 1,
  'podman exec': 1,
  'podman run': 1,
  'docker compose': 2,
  'docker-compose': 2,
  'uv tool': 1,
  'kubectl exec': 1,
}
/** What the first of those words must be for a command to follow. */
const ONLY_IF: Readonly<Record<string, RegExp>> = {
  'docker compose': /^(exec|run)$/,
  'docker-compose': /^(exec|run)$/,
  'uv tool': /^run$/,
}

/** What takes a whole script: as the value of one of these options, or, with none named, as the rest of its words. */
const SCRIPT_IN: ReadonlyMap<string, ReadonlySet<string>> = optionSets([
  ['su,runuser', '-c --command'],
  ['env', '-S --split-string'],
  ['npx,npm exec', '-c --call'],
  ['eval,ssh,watch', ''],
])
const REST_OPTIONS: ReadonlyMap<string, ReadonlySet<string>> = optionSets([
  ['ssh', '-p -i -o -l -F -L -R -D -J -c -m -b -e -E -I -O -Q -S -w -W -B'],
  ['watch', '-n --interval -q --equexit'],
])
/** After these words a command stands, up to `;` or `+`. */
const EACH: ReadonlyMap<string, ReadonlySet<string>> = optionSets([
  ['find,gfind', '-exec -execdir -ok -okdir'],
  ['fd,fdfind', '-x -X --exec --exec-batch'],
])

export function basename(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1)
}

export function hasSubcommands(tool: string): boolean {
  return SUBCOMMAND_TOOLS.has(tool)
}

/** Where the subcommand stands in the words of a command, past the options of its tool; -1 if there is none. */
export function subcommandIndex(words: readonly string[]): number {
  const valued = SUBCOMMAND_TOOLS.get(basename(words[0] ?? ''))
  for (let i = 1; i < words.length; i++) {
    const word = words[i]!
    if (word === '--') return -1
    if (valued?.has(word) === true) i++
    else if (!/^[-+]/.test(word)) return i
  }
  return -1
}

/** Words of the command that a wrapper runs; empty if it is no wrapper or runs nothing. */
export function innerCommand(words: readonly string[]): string[] {
  const name = basename(words[0] ?? '')
  const at = WRAPPERS.has(name) ? 0 : subcommandIndex(words)
  const key = at > 0 ? `${name} ${words[at]}` : name
  const valued = WRAPPERS.get(key)
  if (valued === undefined || at < 0) return []
  if (name === 'command' && /^-[vV]$/.test(words[1] ?? '')) return []
  let operands = OPERANDS[key] ?? 0
  let only = ONLY_IF[key]
  for (let i = at + 1; i < words.length; i++) {
    const word = words[i]!
    if (word === '--') return words.slice(i + 1 + operands)
    if (valued.has(word)) i++
    else if (/^-|^\w+=/.test(word)) continue
    else if (only?.test(word) === false) return []
    else if (operands-- === 0) return words.slice(i)
    else only = undefined
  }
  return []
}

const SHELLS: ReadonlySet<string> = new Set(['bash', 'sh', 'zsh', 'dash', 'ksh'])

/** `bash -c 'a && b'` runs a script; `bash run.sh` runs the command ./run.sh. Null if it is no shell, or runs neither. */
export function runByShell(words: readonly string[]): { script: string } | { command: string[] } | null {
  if (!SHELLS.has(basename(words[0] ?? ''))) return null
  for (let i = 1; i < words.length; i++) {
    const word = words[i]!
    if (/^-[a-z]*c$/.test(word)) return { script: words[i + 1] ?? '' }
    if (/^[-+][a-zA-Z]*[oO]$/.test(word)) i++
    else if (!word.startsWith('-')) return { command: [word.includes('/') ? word : `./${word}`, ...words.slice(i + 1)] }
  }
  return null
}

/** Scripts that a command hands to a shell, as text: `eval`, `ssh host …`, `su -c` and their like. */
export function scriptsIn(words: readonly string[]): string[] {
  const name = basename(words[0] ?? '')
  const sub = words[subcommandIndex(words)]
  const options = SCRIPT_IN.get(name) ?? SCRIPT_IN.get(`${name} ${sub}`)
  if (options === undefined) return []
  if (options.has('')) return [restOf(name, words)].filter((script) => script !== '')
  const script = words[words.findIndex((word, i) => i > 0 && options.has(word)) + 1]
  return script === undefined || script === words[0] ? [] : [script]
}

/** Commands that it runs for each thing it finds. */
export function commandsForEach(words: readonly string[]): string[][] {
  const starts = EACH.get(basename(words[0] ?? ''))
  const found: string[][] = []
  let command: string[] | null = null
  for (const word of starts === undefined ? [] : words) {
    if (command !== null && (word === ';' || word === '+')) command = null
    else if (command !== null) command.push(word)
    else if (starts?.has(word) === true) found.push((command = []))
  }
  return found.filter((one) => one.length > 0)
}

function restOf(name: string, words: readonly string[]): string {
  const valued = REST_OPTIONS.get(name)
  if (valued === undefined) return words.slice(1).join(' ')
  let at = 1
  while (words[at]?.startsWith('-') === true) at += valued.has(words[at] ?? '') ? 2 : 1
  return words.slice(name === 'ssh' ? at + 1 : at).join(' ')
}

function optionSets(rows: readonly (readonly [names: string, options: string])[]): Map<string, Set<string>> {
  return new Map(
    rows.flatMap(([names, options]) => names.split(',').map((name) => [name, new Set(options.split(' '))])),
  )
}
