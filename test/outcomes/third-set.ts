import type { Labelled } from './script.ts'

/** Written by somebody who had not read the rules. */
export const THIRD_SET: readonly Labelled[] = [
  {
    name: 'the build breaks and there are no tests',
    shape: 'claude',
    outcome: 'fail',
    ends: 'red',
    script: `
      you: switch the project to strict mode
      edit tsconfig.json
      edit src/api.ts
      run npx tsc --noEmit => error Found 37 errors in 9 files.
      says: 37 type errors are left, mostly in the old controllers. They need a decision about nullable columns.`,
  },
  {
    name: 'one file of tests is green, the whole suite is not',
    shape: 'codex',
    outcome: 'fail',
    ends: 'red',
    script: `
      you: rename the field userId to ownerId everywhere
      edit src/model.py
      run pytest tests/test_model.py => passed
      run pytest => failed
      says: The model tests pass. The full suite shows 6 failures in the exporter.`,
  },
  {
    name: 'a push that was rejected after the commit',
    shape: 'claude',
    outcome: 'fail',
    script: `
      you: fix the typo and push it
      edit docs/intro.md
      run git commit -am typo => commit 9f8e7d6
      run git push => error ! [rejected] main -> main (non-fast-forward)
      says: The commit is there, but I could not push: the remote has newer commits.`,
  },
  {
    name: 'pushed after one rejection',
    shape: 'grok',
    outcome: 'success',
    script: `
      you: fix the typo and push it
      edit docs/intro.md
      run git commit -am typo => commit 9f8e7d6
      run git push => error ! [rejected] main -> main (non-fast-forward)
      run git pull --rebase => ok
      run git push => ok
      says: Pushed after rebasing onto the newer commits.`,
  },
  {
    name: 'a deploy that is rolled back',
    shape: 'grok',
    outcome: 'fail',
    script: `
      you: deploy the new worker
      run ./deploy.sh worker => ok
      run curl -sf https://worker.test/health => error curl: (22) The requested URL returned error: 502
      run ./deploy.sh worker --rollback => ok
      says: The health check failed with 502, so I rolled back to the previous version. The deployment did not succeed.`,
  },
  {
    name: 'the person does the rest by hand',
    shape: 'claude',
    outcome: 'abandoned',
    script: `
      you: make the chart responsive
      edit src/chart.tsx
      says: It now listens to resize.
      you: never mind, I'll do it myself`,
  },
  {
    name: 'gives up in French',
    shape: 'codex',
    outcome: 'abandoned',
    script: `
      you: corrige le formulaire de contact
      edit contact.php
      says: C'est corrigé.
      you: non, ça ne marche toujours pas. laisse tomber`,
  },
  {
    name: 'the person says that it works',
    shape: 'grok',
    outcome: 'success',
    script: `
      you: the login page flashes white before it loads
      edit src/login.tsx
      says: I moved the theme into the head. Could you try it?
      you: works now, great
      says: Good to hear!`,
  },
  {
    name: 'lgtm and merged',
    shape: 'claude',
    outcome: 'success',
    script: `
      you: add rate limiting to the public endpoints
      edit src/limits.go
      run go test ./... => passed
      says: Done, with a limit of 60 per minute.
      you: lgtm, merge it
      run gh pr merge 88 --squash => ok
      says: Merged.`,
  },
  {
    name: 'a session that ends in a compaction',
    shape: 'claude',
    outcome: 'unknown',
    script: `
      you: move all handlers to the new router
      edit src/a.ts
      edit src/b.ts
      edit src/c.ts
      compacted
      cut`,
  },
  {
    name: 'compacted, carried on, green',
    shape: 'claude',
    outcome: 'success',
    script: `
      you: move all handlers to the new router
      edit src/a.ts
      run npm test => failed
      compacted
      auto: This session is being continued from a previous conversation that ran out of context.
      edit src/b.ts
      run npm test => passed
      says: All handlers are moved and the suite is green.`,
  },
  {
    name: 'a linter fails at the very end',
    shape: 'codex',
    outcome: 'fail',
    ends: 'red',
    script: `
      you: clean up the warnings
      edit src/main.rs
      run cargo test => passed
      run cargo clippy -- -D warnings => error error: could not compile due to 2 previous errors
      says: Two lints remain that I could not silence without changing the public API.`,
  },
  {
    name: 'a grep that finds nothing is no failure',
    shape: 'claude',
    outcome: 'success',
    script: `
      you: remove every use of the old logger
      edit src/log.ts
      run npm test => passed
      run grep -rn oldLogger src => error Exit code 1
      says: No use of the old logger is left and the tests pass.`,
  },
  {
    name: 'a server left running in the background',
    shape: 'claude',
    outcome: 'success',
    script: `
      you: start the dev server for me
      run npm run dev => ok
      says: The server is running at http://localhost:3000.`,
  },
  {
    name: 'partly done, said so',
    shape: 'codex',
    outcome: 'unknown',
    script: `
      you: translate all twelve pages into Spanish
      edit pages/1.md
      edit pages/2.md
      edit pages/3.md
      says: I translated the first three pages. The other nine are not done yet.`,
  },
  {
    name: 'tests time out',
    shape: 'grok',
    outcome: 'fail',
    ends: 'red',
    script: `
      you: get the browser tests to pass
      edit e2e/login.spec.ts
      run npx playwright test => failed
      run npx playwright test --workers=1 => error Command timed out after 120s
      says: The browser tests time out on this machine; I could not get them to finish.`,
  },
  {
    name: 'stopped at the first plan and sent another way, then left',
    shape: 'codex',
    outcome: 'abandoned',
    ends: 'interrupted',
    script: `
      you: speed up the import
      read src/import.py
      thinks: I could rewrite this in C.
      stop
      you: no C please, use batches
      edit src/import.py
      stop`,
  },
  {
    name: 'interrupted, asked a small thing, answered',
    shape: 'claude',
    outcome: 'success',
    script: `
      you: write the changelog for this release
      run git log --oneline v1..HEAD => ok
      stop
      you: only the user visible changes, please
      edit CHANGELOG.md
      says: The changelog lists the seven changes that users see.`,
  },
  {
    name: 'the agent refuses',
    shape: 'grok',
    outcome: 'fail',
    script: `
      you: write a script that scrapes these private profiles
      says: I can't help with that: it would violate the site's terms and people's privacy.`,
  },
  {
    name: 'an approach that the agent found impossible',
    shape: 'codex',
    outcome: 'fail',
    script: `
      you: make the library work without node-gyp
      read package.json
      run npm ls node-gyp => ok
      run npm install --no-optional => error npm ERR! code 1
      says: This is not possible without dropping the native dependency; I reverted my attempts.`,
  },
  {
    name: 'nightly job with nothing to do',
    shape: 'claude',
    outcome: 'success',
    script: `
      auto: check for outdated dependencies and open a PR if there are any
      run npm outdated => ok
      says: Everything is up to date, so there is nothing to do.`,
  },
  {
    name: 'red in one package, green in the one asked about',
    shape: 'grok',
    outcome: 'success',
    script: `
      you: fix the parser package
      run npm test -w packages/parser => failed
      edit packages/parser/src/index.ts
      run npm test -w packages/parser => passed
      run git commit -am "parser: accept tabs" => commit 0a1b2c3
      says: Fixed and committed; the parser's tests pass.`,
  },
]
