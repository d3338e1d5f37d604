export { enterWorkdir, KNOWN_WORKDIRS_VARIABLE, type KnownWorkdir, knownWorkdirs } from './workdirs.ts'
