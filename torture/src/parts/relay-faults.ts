// A relay loads this before its own program: its file system is faulty, as that of the other parts.

import { heal } from './faulty-fs.ts'
import { HEAL } from './settings.ts'

process.on(HEAL, heal)
