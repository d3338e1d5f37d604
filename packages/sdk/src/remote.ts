export { type CommandSandboxOptions, commandSandbox } from './remote/command-sandbox.ts'
export type { Connect, Connection } from './remote/connection/connection.ts'
export { type FileApi, type FileSandboxOptions, fileSandbox } from './remote/file-sandbox.ts'
export { RemoteSandbox, type RemoteSandboxOptions } from './remote/remote-sandbox.ts'
