export type { Decision } from '../http/audit.ts'
export type { AuditFault } from './check-file.ts'
export { type AuditLog, type AuditLogOptions, createAuditLog } from './create-audit-log.ts'
export { type AuditReport, verifyAuditLog } from './verify-audit-log.ts'
