import { join } from 'node:path'
import { hostConfigFolder } from '@sandagent/files/internal'

/** Where `sandagent serve` keeps the permissions that people give for more than one call. */
export const grantsFolder = (): string => join(hostConfigFolder(), 'grants')
