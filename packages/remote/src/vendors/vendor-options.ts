import type { RemoteSandboxOptions } from '../sandbox/remote-sandbox.ts'

/** Options of a vendor's sandbox. Its own id is its name. */
export type VendorSandboxOptions = Omit<RemoteSandboxOptions, 'name' | 'connect'>
