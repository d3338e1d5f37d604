export type { GrantUse } from './grant-files.ts'
export { type GrantEntry, listGrants, revokeGrant } from './list-grants.ts'
export { type Grants, type GrantsOptions, startGrants } from './start-grants.ts'
