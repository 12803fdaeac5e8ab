import zlib from 'node:zlib'
import path from 'node:path'
import { decompress } from 'fzstd'
import { afterEach, describe, expect, test } from 'vitest'
import { aSession, readRollout, rolloutPath, threadId, write } from '../../../test/kit/codex-log.ts'
import { tempDir } from '../../../test/kit/home.ts'
import type { Checkpoint } from '../source.ts'
import { codexReader } from './reader.ts'

/** A zstd frame of blocks that are stored, not compressed, each of at most so many bytes. */
function stored(bytes: Buffer, blockBytes: number): Buffer {
  const parts: Uint8Array[] = [Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0x00, 0x58])]
  for (let at = 0; at < bytes.length || at === 0; at += blockBytes) {
    const block = bytes.subarray(at, at + blockBytes)
    const head = Buffer.alloc(3)
    head.writeUIntLE((block.length << 3) | (at + blockBytes >= bytes.length ? 1 : 0), 0, 3)
    parts.push(head, block)
  }
  return Buffer.concat(parts)
}

const COMPRESSED =
  'KLUv/QRoPQUAUoshGGB3DqNSn409xlBPIAHAyalH6iSTSSJaOUDXOZjryOKCgqiRlaMFryNrXcpYWzGnUuaaNlsIdJ0pupPYSTUElZVYSj2Eo6fWWDD8+4+8/8f7/wf/zwTe0RMyFz0lJW2ysmB5LWUmCqp1q6O32i4LXv4Pf/xjcgX+HT6jeOHoisqrLoUucwELACpn7LCAF0DBZOtA5JZXQd81MYeETsRi8KMwMAO7buMM'

function layCompressed(content: Buffer) {
  const home = tempDir()
  return { path: write(`${rolloutPath(home, threadId(1))}.zst`, content), root: path.join(home, '.codex') }
}

const text = Buffer.from(aSession().text())
const plain = () => {
  const home = tempDir()
  return readRollout(write(rolloutPath(home, threadId(1)), text), path.join(home, '.codex'))
}

describe('a compressed rollout', () => {
  test.each([1, 7, 1000, 100_000])('says what it says uncompressed, in blocks of %i bytes', (blockBytes) => {
    const unit = layCompressed(stored(text, blockBytes))
    const { events, usage, problems } = readRollout(unit.path, unit.root)
    expect(events).toEqual(plain().events)
    expect(usage).toEqual(plain().usage)
    expect(problems).toEqual([])
  })

  test('made by the usual tool is read', () => {
    const unit = layCompressed(Buffer.from(COMPRESSED, 'base64'))
    const { events } = readRollout(unit.path, unit.root)
    expect(events.map((event) => event.text)).toEqual(['pack it', 'packed packed packed packed packed packed'])
  })

  test('goes on after any record, with a checkpoint inside the file', () => {
    const content = stored(text, 500)
    const unit = layCompressed(content)
    const whole = [...codexReader.read(unit, null)].flat().filter((item) => item.item === 'event')
    for (let stop = 1; stop < 30; stop += 4) {
      const reading = codexReader.read(unit, null)
      const first = []
      let steps = 0
      for (const items of reading) {
        first.push(...items)
        if (++steps === stop) break
      }
      const checkpoint: Checkpoint = JSON.parse(JSON.stringify(reading.checkpoint()))
      expect(checkpoint.offset).toBeLessThanOrEqual(content.length)
      const rest = [...codexReader.read(unit, checkpoint)].flat()
      expect([...first, ...rest].filter((item) => item.item === 'event')).toEqual(whole)
    }
    const reading = codexReader.read(unit, null)
    for (const _ of reading);
    expect(reading.checkpoint().offset).toBe(content.length)
  })

  test('that breaks off gives what it has, and says so', () => {
    const content = stored(text, 500)
    const unit = layCompressed(content.subarray(0, content.length - 700))
    const { events, problems, facts } = readRollout(unit.path, unit.root)
    expect(events.length).toBeGreaterThan(5)
    expect(problems).toMatchObject([{ level: 'warn', type: 'broken archive' }])
    expect(facts.complete).toBe(false)
  })

  test('that is none is told', () => {
    const unit = layCompressed(Buffer.from('not an archive at all'))
    expect(readRollout(unit.path, unit.root)).toMatchObject({ events: [], problems: [{ type: 'broken archive' }] })
  })
})

describe('where Node itself can decompress', () => {
  const had = Reflect.get(zlib, 'zstdDecompressSync')
  afterEach(() => Reflect.set(zlib, 'zstdDecompressSync', had))

  test('it does, and the stream helps out when it will not', () => {
    const unit = layCompressed(stored(text, 1000))
    let asked = 0
    Reflect.set(zlib, 'zstdDecompressSync', (bytes: Uint8Array) => {
      if (++asked === 1) return Buffer.from(decompress(bytes))
      throw new RangeError('Cannot create a Buffer larger than that')
    })
    for (let times = 1; times <= 2; times++) {
      expect(readRollout(unit.path, unit.root).events).toEqual(plain().events)
      expect(asked).toBe(times)
    }
  })
})
