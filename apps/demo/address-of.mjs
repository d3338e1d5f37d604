/**
 * @param {import('node:stream').Readable} output
 * @returns {Promise<string>} the address that the demo prints when it is ready
 */
export async function addressOf(output) {
  for await (const chunk of output.iterator({ destroyOnReturn: false })) {
    const address = /ready (\S+)/.exec(String(chunk))?.[1]
    if (address) return address
  }
  throw new Error('The demo ended before it was ready')
}
