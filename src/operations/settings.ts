import { settingsInForce, type SettingInForce } from '../settings/origins.ts'
import { operation } from './operation.ts'
import { choice, list, nullable, object, text } from './schema.ts'

export const settings = operation({
  name: 'settings',
  summary: 'what is set, and who said so',
  effect: 'reads',
  input: object({}),
  output: object({
    config: text('the file that may say so'),
    settings: list(
      object({
        key: text(),
        value: text(),
        from: choice(['default', 'config', 'environment', 'flag']),
        where: nullable(text()),
        help: text(),
      }),
    ),
  }),
  async run({ settings: inForce, env }): Promise<{ config: string; settings: SettingInForce[] }> {
    return { config: inForce.configPath, settings: await settingsInForce(inForce, env) }
  },
  document: (found) => found,
})
