export type {
  HostPasskeys,
  Passkey,
  PasskeyFacts,
  PasskeyProof,
  PasskeySite,
  RunPasskeys,
} from '@sandagent/core'
export type { Voucher } from './change-request.ts'
export { openPasskeys, type PasskeyChange, type Passkeys, type PasskeysOptions } from './open-passkeys.ts'
export { openPasskeyFiles, type PasskeyEntry, type PasskeyFiles } from './passkey-files.ts'
export { passkeySiteFaults } from './passkey-site.ts'
