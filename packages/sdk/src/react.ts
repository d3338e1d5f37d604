// For pages that know this package alone: the same as `@sandagent/react`.
export * from '@sandagent/react'
