import { bash, denied, edit, fails, grep, interrupt, on, read, say, session, shell, think } from '../script.ts'
import { unread, user, write, type Session } from '../script.ts'

/** A long test report: an output nobody wants to read twice. */
function redPytest(): string {
  const tables = ['stations', 'readings', 'tides', 'alerts', 'sensors', 'outages', 'forecasts', 'calibrations']
  const failures = ['extract', 'clean', 'join', 'rollup', 'publish'].flatMap((stage) =>
    tables.map((table) => {
      const error = `ObjectNotExecutableError: Not an executable object: 'SELECT max(day) FROM ${table}'`
      return `FAILED tests/${stage}/test_${table}.py::test_is_idempotent - sqlalchemy.exc.${error}`
    }),
  )
  return [...failures, '40 failed, 272 passed in 48.20s'].join('\n')
}

export const tidepool = (): readonly Session[] => [
  session('timezone', on('fix/day-boundary', 2, '10:05'), 'Daily rollup loses an hour of readings', [
    user(
      'The daily rollup for Lisbon has only 23 hours of readings since the clocks changed. Other stations are fine??',
    ),
    grep('tz_localize|astimezone', 'tidepool/rollup.py:27:    day = ts.dt.tz_localize(station.tz).dt.date'),
    think('tz_localize relabels, it does not convert. Lisbon is UTC in winter, so nobody saw it before summer time.'),
    say(`
      \`tz_localize\` stamps a time zone on UTC times without shifting them. In winter Lisbon equals UTC, so it went
      unseen; the other stations store local time.`),
    edit('tidepool/rollup.py', 'tz_localize(station.tz)', 'tz_localize("UTC").dt.tz_convert(station.tz)'),
    shell(`
      $ pytest tests/rollup -q
      E   AmbiguousTimeError: Cannot infer dst time from 2025-10-26 01:30:00, try using the 'ambiguous' argument
      1 failed, 43 passed in 3.91s
      [1]`),
    say('That fixture feeds local times. It has to be UTC like the real feed.'),
    edit('tests/rollup/conftest.py', 'tz="Europe/Lisbon"', 'tz="UTC"'),
    bash('pytest tests/rollup -q', '44 passed in 3.77s'),
    bash('git status --short', ' M tests/rollup/conftest.py\n M tidepool/rollup.py'),
    bash('git commit -qam "rollup: convert to station time before cutting days"'),
    say('Days are cut in station time now. Recompute Lisbon from the last Sunday of March on.'),
  ]),

  session('umlaute', on('fix/csv-encoding', 9, '08:35'), 'CSV-Import zerstört Umlaute', [
    user(`
      Beim CSV-Import vom Pegelamt werden aus Umlauten lauter Fragezeichen, "M?hlenbach" statt "Mühlenbach". Bitte
      Ursache suchen und beheben.`),
    bash('file -i inbox/pegel.csv', 'inbox/pegel.csv: text/plain; charset=iso-8859-1'),
    read('tidepool/pegel.py', 'pd.read_csv(path, sep=";", encoding="utf-8", encoding_errors="replace")'),
    think('Die Datei ist Windows-1252, gelesen wird sie als UTF-8, und "replace" versteckt den Fehler.'),
    edit('tidepool/pegel.py', 'encoding="utf-8", encoding_errors="replace"', 'encoding="cp1252"'),
    bash('pytest tests/test_pegel.py -q', '9 passed in 0.84s'),
    say(`
      Die Datei kommt in Windows-1252, wurde aber als UTF-8 gelesen, und \`encoding_errors="replace"\` hat den Fehler
      verschluckt. Jetzt wird sie mit \`cp1252\` gelesen, und ein falsches Zeichen bricht den Import laut ab.`),
    user('Danke! Was ist mit den schon importierten Namen?'),
    bash('psql tidepool -Atc "select count(*) from stations where name like \'%?%\'"', '17'),
    say('17 Stationen. Einfach neu importieren: der Abgleich läuft über die Pegelnummer und ändert nur den Namen.'),
  ]),

  session('sqlalchemy-2', on('chore/sqlalchemy-2', 16, '13:15'), 'Upgrade SQLAlchemy from 1.4 to 2.0', [
    user('Upgrade sqlalchemy to 2.0, get the tests green, keep the diff boring.'),
    bash('pip install -q "sqlalchemy>=2.0,<2.1" && pip check', 'No broken requirements found.'),
    fails('pytest -q', redPytest()),
    think('One cause behind forty failures: raw strings passed to execute. One place runs SQL, wrap them there.'),
    say('Forty failures, one cause: 2.0 no longer executes plain strings.'),
    unread('tidepool/db.py', 'conn.execute(sql, params)', 'conn.execute(text(sql), params)'),
    read('tidepool/db.py', 'def run(conn, sql, **params):\n    return conn.execute(sql, params)'),
    edit('tidepool/db.py', 'conn.execute(sql, params)', 'conn.execute(text(sql), params)'),
    bash('pytest -q', '312 passed in 46.02s'),
    bash('git status --short', ' M pyproject.toml\n M tidepool/db.py'),
    say('Green. Two files: the version, and one `text()` in tidepool/db.py.'),
  ]),

  session('backfill', on('feat/backfill', 6, '14:25', 'large'), 'Backfill fourteen months of readings', [
    user('Backfill readings from January last year on. The last try died after 20 minutes.'),
    shell(`
      $ python -m tidepool backfill --from 2025-01-01
      loading 411 days into one frame ...
      Killed
      [137]`),
    say('It runs out of memory. I will drop the readings table and load it again month by month.'),
    denied('psql tidepool -c "drop table readings"'),
    user('NO. never drop readings, alerts are computed from it live. upsert month by month instead'),
    think('Right: an upsert on (station, at) leaves live rows alone and can be repeated.'),
    write('tidepool/backfill.py', 'for m in months:\n    upsert(read(m), "readings", key=["station", "at"])'),
    bash('python -m tidepool backfill --from 2025-01-01 --dry-run', '14 months, 38,912,006 rows, peak memory 610 MB'),
    say('Now for real; this will take about two hours.'),
    interrupt(),
    user('wait, not from my laptop on the train. just commit it, the job can run on the cluster tonight'),
    bash('git add -A && git commit -qm "backfill: month by month, upsert only"'),
    say('Committed. Peak memory was 610 MB, and the job can be stopped and repeated at any point.'),
  ]),

  session('dedupe-red', on('feat/dedupe', 1, '15:30'), 'Deduplicate late sensor readings', [
    user('Sensors resend readings after an outage. Deduplicate by (sensor, seq), the latest wins. The test is there.'),
    fails('pytest tests/test_dedupe.py -q', 'FAILED test_latest_wins - assert 11.8 == 12.4\n1 failed, 6 passed'),
    edit('tidepool/clean.py', 'drop_duplicates(KEY)', 'sort_values("received").drop_duplicates(KEY, keep="last")'),
    fails('pytest tests/test_dedupe.py -q', 'FAILED test_latest_wins - assert 11.8 == 12.4\n1 failed, 6 passed'),
    think('seq restarts at 0 after a reboot, so (sensor, seq) is no key at all.'),
    edit('tidepool/clean.py', '["sensor", "seq"]', '["sensor", "boot_id", "seq"]'),
    fails('pytest tests/test_dedupe.py -q', "FAILED test_latest_wins - KeyError: 'boot_id'\n1 failed, 6 passed"),
    say(`
      Still red. \`seq\` starts again at zero after a reboot and the feed carries no boot id, so the two readings cannot
      be told apart. The firmware would have to send one.`),
  ]),
]
