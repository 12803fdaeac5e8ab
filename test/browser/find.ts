import { existsSync } from 'node:fs'

const PLACES = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome']

/** Where a Chromium is, if there is one; `CHROME_PATH` says where alone to look. */
const given = process.env['CHROME_PATH']
export const browserProgram = (given === undefined ? PLACES : [given]).find((place) => existsSync(place))

/** Why pages cannot be looked at here; false if they can. */
export const noBrowser = browserProgram === undefined ? 'no Chromium on this machine' : (false as const)
