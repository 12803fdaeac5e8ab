import type { Labelled } from './script.ts'

/** Harder endings, from more ways of working: tests, commits, stops and complaints. */
export const SECOND_SET: readonly Labelled[] = [
  {
    name: 'committed without tests',
    shape: 'claude',
    outcome: 'success',
    script: `
      you: update the copyright year in all headers and commit
      run grep -rl 2025 src => ok
      edit src/a.ts
      edit src/b.ts
      run git commit -am "year" => commit aa11bb2
      says: Updated two files and committed.`,
  },
  {
    name: 'a quiet commit is the last act of the log',
    shape: 'codex',
    outcome: 'success',
    script: `
      you: commit what is staged with a good message
      run git diff --cached => ok
      run git commit -q -m "reader: keep order" => ok`,
  },
  {
    name: 'tests never ran, the agent says it is done',
    shape: 'grok',
    outcome: 'success',
    script: `
      you: add a dark mode toggle to the settings page
      read src/settings.tsx
      edit src/settings.tsx
      edit src/theme.css
      says: Added the toggle; it stores the choice in localStorage.`,
  },
  {
    name: 'docs touched up after a green run',
    shape: 'claude',
    outcome: 'success',
    script: `
      you: support globs in the ignore list
      edit src/ignore.ts
      run npm test => passed
      edit README.md
      says: Globs work, tests pass, README updated. Want me to open a PR?`,
  },
  {
    name: 'red, then edited, never run again',
    shape: 'claude',
    outcome: 'unknown',
    ends: 'red',
    script: `
      you: make the scheduler fair
      edit sched.py
      run pytest => failed
      edit sched.py
      says: I fixed the off-by-one; this should pass now.`,
  },
  {
    name: 'red only for reasons that were there before',
    shape: 'codex',
    outcome: 'unknown',
    ends: 'red',
    script: `
      you: add a health endpoint
      edit app/health.py
      run pytest -q => failed
      says: The endpoint works. The one failure is pre-existing and unrelated to this change: it also fails on main.`,
  },
  {
    name: 'red and committed on request',
    shape: 'claude',
    outcome: 'fail',
    ends: 'red',
    script: `
      you: switch the client to http2
      edit client.go
      run go test ./... => failed
      says: Three tests fail because the fake server speaks only HTTP/1.
      you: commit it anyway as wip
      run git commit -am wip => commit 00ff00f
      says: Committed as wip; the three tests are still failing.`,
  },
  {
    name: 'red in the middle of work, log ends there',
    shape: 'grok',
    outcome: 'fail',
    ends: 'red',
    script: `
      you: upgrade to react 19
      edit package.json
      edit src/app.tsx
      run npm test => failed
      thinks: The act warnings come from the old testing library.`,
  },
  {
    name: 'red long ago, much done since',
    shape: 'claude',
    outcome: 'success',
    script: `
      you: try whether the tests pass with node 24
      run npm test => failed
      says: Two tests fail with node 24, as feared.
      you: ok, leave node alone. write the changelog for 2.1
      edit CHANGELOG.md
      says: Written.
      you: and a migration page
      edit docs/migration.md
      says: Done, see docs/migration.md.
      you: add it to the sidebar
      edit docs/sidebar.json
      says: Added.`,
  },
  {
    name: 'subagent finds the tests red',
    shape: 'claude',
    outcome: 'fail',
    ends: 'red',
    script: `
      you: implement the cache and have it tested
      edit src/cache.ts
      call Task => ok
      sub run npm test => failed
      sub says: 4 of 40 tests fail.
      says: The cache is implemented, but four tests fail at the moment.`,
  },
  {
    name: 'green in a subagent',
    shape: 'claude',
    outcome: 'success',
    script: `
      you: implement the queue with tests
      call Task => ok
      sub edit src/queue.ts
      sub run npm test => passed
      sub says: All tests pass.
      says: The queue is in place and its tests pass.`,
  },
  {
    name: 'stopped while a call was running',
    shape: 'claude',
    outcome: 'abandoned',
    ends: 'interrupted',
    script: `
      you: run the migration
      run ./migrate.sh => error [Request interrupted by user for tool use]
      stop`,
  },
  {
    name: 'denied and stopped',
    shape: 'claude',
    outcome: 'abandoned',
    ends: 'interrupted',
    script: `
      you: clean up old branches
      run git branch -D old => denied
      stop`,
  },
  {
    name: 'denied and let be',
    shape: 'codex',
    outcome: 'abandoned',
    script: `
      you: publish the package
      run npm publish => denied
      says: Understood, I won't publish.`,
  },
  {
    name: 'denied once, found another way',
    shape: 'grok',
    outcome: 'success',
    script: `
      you: remove the generated files
      run rm -rf dist => denied
      edit .gitignore
      edit scripts/clean.sh
      run npm test => passed
      says: dist is ignored now and a clean script removes it.`,
  },
  {
    name: 'stopped after it was committed',
    shape: 'claude',
    outcome: 'abandoned',
    ends: 'interrupted',
    script: `
      you: fix the typo and commit
      edit README.md
      run git commit -am typo => commit 1234567
      says: Committed. Let me also reformat the whole file.
      edit README.md
      stop`,
  },
  {
    name: 'stopped with late results trickling in',
    shape: 'codex',
    outcome: 'abandoned',
    ends: 'interrupted',
    script: `
      you: search all repositories for the token
      run rg token /srv => open
      stop
      says: I was searching.
      cut`,
  },
  {
    name: 'stopped, then a slash command, then nothing',
    shape: 'claude',
    outcome: 'abandoned',
    ends: 'interrupted',
    script: `
      you: optimise the query planner
      edit planner.ts
      stop
      auto: /exit`,
  },
  {
    name: 'stopped twice, then done',
    shape: 'grok',
    outcome: 'success',
    script: `
      you: split the module
      edit a.py
      stop
      you: keep the public names
      edit a.py
      stop
      you: and no new files please
      edit a.py
      run pytest => passed
      says: Split inside the one file, public names kept; tests pass.`,
  },
  {
    name: 'the user wants it all undone',
    shape: 'codex',
    outcome: 'abandoned',
    script: `
      you: move the config to yaml
      edit config.py
      run pytest => passed
      says: Config is yaml now.
      you: hmm, too much churn. revert everything
      run git checkout . => ok
      says: Reverted all changes.`,
  },
  {
    name: 'gives up in Russian',
    shape: 'claude',
    outcome: 'abandoned',
    script: `
      you: почини сборку на windows
      edit build.ps1
      says: Готово, попробуйте ещё раз.
      you: не работает. ладно, сделаю сам
      says: Хорошо.`,
  },
  {
    name: 'leaves in anger',
    shape: 'grok',
    outcome: 'abandoned',
    script: `
      you: why is the header misaligned? fix it
      edit header.css
      says: Aligned.
      you: no, now it's worse
      edit header.css
      says: I adjusted the margin.
      you: this is useless, never mind`,
  },
  {
    name: 'complaint, then fixed and green',
    shape: 'claude',
    outcome: 'success',
    script: `
      you: parse durations like 1h30m
      edit duration.ts
      says: Done.
      you: doesn't work for 90s
      edit duration.ts
      run npm test => passed
      says: 90s is parsed too now; I added a test and all pass.`,
  },
  {
    name: 'complaint, then another untested edit',
    shape: 'codex',
    outcome: 'unknown',
    script: `
      you: the tooltip is cut off, fix it
      edit tooltip.css
      says: Fixed.
      you: still cut off on mobile
      edit tooltip.css
      says: I raised the z-index on small screens.`,
  },
  {
    name: 'thanks without an answer',
    shape: 'claude',
    outcome: 'success',
    script: `
      you: which port does the dev server use?
      read vite.config.ts
      says: 5173, set in vite.config.ts.
      you: thanks`,
  },
  {
    name: 'thanks in German',
    shape: 'codex',
    outcome: 'success',
    script: `
      you: kannst du die README kürzen
      edit README.md
      says: Gekürzt auf die Hälfte.
      you: super, danke!
      says: Gern.`,
  },
]
