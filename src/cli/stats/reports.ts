import type { Command } from '../command.ts'
import { bash } from './bash.ts'
import { errors } from './errors.ts'
import { files } from './files.ts'
import { models } from './models.ts'
import { time } from './time.ts'
import { tokens } from './tokens.ts'
import { tools } from './tools.ts'

/** THE list of reports of `recall stats`. */
export const REPORTS: readonly Command[] = [tools, bash, tokens, errors, models, files, time]
