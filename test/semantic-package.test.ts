import { createRequire } from 'node:module'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { useLite } from '../src/search/embed/use-lite.ts'
import { tempDir } from './kit/home.ts'

const modelsDir = path.join(tempDir(), 'none')
const config = { provider: 'use-lite', model: null, url: null, key: null, modelsDir, allowDownload: false }

describe('the model that comes in a package', () => {
  test('tells sentences apart by what they mean', async () => {
    expect(useLite.missing(config)).toBeNull()
    const model = await useLite.open(config)
    const [asked, near, far] = await model.embed([
      'how do I fix my car',
      'repairing an automobile',
      'the soup needs salt',
    ])
    const cosine = (a: Float32Array, b: Float32Array) =>
      a.reduce((sum, value, i) => sum + value * (b[i] ?? 0), 0) / (Math.hypot(...a) * Math.hypot(...b))
    expect(asked).toHaveLength(512)
    expect(cosine(asked!, near!)).toBeGreaterThan(cosine(asked!, far!) + 0.2)
  })

  test('is found where recall is, or among the packages of the user', () => {
    expect(createRequire(import.meta.url).resolve('@energetic-ai/embeddings')).toContain('node_modules')
    expect(useLite.hint(config)).toContain(`--prefix ${JSON.stringify(modelsDir)}`)
  })
})
