import { agent, bash, edit, fails, grep, on, queued, read, rest, say, session, shell, think } from '../script.ts'
import { user, type Session } from '../script.ts'

export const codexTidepool = (): readonly Session[] => [
  session('tide-offset', on('fix/tide-offset', 3, '10:15', 'large'), 'Tides are shown an hour late in summer', [
    user('The tide table shows high water an hour late since the clocks changed. Find out where the hour comes from.'),
    grep(
      'getTimezoneOffset|toLocaleTimeString',
      'src/tides/format.ts:14:  const shift = -new Date().getTimezoneOffset()',
    ),
    read(
      'src/tides/format.ts',
      'const shift = -new Date().getTimezoneOffset()\nreturn new Date(at + shift * 60_000).toISOString()',
    ),
    think(
      '**Finding the offset**\n\nThe offset of today is applied to times of other days, so it is wrong across a change of the clocks.',
    ),
    edit(
      'src/tides/format.ts',
      'const shift = -new Date().getTimezoneOffset()',
      'const shift = -new Date(at).getTimezoneOffset()',
    ),
    shell(`
      $ npx vitest run src/tides
       FAIL  src/tides/format.test.ts > last Sunday in October
      AssertionError: expected '02:40' to be '01:40'
      [1]`),
    think(
      '**Ambiguous hour**\n\nThe hour exists twice that night. The station gives UTC; formatting with the zone of the station needs no offset at all.',
    ),
    edit(
      'src/tides/format.ts',
      'new Date(at + shift * 60_000).toISOString()',
      'clock.format(at) // Intl, zone of the station',
    ),
    bash('npx vitest run src/tides', ' Test Files  4 passed (4)\n      Tests  31 passed (31)'),
    say(
      'The offset of *today* was added to the tides of *other* days. Times are now formatted in the zone of the station, which also settles the hour that exists twice.',
    ),
  ]),

  session('map-tiles', on('perf/tiles', 6, '14:05'), 'Map tiles are fetched twice', [
    user('Every map tile shows up twice in the network panel. Have a look around who asks for them.'),
    agent(
      'Find every place in src/map that requests a tile and report file and line.',
      [
        grep(
          'fetchTile\\(',
          'src/map/layer.ts:41:    void fetchTile(key)\nsrc/map/prefetch.ts:12:  keys.map((key) => fetchTile(key))',
        ),
        read('src/map/prefetch.ts', 'export const prefetch = (keys) => keys.map((key) => fetchTile(key))'),
      ],
      'Two callers: layer.ts:41 for what is on screen, prefetch.ts:12 for a ring around it. The ring includes the screen.',
    ),
    think('**The ring**\n\nPrefetch asks for the whole square, not for the ring alone.'),
    edit('src/map/prefetch.ts', 'keys.map(', 'keys.filter((key) => !onScreen(key)).map('),
    bash('npm test', 'Tests  118 passed (118)'),
    say('The ring that is fetched ahead included the tiles on screen. It now leaves them out: 25 requests became 16.'),
    rest(6),
    user('nice. does that change the offline pack?'),
    say('No. The pack is built by `scripts/pack.ts`, which lists its tiles itself and does not go through prefetch.'),
  ]),

  session('eresolve-again', on('chore/react-19', 11, '09:30'), 'Upgrade to React 19', [
    user('Upgrade React to 19. Tell me what stands in the way before you force anything.'),
    fails(
      'npm install react@19 react-dom@19',
      'npm error code ERESOLVE\nnpm error peer react@"^18" from react-chartist@4.2.0',
    ),
    queued('do not use --legacy-peer-deps please'),
    bash('npm view react-chartist versions --json | tail -3', '  "4.2.0",\n  "5.0.0-rc.1"\n]'),
    bash(
      'npm explain react-chartist',
      'react-chartist@4.2.0\nnode_modules/react-chartist\n  react-chartist@"^4.2.0" from the root project',
    ),
    say(
      'One package stands in the way: `react-chartist` 4 wants React 18, and 5 is a release candidate. We use it for one sparkline in `TideChart.tsx`; forty lines of SVG would replace it.',
    ),
  ]),
]
