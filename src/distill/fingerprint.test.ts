import { describe, expect, test } from 'vitest'
import { errorFingerprint, errorLine, errorShape } from './fingerprint.ts'

describe('the fingerprint of an error', () => {
  test.each([
    ["Error: Cannot find module '/home/a/x.js'", "Error: Cannot find module '/srv/b/y.js'"],
    ['ENOENT: no such file or directory, open "/tmp/1.txt"', 'ENOENT: no such file or directory, open "/var/2.txt"'],
    [
      "Exit code 1\nsrc/a.ts(3,5): error TS2345: Argument of type 'A'",
      "Exit code 2\nlib/b.ts(30,15): error TS2345: Argument of type 'B'",
    ],
    ['connect ECONNREFUSED 127.0.0.1:8080', 'connect ECONNREFUSED 10.0.0.3:5432'],
    ['\u001b[31mfatal: bad object 1a2b3c4d5e\u001b[0m', 'fatal: bad object 99aabbccdd'],
    ['request 6f1e0c62-3b7a-4c5e-9d2f-0a1b2c3d4e5f failed', 'request 00000000-3b7a-4c5e-9d2f-0a1b2c3d4e5f failed'],
    ['2026-01-05T09:00:00Z ERROR timeout after 30s', '2025-12-31 23:59:59,123 ERROR timeout after 5s'],
    ['<tool_use_error>File has not been read yet.</tool_use_error>', 'File has not been read yet.'],
    ['GET https://a.example/x?y=1 returned 500 error', 'GET https://b.example/z returned 502 error'],
  ])('is one for %j and %j', (a, b) => {
    expect(errorShape(a)).toBe(errorShape(b))
    expect(errorFingerprint(a)).toBe(errorFingerprint(b))
  })

  test.each([
    ['error TS2345: Argument', 'error: Argument'],
    ['Permission denied', 'No such file or directory'],
    ['String to replace not found in file.', 'File has not been read yet.'],
  ])('tells %j from %j', (a, b) => {
    expect(errorFingerprint(a)).not.toBe(errorFingerprint(b))
  })

  test('is made from the line that says what went wrong', () => {
    const trace =
      'Exit code 1\nTraceback (most recent call last):\n  File "a.py", line 3, in f\n    g()\nKeyError: \'x\''
    expect(errorLine(trace)).toBe("KeyError: 'x'")
    expect(errorLine(`${trace}\n\nDuring handling of the above exception:\nValueError: bad row`)).toBe(
      'ValueError: bad row',
    )
    expect(errorLine('> shop@1.0.0 build\n> tsc\n\nsrc/a.ts(1,1): error TS1005: ";" expected.')).toContain('TS1005')
    expect(errorLine('npm ERR! code ERESOLVE\nnpm ERR! more')).toBe('npm ERR! code ERESOLVE')
    expect(errorLine('   \n')).toBe('')
    const quoted =
      '[lint:go] func Get(name string) (Strategy, error) {\n          ^\n[lint:go] 1 issue, not allowed here'
    expect(errorLine(quoted)).toBe('[lint:go] 1 issue, not allowed here')
  })

  test('does not take the apostrophe of a word for a quotation', () => {
    expect(errorShape("it doesn't work and isn't there")).toBe("it doesn't work and isn't there")
  })

  test('reads no more than the beginning', () => {
    const long = `Error: x\n${'"'.repeat(2_000_000)}`
    expect(errorFingerprint(long)).toBe(errorFingerprint('Error: y\n'.replace('y', 'x')))
  })
})
