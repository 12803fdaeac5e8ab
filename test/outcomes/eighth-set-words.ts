import type { Ending } from './terminal-script.ts'

/** Written without knowing the rules: sessions that end by what somebody said, did or left undone. */
export const EIGHTH_SET_WORDS: readonly Ending[] = [
  {
    name: 'forget it, I will do it myself',
    shape: 'claude',
    outcome: 'abandoned',
    why: 'The person gave up.',
    script: `
      you: center the modal on mobile
      edit src/modal.css
      says: The modal is centered on small screens now.
      you: no it's not
      edit src/modal.css
      says: I switched to a grid container, it should be centered now.
      you: forget it, I'll do it myself
      says: Understood. Let me know if you need anything else.`,
  },
  {
    name: 'revert all that',
    shape: 'codex',
    outcome: 'abandoned',
    why: 'Everything was taken back.',
    script: `
      you: replace moment with dayjs
      edit src/dates.ts
      edit package.json
      run npm test
      | Tests:       3 failed, 120 passed, 123 total
      exit 1
      says: Three tests fail because dayjs formats weeks differently.
      you: ok revert all that, not worth it
      run git checkout -- . && git status --short
      says: Everything is reverted; the working tree is clean.`,
  },
  {
    name: 'stopped in the middle and gone',
    shape: 'grok',
    outcome: 'abandoned',
    ends: 'interrupted',
    why: 'Stopped, and nothing after.',
    script: `
      you: rewrite the parser with a generator
      read src/parser.py
      edit src/parser.py
      edit src/tokens.py
      stop`,
  },
  {
    name: 'stopped after green tests',
    shape: 'claude',
    outcome: 'abandoned',
    ends: 'interrupted',
    why: 'Green, but the person stopped what it went on to do.',
    script: `
      you: add pagination to the users endpoint
      edit api/users.rb
      run bundle exec rspec spec/api
      | 18 examples, 0 failures
      edit api/projects.rb
      stop for tool use`,
  },
  {
    name: 'stopped, told to go another way, done',
    shape: 'codex',
    outcome: 'success',
    why: 'Redirected, then green.',
    script: `
      you: speed up the report query
      edit app/report.sql
      run psql -f app/report.sql
      open
      stop
      you: don't touch the sql, add an index instead
      write migrations/0042_report_index.sql
      run make migrate && make test
      | applied 0042_report_index.sql
      | ok - 77 tests passed
      says: Added a composite index on (tenant_id, created_at). The report takes 40 ms instead of 6 s, tests pass.`,
  },
  {
    name: 'stopped and resumed with one word',
    shape: 'claude',
    outcome: 'success',
    why: 'Went on after the stop and came to a green end.',
    script: `
      you: convert the remaining class components to hooks
      edit src/Nav.jsx
      stop
      you: continue
      edit src/Footer.jsx
      run npx vitest run
      |  Test Files  9 passed (9)
      |       Tests  61 passed (61)
      says: All class components are converted, 61 tests pass.`,
  },
  {
    name: 'a question about the language, no tools',
    shape: 'claude',
    outcome: 'success',
    why: 'Asked and answered.',
    script: `
      you: in rust, what's the difference between Rc and Arc again?
      says: Both are reference-counted pointers. \`Rc\` uses non-atomic counts, so it is cheaper but can't cross threads; \`Arc\` uses atomic counts and is \`Send + Sync\` when its content is. Use \`Rc\` within one thread and \`Arc\` when you share across threads.`,
  },
  {
    name: 'a question about the code, answered from it, in Russian',
    shape: 'grok',
    outcome: 'success',
    why: 'Asked, looked up, answered.',
    script: `
      you: где у нас проверяется срок действия токена?
      run rg -n "expires_at" src
      | src/auth/token.rs:88:        if self.expires_at <= now {
      read src/auth/token.rs
      says: В \`src/auth/token.rs:88\`, метод \`Token::validate\`. Он вызывается из middleware \`require_user\` на каждый запрос; при просроченном токене возвращается 401.`,
  },
  {
    name: 'a long explanation and thanks, in Spanish',
    shape: 'codex',
    outcome: 'success',
    why: 'Thanked.',
    script: `
      you: explícame cómo funciona el sistema de colas de este proyecto
      read internal/queue/queue.go
      read internal/queue/worker.go
      says: El sistema tiene tres partes. Primero, \`queue.go\` guarda los trabajos en Redis con un score de tiempo. Segundo, los workers hacen BZPOPMIN y ejecutan el handler registrado. Tercero, si el handler falla, el trabajo vuelve a la cola con backoff exponencial, hasta cinco errores; luego pasa a la cola de fallidos.
      you: perfecto, muchas gracias, ahora lo entiendo
      says: ¡De nada!`,
  },
  {
    name: 'the log ends amid a call',
    shape: 'claude',
    outcome: 'unknown',
    why: 'Killed or still at work; the log does not say.',
    script: `
      you: run the whole benchmark suite and summarise
      run cargo bench
      open
      cut`,
  },
  {
    name: 'overloaded at the end',
    shape: 'claude',
    outcome: 'fail',
    why: 'The service failed before anything was done.',
    script: `
      you: split utils.ts into modules
      read src/utils.ts
      edit src/strings.ts
      crash API Error: 529 {"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}`,
  },
  {
    name: 'the context is full',
    shape: 'codex',
    outcome: 'fail',
    why: 'It could not go on.',
    script: `
      you: go through every file in src and add license headers
      edit src/a.c
      edit src/b.c
      crash Codex ran out of room in the model's context window. Start a new conversation or clear earlier history before retrying.`,
  },
  {
    name: 'limit reached in the middle',
    shape: 'grok',
    outcome: 'fail',
    why: 'It could not go on.',
    script: `
      you: write an integration test for the checkout
      read src/checkout.ts
      write test/checkout.test.ts
      crash 429 Too Many Requests: rate limit exceeded, please try again later`,
  },
  {
    name: 'a limit reached, then resumed the next day and done',
    shape: 'claude',
    outcome: 'success',
    why: 'It went on later and ended green.',
    script: `
      you: make the date filter timezone aware
      edit src/filter.ts
      crash Claude usage limit reached. Your limit will reset at 3pm (Europe/Berlin).
      you: continue
      edit src/filter.test.ts
      run npx jest filter
      | Tests:       14 passed, 14 total
      says: The filter compares in the user's timezone now. 14 tests pass.`,
  },
  {
    name: 'still at work a moment ago',
    shape: 'codex',
    outcome: 'unknown',
    why: 'The turn has not ended.',
    script: `
      you: upgrade to react 19
      run npm install react@19 react-dom@19
      | added 4 packages, changed 2 packages
      says: Dependencies are updated. Now I'll fix the type errors in the form components.
      edit src/form.tsx
      cut`,
  },
  {
    name: 'still broken, the last word',
    shape: 'claude',
    outcome: 'fail',
    why: 'The person says it does not work, and nothing follows.',
    script: `
      you: login redirects in a loop, fix please
      edit src/auth/callback.ts
      run npm test
      | Tests:       44 passed, 44 total
      says: The callback no longer redirects when a session exists. The loop is fixed.
      you: still broken, same loop in safari
      cut`,
  },
  {
    name: 'tests green but it is still wrong, in Japanese',
    shape: 'codex',
    outcome: 'fail',
    why: 'The person says it is still wrong, and the agent has no answer.',
    script: `
      you: 一覧画面のソートが逆になっているので直してください
      edit src/list.ts
      run npm test
      | Tests:       20 passed, 20 total
      says: 並び順を修正しました。テストはすべて成功しています。
      you: まだ直っていません。逆のままです
      cut`,
  },
  {
    name: 'corrected at the end, then nothing',
    shape: 'grok',
    outcome: 'fail',
    why: 'The last word is that the result is wrong.',
    script: `
      you: write the migration for the new roles
      write migrations/007_roles.sql
      says: The migration creates the \`role\` table and backfills it.
      you: that's wrong, roles are per organisation, not global
      cut`,
  },
  {
    name: 'a question back that nobody answered',
    shape: 'claude',
    outcome: 'abandoned',
    why: 'Nothing was done, and the person did not come back.',
    script: `
      you: add caching
      read src/server.ts
      says: Before I start: should the cache live in memory (simple, lost on restart) or in Redis (shared between instances)? And which endpoints do you want cached?`,
  },
  {
    name: 'done, with an offer at the end',
    shape: 'grok',
    outcome: 'success',
    why: 'The offer is not a condition.',
    script: `
      you: add a favicon
      write public/favicon.svg
      edit index.html
      run npm run build
      | vite v6.0.3 building for production...
      | ✓ 214 modules transformed.
      | ✓ built in 1.92s
      says: Done! The favicon is linked in index.html and the build passes. Would you like me to add PNG fallbacks for older browsers as well?`,
  },
  {
    name: 'a plan that nobody approved',
    shape: 'claude',
    outcome: 'unknown',
    why: 'Only a plan.',
    script: `
      you: plan the move from webpack to vite, don't change anything yet
      read webpack.config.js
      call ExitPlanMode {"plan":"1. Add vite. 2. Move the aliases. 3. Drop the loaders."}
      open
      cut`,
  },
  {
    name: 'permission denied and gone',
    shape: 'codex',
    outcome: 'abandoned',
    ends: 'interrupted',
    why: 'The person refused and left.',
    script: `
      you: clean up the old branches
      run git branch --merged
      |   fix-1
      |   fix-2
      run git push origin --delete fix-1 fix-2
      denied`,
  },
  {
    name: 'permission denied, told why, then done',
    shape: 'claude',
    outcome: 'success',
    why: 'Refused once, then done the person’s way.',
    script: `
      you: bump the version to 2.4.0
      run npm version 2.4.0
      denied
      you: don't tag, just edit package.json
      edit package.json
      run node -p "require('./package.json').version"
      | 2.4.0
      says: package.json is at 2.4.0, no tag was made.`,
  },
  {
    name: 'not what I wanted, told in Chinese, then mended and accepted',
    shape: 'grok',
    outcome: 'success',
    why: 'Accepted in the end.',
    script: `
      you: 给用户列表加一个导出按钮
      edit src/users.vue
      says: 已添加导出按钮,点击后会下载 CSV。
      you: 不对,要导出 Excel
      edit src/users.vue
      run npm run build
      | ✓ built in 3.41s
      says: 现在导出的是 xlsx 文件,构建通过。
      you: 好的,可以了,谢谢
      says: 不客气!`,
  },
  {
    name: 'an automated review that answers',
    shape: 'claude',
    by: 'program',
    outcome: 'success',
    why: 'It was asked for a verdict and gave one.',
    script: `
      you: Review this diff. Answer with JSON: {"approve": boolean, "issues": string[]}
      says: {"approve": false, "issues": ["retry loop has no upper bound", "error from Close() is ignored"]}`,
  },
  {
    name: 'an automated run cut short by its budget',
    shape: 'claude',
    by: 'program',
    outcome: 'fail',
    why: 'Nobody will go on with it.',
    script: `
      you: Fix all failing tests in this repository.
      run pytest -q
      | 7 failed, 120 passed in 14.2s
      exit 1
      edit app/models.py
      crash API Error: 400 {"type":"error","error":{"type":"invalid_request_error","message":"Your credit balance is too low to access the API."}}`,
  },
  {
    name: 'a subagent that reports where things are',
    shape: 'grok',
    by: 'subagent',
    outcome: 'success',
    why: 'Asked and answered.',
    script: `
      you: Find every place where the feature flag new_checkout is read.
      run rg -n new_checkout
      | web/cart.tsx:19:  if (flags.new_checkout) {
      | api/cart.go:77:	if flags.On("new_checkout") {
      says: The flag is read in two places: web/cart.tsx:19 and api/cart.go:77.`,
  },
  {
    name: 'nothing but slash commands',
    shape: 'claude',
    outcome: 'unknown',
    why: 'Nothing happened.',
    script: `
      you: <command-name>/model</command-name> <command-message>model</command-message> <command-args>opus</command-args>
      you: <local-command-stdout>Set model to opus</local-command-stdout>
      you: <command-name>/exit</command-name> <command-message>exit</command-message> <command-args></command-args>
      cut`,
  },
  {
    name: 'compacted on the way, green in the end',
    shape: 'claude',
    outcome: 'success',
    why: 'The long way, but green and committed.',
    script: `
      you: migrate the api from express to fastify
      edit src/app.ts
      run npm test
      | Tests:       38 failed, 12 passed, 50 total
      exit 1
      compacted
      summary: The user wants the API on fastify. 38 tests still failed when the conversation was compacted.
      edit src/routes.ts
      run npm test
      | Tests:       50 passed, 50 total
      run git commit -am "api: fastify"
      | [fastify c0ffee1] api: fastify
      says: The API runs on fastify, all 50 tests pass, committed as c0ffee1.`,
  },
]
