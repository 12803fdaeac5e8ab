import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { query } from './kit/dump.ts'
import { productOn, tempDir } from './kit/home.ts'
import { layTree, OpencodeHome, START } from './kit/opencode-home.ts'

const ALL = { limit: 0, hidden: true }

describe('a tree of small files', () => {
  test.each([true, false])('is a session, also the first kind of tree (%s)', async (isFirst) => {
    const home = tempDir()
    layTree(path.join(home, '.local/share/opencode'), 'ses_1', { isFirst })
    const { recall } = productOn(home)
    await recall.index()
    expect((await recall.list(ALL)).sessions).toMatchObject([
      { title: 'Adding', cwd: '/home/sam/code/demo', promptCount: 1, messageCount: 2 },
    ])
    expect((await recall.index()).files.parsed).toBe(0)
    await recall.close()
  })

  test('that goes on is read again, and says nothing twice', async () => {
    const home = tempDir()
    const root = path.join(home, '.local/share/opencode')
    layTree(root, 'ses_1')
    const { recall, store } = productOn(home)
    await recall.index()
    const dir = path.join(root, 'storage/message/ses_1')
    writeFileSync(path.join(dir, 'msg_3.json'), JSON.stringify({ role: 'user', time: { created: START + 9000 } }))
    mkdirSync(path.join(root, 'storage/part/msg_3'), { recursive: true })
    writeFileSync(path.join(root, 'storage/part/msg_3/prt_9.json'), JSON.stringify({ type: 'text', text: 'go on' }))
    await recall.index()
    expect(
      query(store, "SELECT text FROM event WHERE kind = 'user_msg' AND flags & 6 = 0 ORDER BY pos").map(
        ({ text }) => text,
      ),
    ).toEqual(['Add them up.', 'go on'])
    rmSync(path.join(dir, 'msg_3.json'))
    await recall.index()
    expect(query(store, "SELECT flags & 2 AS superseded FROM event WHERE text = 'go on'")).toEqual([{ superseded: 2 }])
    await recall.close()
  })

  test('that a database took over is the same session, whichever is known first', async () => {
    const home = tempDir()
    const root = path.join(home, '.local/share/opencode')
    layTree(root, 'ses_1')
    const { recall, store } = productOn(home)
    await recall.index()
    const made = new OpencodeHome(home)
    made.session('ses_1', { title: 'Adding' })
    made.message('ses_1', 'msg_1', { role: 'user', time: { created: START + 1000 } })
    made.part('ses_1', 'msg_1', 'prt_1', { type: 'text', text: 'Add them up.' })
    made.prompt('ses_1', 'now in the database')
    await recall.index()
    const fresh = productOn(home)
    await fresh.recall.index()
    const said = (file: string) =>
      query(file, "SELECT text FROM event WHERE kind = 'user_msg' AND flags & 6 = 0 ORDER BY pos").map(
        ({ text }) => text,
      )
    expect(said(store)).toEqual(['Add them up.', 'now in the database'])
    expect(said(fresh.store)).toEqual(said(store))
    expect((await recall.list(ALL)).sessions).toHaveLength(1)
    await recall.close()
    await fresh.recall.close()
  })
})
