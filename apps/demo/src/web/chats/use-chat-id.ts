import { useSyncExternalStore } from 'react'

/** The chat of an address without one. */
const FIRST_CHAT = 'main'

/** The id of the chat in the address, such as `#main`. */
export const useChatId = (): string => useSyncExternalStore(onAddress, chatIdInAddress)

export const openNewChat = (): void => {
  location.hash = crypto.randomUUID()
}

const chatIdInAddress = (): string => location.hash.slice(1) || FIRST_CHAT

function onAddress(listener: () => void): () => void {
  addEventListener('hashchange', listener)
  return () => removeEventListener('hashchange', listener)
}
