import { digestOf, parseJson } from '@sandagent/core/internal'
import { type RunFiles, stateFolders } from '@sandagent/files/internal'
import { LocalSandbox } from '@sandagent/sdk'
import type { UIMessage } from 'ai'

/** Where the messages of chats are kept. */
export interface MessageDatabase {
  /** The messages of a chat as they were saved last; none for a new chat. */
  load(chatId: string): Promise<UIMessage[]>
  /** Replaces the messages of a chat. */
  save(chatId: string, messages: UIMessage[]): Promise<void>
}

/** Which messages of a folder. */
export interface FolderChat {
  folder: string
  chatId: string
  /** See `AskingStreamOptions`. */
  owner?: string | undefined
}

/** The name of a chat in its folder. Ids come from pages. */
export const chatName = (chatId: string, owner?: string): string => digestOf([chatId, owner]).slice(0, 32)

/** Keeps the messages of each chat in a file of the state folder. */
export function folderMessages(sandbox: LocalSandbox, owner?: string): MessageDatabase {
  const { files } = sandbox
  const pathOf = (chatId: string) => `${stateFolders(sandbox).state}/chats/${chatName(chatId, owner)}.json`
  return {
    async load(chatId) {
      const text = await readWhole(files, pathOf(chatId))
      if (text === null) return []
      return parseJson(text, 'INVALID_FILE', 'The messages of this chat cannot be read') as UIMessage[]
    },
    save: (chatId, messages) => files.writeAtomic(pathOf(chatId), JSON.stringify(messages)),
  }
}

/** A file of any length, in pieces: again if it was replaced meanwhile. */
async function readWhole(files: RunFiles, path: string): Promise<string | null> {
  for (;;) {
    const before = await files.stat(path)
    if (!before) return null
    const pieces: Uint8Array[] = []
    for (let offset = 0; offset < before.size; offset += pieces.at(-1)?.length ?? 0) {
      const piece = await files.readFrom(path, offset)
      if (!piece || piece.length === 0) break
      pieces.push(piece)
    }
    const after = await files.stat(path)
    if (after?.modifiedAt === before.modifiedAt && after.size === before.size)
      return Buffer.concat(pieces).toString()
  }
}

/**
 * The messages of a chat that `askingStream` keeps in a folder, for the first look of a page: `useChat({ id, messages, resume:
 * true })`.
 *
 * @throws AskError `UNSAFE_PATH` when the folder cannot be made or another user could replace it, `INVALID_FILE`
 */
export const readMessages = ({ folder, chatId, owner }: FolderChat): Promise<UIMessage[]> =>
  folderMessages(new LocalSandbox({ workdir: folder }), owner).load(chatId)
