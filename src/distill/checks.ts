import type { DigestEvent } from '../model/digest.ts'
import { basename, commandsIn } from './shell.ts'

const CHECKERS: ReadonlySet<string> = new Set(
  [
    'tsc vue-tsc svelte-check eslint oxlint biome stylelint mypy pyright ruff flake8 pylint rubocop golangci-lint',
    'shellcheck hadolint ktlint swiftlint phpstan psalm make cmake ninja webpack rollup vite tsup javac xcodebuild',
  ].flatMap((line) => line.split(' ')),
)
const BUILDERS: ReadonlySet<string> = new Set(
  'npm pnpm yarn bun npx deno cargo go mvn gradle gradlew dotnet docker swift mix turbo nx just'.split(' '),
)
const TASK =
  /(?<![\w-])(?:(?:type-?)?check|types|lint|clippy|build|compile|vet|tsc|eslint|oxlint|fmt --check)(?:[:\s]|$)/

/** One pass that rules out nearly all commands. */
const MAY_CHECK =
  /tsc|lint|check|type|build|compile|clippy|vet|make|ninja|mypy|pyright|ruff|flake8|rubocop|biome|phpstan|psalm|webpack|rollup|vite|tsup|javac/

/**
 * What a build, a type check or a linter is called, so that a later run of the same can be told; null for any other
 * call. A run of tests is none: it has a verdict of its own.
 */
export function checkOf({ kind, text }: Pick<DigestEvent, 'kind' | 'text'>): string | null {
  return kind === 'test_run' || text === null ? null : checkIn(text)
}

/** The first of them in a command line. */
export function checkIn(command: string): string | null {
  if (!MAY_CHECK.test(command)) return null
  for (const [path = '', ...args] of commandsIn(command)) {
    const name = basename(path)
    if (CHECKERS.has(name)) return name
    const task = BUILDERS.has(name) ? TASK.exec(args.join(' '))?.[0].trim() : undefined
    if (task !== undefined) return `${name} ${task}`
  }
  return null
}
