// For the packages of this repository alone. These names promise nothing: they change without notice.

export type { Authenticate } from './channel/answers/answer-store.ts'
export { hasAskerEnded } from './channel/host-channel.ts'
export { stateFolders } from './channel/state-folders.ts'
export { makeFolder } from './disk/make-folder.ts'
export { makeFolderSafely } from './disk/make-folder-safely.ts'
export { createFileSafely } from './disk/open-safely.ts'
export { writeFileAtomic } from './disk/writing/write-file-atomic.ts'
export * from './index.ts'
export { createMutex } from './lib/mutex.ts'
export { findProcess, ownProcessHandle, processHandle } from './lib/process-handle.ts'
export { unreachable } from './lib/unreachable.ts'
export { createWakeSignal } from './watch/wake-signal.ts'
