import type { Labelled } from './script.ts'

/** Endings that only words, errors or the want of an answer tell. */
export const SECOND_SET_WORDS: readonly Labelled[] = [
  {
    name: 'an explanation with an offer',
    shape: 'grok',
    outcome: 'success',
    script: `
      you: how does the lock work?
      read src/lock.ts
      says: It writes its pid to a file and checks whether that process lives. Would you like me to add a diagram?`,
  },
  {
    name: 'a review',
    shape: 'claude',
    outcome: 'success',
    script: `
      you: review this branch for security problems
      run git diff main... => ok
      read src/auth.ts
      says: Two findings. 1. The token is compared with ==. 2. The redirect is not checked. The rest looks sound.`,
  },
  {
    name: 'a plan that waits for a word',
    shape: 'claude',
    outcome: 'abandoned',
    script: `
      you: restructure the monorepo
      read package.json
      run ls packages => ok
      says: There are two ways: workspaces or one package. Which one do you prefer?`,
  },
  {
    name: 'missing credentials',
    shape: 'codex',
    outcome: 'abandoned',
    script: `
      you: deploy to staging
      run ./deploy.sh staging => error AWS credentials not found
      says: The deploy needs AWS credentials. Please provide a profile name, then I can continue.`,
  },
  {
    name: 'could not reproduce, nothing changed',
    shape: 'claude',
    outcome: 'fail',
    script: `
      you: fix the crash on start
      run npm start => ok
      read src/main.ts
      says: I could not reproduce the crash, so I have not changed anything. A stack trace would help.`,
  },
  {
    name: 'a streak of errors and a shrug',
    shape: 'grok',
    outcome: 'fail',
    script: `
      you: build the docker image
      run docker build . => error failed to solve: not found
      run docker build --no-cache . => error failed to solve: not found
      run docker pull node:99 => error manifest unknown
      says: The base image node:99 does not exist in the registry.`,
  },
  {
    name: 'errors on the way, fine at the end',
    shape: 'codex',
    outcome: 'success',
    script: `
      you: install the linter and run it
      run npm i -D oxlint => error EAI_AGAIN
      run npm i -D oxlint => error EAI_AGAIN
      run npm i -D oxlint => ok
      run npx oxlint => ok
      says: Installed; the linter reports nothing.`,
  },
  {
    name: 'the service hiccups and recovers',
    shape: 'claude',
    outcome: 'success',
    script: `
      you: write tests for the money type
      crash API Error: Connection error.
      thinks: Back to the tests.
      edit money.test.ts
      run npm test => passed
      says: Six tests, all green.`,
  },
  {
    name: 'the service fails, the user says continue',
    shape: 'grok',
    outcome: 'success',
    script: `
      you: translate the strings to French
      edit fr.json
      crash overloaded
      you: continue
      edit fr.json
      says: All 120 strings are translated.`,
  },
  {
    name: 'prompt too long',
    shape: 'claude',
    outcome: 'fail',
    script: `
      you: read all logs and find the leak
      read logs/1.txt
      compacted
      read logs/2.txt
      crash Prompt is too long`,
  },
  {
    name: 'out of budget',
    shape: 'codex',
    outcome: 'unknown',
    script: `
      you: keep improving the score
      edit model.py
      note turn aborted: budget_limited`,
  },
  {
    name: 'still thinking',
    shape: 'grok',
    outcome: 'unknown',
    script: `
      you: prove that the algorithm terminates
      thinks: Let me consider the measure.`,
  },
  {
    name: 'a plan shown for approval, never decided',
    shape: 'claude',
    outcome: 'unknown',
    script: `
      you: plan the rewrite of the scheduler
      read sched.ts
      call ExitPlanMode => open`,
  },
  {
    name: 'automated run, red at the end',
    shape: 'codex',
    outcome: 'fail',
    ends: 'red',
    script: `
      auto: Fix the failing tests and push
      edit src/x.ts
      run npm test => failed
      edit src/x.ts
      run npm test => failed
      says: I made progress but two tests do not pass yet.`,
  },
  {
    name: 'automated run with a commit',
    shape: 'grok',
    outcome: 'success',
    script: `
      auto: Bump dependencies and commit the lock file
      run npm update => ok
      edit package.json
      run npm test => passed
      run git commit -am deps => commit beef123
      says: Bumped 12 packages; tests pass; committed beef123.`,
  },
  {
    name: 'automated run killed',
    shape: 'claude',
    outcome: 'unknown',
    script: `
      auto: Nightly triage of new issues
      call mcp__tracker__list => ok
      call mcp__tracker__get => open`,
  },
  {
    name: 'subagent that failed',
    shape: 'grok',
    outcome: 'fail',
    script: `
      note subagent of grok:0199 (general: port the tests) failed, 9 tool calls: max turns
      auto: Port the tests in test/old to vitest
      read test/old/a.js
      edit test/a.test.ts`,
  },
  {
    name: 'subagent of Codex with a report',
    shape: 'codex',
    outcome: 'success',
    script: `
      auto: [main → explorer] Find where the retry delay is set
      run rg delay src => ok
      says: It is set in src/retry.ts, line 12, and can be overridden by RETRY_DELAY.`,
  },
  {
    name: 'a long day with a good end',
    shape: 'claude',
    outcome: 'success',
    script: `
      you: add the export command
      edit export.ts
      run npm test => failed
      edit export.ts
      run npm test => passed
      says: Works.
      gap 3h
      you: also as csv
      edit export.ts
      compacted
      run npm test => passed
      run git commit -am csv => commit c0ffee1
      says: CSV export is in and committed.`,
  },
  {
    name: 'the last small question after good work',
    shape: 'codex',
    outcome: 'success',
    script: `
      you: cache the compiled templates
      edit tpl.rb
      run rspec => passed
      says: Cached; specs pass.
      you: how big can the cache get?
      says: It is bounded to 100 entries; the oldest goes first.`,
  },
  {
    name: 'an empty conversation with only a client command',
    shape: 'codex',
    outcome: 'unknown',
    script: `
      auto: <environment_context><cwd>/work</cwd></environment_context>`,
  },
  {
    name: 'a slash command that did its work',
    shape: 'claude',
    outcome: 'success',
    script: `
      auto: /init
      read package.json
      edit CLAUDE.md
      says: I created CLAUDE.md with the build commands and the architecture.`,
  },
  {
    name: 'the agent says it is blocked',
    shape: 'grok',
    outcome: 'fail',
    script: `
      you: connect the app to the new broker
      edit broker.ts
      run node try.js => error ECONNREFUSED
      says: The code is in place, but I was unable to connect to the broker: nothing listens on that port.`,
  },
  {
    name: 'a red run that the person shrugs off',
    shape: 'grok',
    outcome: 'unknown',
    ends: 'red',
    script: `
      you: add a flaky marker to the slow test
      edit slow.test.ts
      run npm test => failed
      says: Marked. The run failed on a timeout in another suite.
      you: great, that's all I need, thanks
      says: Glad to help.`,
  },
]
