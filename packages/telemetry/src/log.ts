export { type Logger, registerLog } from './log/log-observer.ts'
