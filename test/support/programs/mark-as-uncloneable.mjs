// The packages of SandAgent's successor need Node 22 for this one function, which matters to nothing that tests do.
import { createRequire, syncBuiltinESMExports } from 'node:module'

const threads = createRequire(import.meta.url)('node:worker_threads')
threads.markAsUncloneable ??= () => {}
syncBuiltinESMExports()
