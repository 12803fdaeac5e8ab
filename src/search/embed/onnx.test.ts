import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { onnx } from './onnx.ts'
import { hasPackage } from './packages.ts'
import { tokenIds, vocabularyOfJson, vocabularyOfLines } from './wordpiece.ts'

const PIECES = ['[PAD]', '[UNK]', '[CLS]', '[SEP]', 'run', '##ning', 'cafe', ',', 'the', 'test', '##s', '中']
const vocabulary = vocabularyOfLines(`${PIECES.join('\n')}\n`)
const read = (text: string, most = 64) => tokenIds(vocabulary, text, most).map((id) => PIECES[id])

describe('word pieces', () => {
  test('words are cut into the longest known pieces, signs stand alone, accents and case do not matter', () => {
    expect(read('Running, the Cafés中')).toEqual(['[CLS]', 'run', '##ning', ',', 'the', 'cafe', '##s', '中', '[SEP]'])
  })

  test('what no piece begins is unknown as a whole, and a long text is cut between the marks', () => {
    expect(read('the runx tests')).toEqual(['[CLS]', 'the', '[UNK]', 'test', '##s', '[SEP]'])
    expect(read('the the the the', 4)).toEqual(['[CLS]', 'the', 'the', '[SEP]'])
    expect(read(`${'a'.repeat(101)}`)).toEqual(['[CLS]', '[UNK]', '[SEP]'])
    expect(read('')).toEqual(['[CLS]', '[SEP]'])
  })

  test('a tokenizer.json is read too, and one of another kind is refused', () => {
    const vocab = Object.fromEntries(PIECES.map((piece, i) => [piece, i]))
    const cased = vocabularyOfJson(JSON.stringify({ normalizer: { lowercase: false }, model: { vocab } }))
    expect(cased && tokenIds(cased, 'The', 9)).toEqual([2, 1, 3])
    expect(vocabularyOfJson(JSON.stringify({ model: { type: 'BPE', vocab: { a: 1 } } }))).toBeNull()
    expect(vocabularyOfJson('{}')).toBeNull()
  })
})

const made = mkdtempSync(path.join(tmpdir(), 'recall-onnx-'))
afterAll(() => rmSync(made, { recursive: true, force: true }))
/** The runtime is too large to be installed with the others: where there is none, one stands in that can do one model. */
const given = process.env['RECALL_TEST_MODELS'] ?? made
const isReal = hasPackage(given, 'onnxruntime-node')
const modelsDir = isReal ? given : standIn()
const config = { provider: 'onnx', model: made, url: null, key: null, modelsDir, allowDownload: false }

test('what is missing is named: the files first, then the runtime', () => {
  const empty = { ...config, model: path.join(made, 'empty') }
  expect(onnx.missing(empty)).toContain('model.onnx')
  expect(onnx.hint(empty)).toContain('--allow-download')
  mkdirSync(path.join(made, 'half'), { recursive: true })
  writeFileSync(path.join(made, 'half/model.onnx'), '')
  expect(onnx.missing({ ...config, model: path.join(made, 'half') })).toContain('vocab.txt')
  if (isReal && given === made) return
  expect(onnx.missing({ ...config, model: null, modelsDir: made, allowDownload: true })).toContain('onnxruntime-node')
})

describe(`a model in a directory, run by ${isReal ? 'onnxruntime-node' : 'a stand-in for onnxruntime-node'}`, () => {
  test('gives the mean of its tokens, of length 1, however texts are put together', async () => {
    writeFileSync(path.join(made, 'vocab.txt'), PIECES.join('\n'))
    writeFileSync(path.join(made, 'model.onnx'), lookupModel(PIECES.length, 3))
    expect(onnx.missing(config)).toBeNull()
    const model = await onnx.open(config)
    const [one, two] = await model.embed(['the', 'the running tests'])
    const [alone] = await model.embed(['the'])
    expect(one).toEqual(alone)
    expect(model.dimensions).toBe(3)
    const rows = [2, 8, 3].map((id) => [id, id * id, 1])
    const mean = [0, 1, 2].map((i) => rows.reduce((sum, row) => sum + (row[i] ?? 0), 0) / 3)
    const expected = mean.map((value) => value / Math.hypot(...mean))
    expect([...one!].map((value) => value.toFixed(5))).toEqual(expected.map((value) => value.toFixed(5)))
    expect(Math.hypot(...two!)).toBeCloseTo(1, 5)
    await model.close()
  })
})

/** A package that looks rows up as the model below does. */
function standIn(): string {
  const dir = path.join(made, 'packages')
  mkdirSync(path.join(dir, 'node_modules/onnxruntime-node'), { recursive: true })
  writeFileSync(
    path.join(dir, 'node_modules/onnxruntime-node/index.js'),
    `exports.Tensor = class { constructor(type, data, dims) { Object.assign(this, { type, data, dims }) } }
     const run = async (feeds) => {
       if (Object.keys(feeds).join() !== 'input_ids,attention_mask') throw new Error('other inputs')
       const { data, dims } = feeds.input_ids
       const rows = Array.from(data, (id) => [Number(id), Number(id) ** 2, 1]).flat()
       return { last_hidden_state: { data: Float32Array.from(rows), dims: [...dims, 3] } }
     }
     exports.InferenceSession = { create: async () => ({ inputNames: ['input_ids', 'attention_mask'], outputNames: ['last_hidden_state'], run }) }`,
  )
  return dir
}

/** A model that looks a row up for each token: `[id, id², 1]`. Written field by field as the format has it. */
function lookupModel(rows: number, size: number): Buffer {
  const table = Float32Array.from(
    { length: rows * size },
    (_, i) => [Math.floor(i / size), Math.floor(i / size) ** 2, 1][i % size] ?? 0,
  )
  const tensor = [num(1, rows), num(1, size), num(2, 1), text(8, 'table'), bytes(9, Buffer.from(table.buffer))]
  const node = [text(1, 'table'), text(1, 'input_ids'), text(2, 'last_hidden_state'), text(4, 'Gather')]
  const shape = (...names: string[]) => bytes(2, Buffer.concat(names.map((name) => bytes(1, text(2, name)))))
  const value = (name: string, type: number, dims: Buffer) =>
    Buffer.concat([text(1, name), bytes(2, bytes(1, Buffer.concat([num(1, type), dims])))])
  const graph = Buffer.concat([
    bytes(1, Buffer.concat(node)),
    text(2, 'lookup'),
    bytes(5, Buffer.concat(tensor)),
    bytes(11, value('input_ids', 7, shape('n', 't'))),
    bytes(11, value('attention_mask', 7, shape('n', 't'))),
    bytes(12, value('last_hidden_state', 1, shape('n', 't', 'd'))),
  ])
  return Buffer.concat([num(1, 8), bytes(7, graph), bytes(8, Buffer.concat([text(1, ''), num(2, 13)]))])
}

function varint(value: number): Buffer {
  const out: number[] = []
  for (; value > 127; value = Math.floor(value / 128)) out.push((value % 128) | 128)
  return Buffer.from([...out, value])
}
const num = (field: number, value: number) => Buffer.concat([varint(field * 8), varint(value)])
const bytes = (field: number, value: Buffer) => Buffer.concat([varint(field * 8 + 2), varint(value.length), value])
const text = (field: number, value: string) => bytes(field, Buffer.from(value))
