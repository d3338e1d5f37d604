// A relay loads this before its own program: its file system is faulty, as that of the other parts.

import { HEAL } from '../settings/settings.ts'
import { heal } from './faulty-fs.ts'

process.on(HEAL, heal)
