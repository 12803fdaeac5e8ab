import { describe, expect, test } from 'vitest'
import { play } from '../../test/outcomes/script.ts'
import { judgeOutcome } from './outcome.ts'
import { changedBy } from './shell-work.ts'

describe('a command', () => {
  test.each([
    ["sed -i 's/a/b/' src/a.ts", ''],
    ["rg -l old | xargs perl -pi -e 's/old/new/'", ''],
    ["cat > src/a.py <<'EOF'\nx = 1\nEOF", 'src/a.py'],
    ['cd web && cat <<EOF > notes.md\nhi\nEOF', 'notes.md'],
    ["python - <<'EOF'\nPath('a.py').write_text(x)\nEOF", ''],
    ['git -C lib apply fix.patch', ''],
    ['npm install left-pad', ''],
    ['npx prettier --write src', ''],
  ])('changes files: %s', (command, file) => expect(changedBy(command)).toBe(file))

  test.each([
    "sed -n '1,20p' a.ts",
    'grep -rni apply src',
    'npm install',
    'npm install --omit=dev',
    "cat > /tmp/q.sql <<'EOF'\nselect 1\nEOF",
    "python - <<'EOF'\nprint(1)\nEOF",
    'go test ./... -i',
  ])('changes none: %s', (command) => expect(changedBy(command)).toBeNull())
})

describe('what a shell did', () => {
  const outcome = (script: string) => judgeOutcome(play(script, 'codex')).outcome

  test('counts as an edit', () => {
    expect(outcome('you: rename it\nrun npm test => failed\nsays: Renamed.')).toBe('unknown')
    expect(outcome('you: rename it\nrun sed -i s/a/b/ a.ts\nrun npm test => failed\nsays: Renamed.')).toBe('fail')
    expect(outcome('you: rename it\nrun npm test => passed\nrun sed -i s/a/b/ a.ts\nsays: Renamed.')).toBe('unknown')
  })

  test('does not count if it was not allowed', () => {
    expect(outcome('you: rename it\nrun sed -i s/a/b/ a.ts => denied\nsays: I left it.')).toBe('abandoned')
  })

  test('is a failure if its output says so, until it is run well', () => {
    const events = play('you: upload\nedit a.ts\nrun fastlane beta => failed\nsays: Uploaded.', 'codex')
    const piped = events.map((event) => (event.kind === 'test_run' ? { ...event, kind: 'tool_call' as const } : event))
    expect(judgeOutcome(piped)).toMatchObject({ outcome: 'fail', reasons: ['the last command failed: fastlane beta'] })
  })
})
