export type { GrantEntry } from '@sandagent/inbox'
export { listGrants, revokeGrant } from './list-grants.ts'
export { type Grants, type GrantsOptions, startGrants } from './start-grants.ts'
