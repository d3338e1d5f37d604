import { join } from 'node:path'
import { hostConfigFolder } from '@sandagent/files/internal'

/** Where the permissions are that people give for more than one call. */
export const grantsFolder = (): string => join(hostConfigFolder(), 'grants')
