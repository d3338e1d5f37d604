import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The folder of this package, or of the package that this code is bundled into: always two above the folder of this file. */
export const packageFolder = (): string => join(dirname(fileURLToPath(import.meta.url)), '../..')
