import { AskError } from '@sandagent/core'

/** A replica may not have what was acknowledged. @throws AskError `UNREACHABLE` if one was asked */
export function refuseReplica(rows: readonly { is_replica: boolean }[]): void {
  if (rows[0]?.is_replica)
    throw new AskError(
      'UNREACHABLE',
      'The database is a replica, which may lack the newest answers. Connect to the primary server',
    )
}
