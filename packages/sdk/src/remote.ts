export { type CommandSandboxOptions, commandSandbox } from './remote/command-sandbox.ts'
export type { Connect, Connection } from './remote/connection.ts'
export { RemoteSandbox, type RemoteSandboxOptions } from './remote/remote-sandbox.ts'
