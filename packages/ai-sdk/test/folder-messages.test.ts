import { tempDir } from '@sandagent/fixtures/temp-dir.ts'
import { LocalSandbox } from '@sandagent/sdk'
import type { UIMessage } from 'ai'
import { expect, it } from 'vitest'
import { folderMessages, readMessages } from '../src/folder-messages.ts'

const saying = (text: string): UIMessage[] => [{ id: 'u1', role: 'user', parts: [{ type: 'text', text }] }]

it('each owner has chats of their own', async () => {
  const folder = await tempDir()
  const sandbox = new LocalSandbox({ workdir: folder })
  await folderMessages(sandbox, 'ada').save('c1', saying('from Ada'))
  await folderMessages(sandbox).save('c1', saying('from nobody'))
  expect(await readMessages({ folder, chatId: 'c1', owner: 'ada' })).toEqual(saying('from Ada'))
  expect(await readMessages({ folder, chatId: 'c1' })).toEqual(saying('from nobody'))
  expect(await readMessages({ folder, chatId: 'c1', owner: 'bob' })).toEqual([])
  expect(await readMessages({ folder, chatId: 'c2', owner: 'ada' })).toEqual([])
})

it('a chat may be long, and is read whole while it is replaced', async () => {
  const folder = await tempDir()
  const { load, save } = folderMessages(new LocalSandbox({ workdir: folder }))
  const versions = ['é', 'ü', 'o'].map((letter) => saying(letter.repeat(2_000_000)))
  await save('c1', versions[0] as UIMessage[])
  const saving = (async () => {
    for (let count = 0; count < 30; count++) await save('c1', versions[count % 3] as UIMessage[])
  })()
  for (let count = 0; count < 10; count++) expect(versions).toContainEqual(await load('c1'))
  await saving
})

it('a file that is no JSON says so', async () => {
  const folder = await tempDir()
  const sandbox = new LocalSandbox({ workdir: folder })
  await folderMessages(sandbox).save('c1', saying('Hi'))
  const [name] = await sandbox.files.list('.sandagent/chats')
  await sandbox.files.writeAtomic(`.sandagent/chats/${name}`, '{')
  await expect(readMessages({ folder, chatId: 'c1' })).rejects.toMatchObject({ code: 'INVALID_FILE' })
})
