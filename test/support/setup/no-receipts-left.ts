import { receiptsWritten } from '@sandagent/runner'
import { afterAll, afterEach } from 'vitest'

// The receipt of an answer is written right behind the outcome. A test that ends in between would remove its folder first, and
// nobody could write the receipt any more. Files share a process, so this would keep later files waiting, too. The
// clean-up of a file may still settle questions.
afterEach(receiptsWritten)
afterAll(receiptsWritten)
