import { UserError } from '../../model/errors.ts'
import { inertJson } from '../../model/inert.ts'
import { JSON_OPTION, type Command } from '../command.ts'
import { flag } from '../given.ts'

export const digest: Command = {
  name: 'digest',
  summary: 'print the digest of a session',
  details:
    'The digest is what stays of a session for good: docs/digest.md. Only reads; exit code 1 if there is none. `--json` prints it byte for byte as it is stored.',
  args: [{ name: 'id', help: 'which session', required: true }],
  options: [JSON_OPTION],
  examples: ['recall digest 3f2a9c1e', 'recall digest claude:17092961-… --json | jq .outcome'],
  async run({ recall, terminal }, args, given) {
    const json = await recall.digest(args[0] ?? '')
    if (json === null) {
      throw new UserError(
        'NOT_FOUND',
        `no digest of ${args[0]}`,
        '`recall analyze` writes the digests that are missing',
      )
    }
    if (flag(given, 'json')) terminal.exact(`${terminal.isTTY ? inertJson(json) : json}\n`)
    else terminal.line(inertJson(JSON.stringify(JSON.parse(json), null, 2)))
  },
}
