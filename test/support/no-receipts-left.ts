import { receiptsWritten } from '@sandagent/runner'
import { afterAll } from 'vitest'

// Files share a process, and `receiptsWritten` waits for all receipts of the process. So a receipt that nobody can write any
// more fails the file that left it, not one that comes later.
afterAll(receiptsWritten)
