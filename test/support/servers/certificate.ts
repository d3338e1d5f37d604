import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { tempDir } from '@sandagent/fixtures/temp-dir.ts'
import { findCommand } from '../../../scripts/find-command.mjs'

export const canMakeCertificates: boolean = findCommand('openssl') !== undefined

/** Makes a certificate that nobody trusts, and its key: the paths of both files. */
export async function makeCertificate(): Promise<{ cert: string; key: string }> {
  const folder = await tempDir()
  const [cert, key] = [join(folder, 'cert.pem'), join(folder, 'key.pem')]
  const words = ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes']
  execFileSync('openssl', [...words, '-subj', '/CN=localhost', '-keyout', key, '-out', cert], {
    stdio: 'ignore',
  })
  return { cert, key }
}
