import path from 'node:path'
import { UserError } from '../../model/errors.ts'
import { inertLine } from '../../model/inert.ts'
import { JSON_OPTION, type Command, type Context } from '../command.ts'
import { flag } from '../given.ts'

export const env: Command = {
  name: 'env',
  summary: 'print what correlates a session with other tools, for `eval`',
  details:
    'Prints `export HELIX_…` lines from the digest of a session, one a line and quoted for any shell; what is not known is empty, with `--json` null. ' +
    'Without a digest: exit code 1 and nothing on standard output.',
  args: [{ name: 'id', help: 'which session', required: false }],
  options: [
    { flags: '--last', help: 'the latest session that has a digest; with --sweep: the latest of all' },
    { flags: '--sweep', help: 'write the digest first, though the session may not rest yet' },
    JSON_OPTION,
  ],
  examples: ['eval "$(recall env --last)"', 'recall env claude:17092961-… --sweep'],
  async run({ recall, terminal, settings }, args, given) {
    const isMade = flag(given, 'sweep')
    if (isMade) await recall.sweep({ wait: true })
    const id = args[0] ?? (await lastUid(recall, isMade))
    if (isMade && id !== null) await recall.analyze({ wait: true, session: await recall.find(id) })
    const json = id === null ? null : await recall.digest(id)
    if (json === null) {
      const message = id === null ? 'no session has a digest yet' : `no digest of ${id}`
      const hint = isMade ? '`recall list` shows what there is' : 'run `recall sweep`, or use --sweep'
      throw new UserError('NOT_FOUND', message, hint)
    }
    const variables = variablesOf(json, path.resolve(settings.storePath))
    if (flag(given, 'json')) return terminal.json(variables)
    for (const [name, value] of Object.entries(variables))
      terminal.line(`export ${name}=${quoted(inertLine(String(value ?? '')))}`)
  },
}

/** The latest session that has a digest, or that can be given one. */
async function lastUid(recall: Context['recall'], isMade: boolean): Promise<string | null> {
  const { sessions } = await recall.list({ limit: 0, hidden: true })
  const latest = sessions.filter((session) => session.analyzedAt !== null || (isMade && session.eventCount > 0))
  latest.sort((a, b) => (b.endedAt ?? 0) - (a.endedAt ?? 0) || (a.uid < b.uid ? -1 : 1))
  return latest[0]?.uid ?? null
}

function variablesOf(json: string, storePath: string): Record<string, string | number | null> {
  const digest = JSON.parse(json) as {
    session_uid: string
    repo: string | null
    flavor: string
    cost: { input_tokens: number | null; output_tokens: number | null }
    infra_overhead_share: number | null
  }
  const { input_tokens: input, output_tokens: output } = digest.cost
  return {
    HELIX_SESSION_UID: digest.session_uid,
    HELIX_REPO: digest.repo,
    HELIX_FLAVOR: digest.flavor,
    HELIX_TOKENS: input === null && output === null ? null : (input ?? 0) + (output ?? 0),
    HELIX_INFRA_OVERHEAD_SHARE: digest.infra_overhead_share,
    HELIX_STORE_DB: storePath,
  }
}

/** Safe in any POSIX shell, whatever it holds. */
function quoted(value: string): string {
  return /^[\w@%+=:,./-]+$/.test(value) ? value : `'${value.replaceAll("'", `'\\''`)}'`
}
